// Numbers, as report.md writes them.
const grouped = (value) => Math.round(value).toLocaleString("en-US");
function digits(value) {
  if (value >= 99.95) return grouped(value);
  const three = value.toPrecision(3);
  return value < 0.9995 ? String(Number(three)) : three;
}
function elements(n) {
  const power = Math.round(Math.log2(n));
  return n >= 1024 && 2 ** power === n ? `2^${power}` : grouped(n);
}
function ratio_digits(value) {
  if (value < 0.1 || value >= 2) return digits(value);
  let text = value.toFixed(3);
  for (let places = 4; places <= 6 && value !== 1 && Number(text) === 1; ++places)
    text = value.toFixed(places);
  return text;
}
const percent = (value) => (value === null ? "" : `${digits(value)} %`);
const between = (text, row, name) =>
  `(${text(row[name + "_low"])} to ${text(row[name + "_high"])})`;
const UNITS = [
  ["ns", 1e3, 0.9995],
  ["us", 1, 999.5],
  ["ms", 1e-3, 999.5e3],
  ["s", 1e-6, Infinity]
];
function time_text(row) {
  if (row.time === null) return "";
  const [unit, scale] = UNITS.find(([, , below]) => row.time < below);
  const scaled = (us) => digits(us * scale);
  return `${scaled(row.time)} ${unit} ${between(scaled, row, "time")}`;
}
function interval(row, name) {
  if (row[name] === null) return "";
  const verdict = row[name + "_verdict"];
  const ratio = verdict === "no difference shown" ? verdict : `${ratio_digits(row[name])}x`;
  return `${ratio} ${between(ratio_digits, row, name)}`;
}
const percents = (value) => digits(100 * value);
const share_of_limit = (row) =>
  row.vs_limit === null
    ? ""
    : `${percents(row.vs_limit)} % ${between(percents, row, "vs_limit")}`;
const verdicts = {
  pass: "pass",
  expected_wrong: "wrong on purpose",
  skipped: "not run",
  fail: "wrong answer",
  crashed: "crashed",
  timeout: "did not end"
};
const verdict_text = (row) => (row.host_only ? "to the host only" : verdicts[row.verdict]);
const words = (text) => String(text).replaceAll("_", " ");
// the one of these sizes that is the nearest on a scale of logarithms
function nearest(sizes, n) {
  const distance = (size) => Math.abs(Math.log(size / n));
  return sizes.reduce((best, size) => (distance(size) < distance(best) ? size : best));
}
