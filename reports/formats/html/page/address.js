// What is chosen: filters, picks and the open rung, in the hash of the address.
const FILTERS = {
  operation: "operation",
  operator: "operator",
  dtype: "type",
  contract: "time until",
  cache: "cache",
  distribution: "input",
  bins: "bins",
  offset: "displaced by",
  backend: "ran on",
  n: "elements, n"
};
// rung: the one that is open. unknown: what the address names, and the report lacks
const state = { filters: {}, picks: [], rung: null, unknown: [] };

function read_hash() {
  const given = new URLSearchParams(location.hash.slice(1));
  state.filters = {};
  state.unknown = [];
  for (const name in FILTERS) if (given.has(name)) state.filters[name] = given.get(name);
  for (const { name } of report.operations) if (given.has(name)) state.filters.operation = name;
  const lacks = (what) => state.unknown.push(`This report has no ${what}.`);
  const { operation, n } = state.filters;
  if (operation !== undefined && report.operations.every(({ name }) => name !== operation)) {
    lacks(`operation ${cut(operation)}`);
    delete state.filters.operation;
  }
  if (n !== undefined) {
    state.filters.n = size_of(n);
    if (state.filters.n === undefined) {
      lacks(`n = ${cut(n)}`);
      delete state.filters.n;
    }
  }
  const known = new Set(rungs_where(() => true));
  const picks = [...new Set(given.getAll("pick"))].filter((pick) => known.has(pick));
  state.picks = (given.has("pick") ? picks : own_rungs()).slice(0, most_picks);
  state.rung = given.get("rung");
  if (state.rung !== null && rung_of(state.rung).card === undefined) {
    lacks(`rung ${cut(state.rung)}`);
    state.rung = null;
  }
}
const cut = (text) => (text.length > 60 ? `${text.slice(0, 60)}..` : text);
// "1024", of that and of "2^10"
function size_of(text) {
  const power = /^2\^(\d{1,2})$/.exec(text);
  const size = power ? 2 ** power[1] : Number(text.trim() || NaN);
  return Number.isSafeInteger(size) && size >= 0 ? String(size) : undefined;
}
// The operation and the card of "reduce/packed".
function rung_of(path) {
  const at = path.indexOf("/");
  const operation = report.operations.find((one) => one.name === path.slice(0, at));
  return { operation, card: operation?.cards.find((one) => one.rung === path.slice(at + 1)) };
}
const rungs_where = (fits) =>
  report.operations.flatMap(({ name, cards }) =>
    cards.filter(fits).map((card) => `${name}/${card.provider}/${card.rung}`)
  );
// Kernels from elsewhere are picked, unless the address picks others.
const own_rungs = () => rungs_where((card) => card.from);
function address(change = {}) {
  const { filters, picks, rung } = { ...state, ...change };
  const given = new URLSearchParams(filters);
  for (const pick of picks) given.append("pick", pick);
  if (rung) given.set("rung", rung);
  return "#" + String(given).replaceAll("%2F", "/");
}
// Each state is a step of the browser's history, unless it replaces the last one.
function write_hash(how = "pushState") {
  if (address() !== (location.hash || "#")) history[how](null, "", address());
}
// change(): of the state, when the link is followed, since more may have changed by then.
function link(change, text) {
  const made = element("a", {
    href: address(change()),
    onclick: () => (made.href = address(change()))
  }, text);
  return made;
}

// Numbers in their order, texts as they come.
const values_of = (name, among) =>
  [...new Set(among.map((row) => row[name]))]
    .filter((value) => value !== null)
    .sort((a, b) => a - b);

// What a section shows: for each key column the filter's value where the operation has it with
// all that was chosen before, otherwise its usual value.
function key_of(operation, these) {
  let among = these;
  const usually = was_timed(these[0]) ? operation.key : operation.counted_key;
  const key = { operation: operation.name, devices: usually.devices };
  for (const name of [
    "backend", "contract", "cache", "operator", "dtype", "distribution", "bins", "offset"
  ]) {
    const there = [...new Set(among.map((row) => row[name]))];
    const usual = usually[name];
    const rows_with = (value) => among.filter((row) => row[name] === value);
    const most = () => there.sort((a, b) => rows_with(b).length - rows_with(a).length)[0];
    key[name] =
      there.find((value) => String(value) === state.filters[name]) ??
      (there.includes(usual) ? usual : most());
    among = rows_with(key[name]);
  }
  const sizes = values_of("n", among);
  key.n = nearest(sizes, Number(state.filters.n ?? usually.n));
  return { key, sizes, among };
}
