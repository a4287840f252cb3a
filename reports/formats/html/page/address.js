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
const state = { filters: {}, picks: [], rung: null }; // rung: the one that is open

function read_hash() {
  const given = new URLSearchParams(location.hash.slice(1));
  state.filters = {};
  for (const name in FILTERS) if (given.has(name)) state.filters[name] = given.get(name);
  for (const { name } of report.operations) if (given.has(name)) state.filters.operation = name;
  state.picks = given.has("pick") ? given.getAll("pick") : own_rungs();
  state.picks = state.picks.slice(0, most_picks);
  state.rung = given.get("rung");
}
// Kernels from elsewhere are picked, unless the address picks others.
const own_rungs = () =>
  report.operations.flatMap(({ name, cards }) =>
    cards.filter((card) => card.from).map((card) => `${name}/${card.provider}/${card.rung}`)
  );
function address(change = {}) {
  const { filters, picks, rung } = { ...state, ...change };
  const given = new URLSearchParams(filters);
  for (const pick of picks) given.append("pick", pick);
  if (rung) given.set("rung", rung);
  return "#" + String(given).replaceAll("%2F", "/");
}
// Each state is a step of the browser's history.
function write_hash() {
  if (address() !== (location.hash || "#")) history.pushState(null, "", address());
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
