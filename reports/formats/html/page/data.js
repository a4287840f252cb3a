// The data of the page: what report.json has, and the rows.
const report = await unpacked_json("report");
const INPUT = ["operator", "dtype", "n", "distribution", "bins", "offset", "devices"];
const KEY = ["operation", ...INPUT, "provider", "rung", "backend", "contract", "cache"];
const OVER_DEVICES = report.has_spread_rows;
const SIDE_BY_SIDE = report.operations === undefined; // several result sets, without filters
const HANDWRITTEN = "handwritten";

let rows = []; // of the flat table

function unpacked(id) {
  const packed = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}
async function unpacked_json(id) {
  return unpacked(id).json();
}

// A column has the texts in words, and in values their numbers; or the values themselves.
async function unpack() {
  const columns = Object.entries(await unpacked_json("cells"));
  rows = columns[0][1].values.map((_, r) =>
    Object.fromEntries(
      columns.map(([name, { words, values }]) => [name, words[values[r]] ?? values[r]])
    )
  );
}

const most_picks = 2; // there are colours for
const ROLES = ["hand-written", "library", "best hand-written", "pick 1", "pick 2"];
const rank = (row) => ROLES.indexOf(row.role);

// The rows that a figure takes of these for a key: as figure_rows() in figures.cpp.
function rows_of(name, key, among) {
  const { n, across = [], where = {}, needs = [] } = report.figures[name].usermeta;
  const widest = n === "widest";
  const fits = (row) =>
    Object.entries(where).every(([column, allowed]) => allowed.includes(row[column])) &&
    KEY.every(
      (column) =>
        column in where ||
        across.includes(column) ||
        (widest && column === "n") ||
        row[column] === (key[column] ?? null)
    ) &&
    needs.every((column) => row[column] !== null);
  const taken = picked(among.filter(fits)).sort(
    (a, b) => rank(a) - rank(b) || a.place - b.place || a.n - b.n
  );
  if (!widest) return taken;
  return values_of("n", taken)
    .map((size) => taken.filter((row) => row.n === size))
    .reduce((most, these) => (these.length >= most.length ? these : most), []);
}

// A picked rung has a colour of its own.
function picked(these) {
  return these.map((row) => {
    const at = state.picks.indexOf(pick_name(row));
    return at < 0 ? row : { ...row, role: `pick ${at + 1}` };
  });
}
const by_hand = (row) => row.provider === HANDWRITTEN;
const was_timed = (row) => row.contract !== null;
const pick_name = (row) => `${row.operation}/${row.provider}/${row.rung}`;
