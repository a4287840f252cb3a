// What happens when the page has come, and when its address changes.
function side_by_side() {
  lead(report.kicker ?? "several result sets", ...sentence(report.note));
  for (const id of ["filters", "cite", "legend", "ladders", "citation", "rung", "sections"])
    by_id(id).remove();
  document.querySelector(".skip").hash = "#main";
}

async function one_set() {
  await unpack();
  read_hash();
  first_screen();
  show_all();
  citation();
  const shown = () => JSON.stringify([state.filters, state.picks, state.unknown]);
  window.onhashchange = () => {
    const before = shown(), operation = state.filters.operation;
    read_hash();
    // an open rung changes nothing below it, so its reader finds the place again
    if (shown() !== before) show_all();
    if (state.filters.operation !== operation || named_part()) land();
    open_rung();
  };
  by_id("rung_close").onclick = () => by_id("rung").close();
  by_id("rung").onclose = () => {
    if (state.rung === null) return;
    state.rung = null;
    write_hash();
  };
}

const named_part = () => by_id(location.hash.slice(1));

// At what the address names: the operation of a rung, an operation, or a section.
function land() {
  const of = rung_of(state.rung ?? "").operation?.name ?? state.filters.operation;
  const there = of === undefined ? named_part() : by_id(`section-${of}`);
  if (location.hash.length > 1) (there ?? by_id("main")).scrollIntoView();
}

async function start() {
  // the page's policy knows its hash
  document.head.append(element("script", { textContent: await unpacked("vega").text() }));
  ({ vega, compile, expressionInterpreter } = window.ladderVega);
  themes();
  if (SIDE_BY_SIDE) side_by_side();
  else await one_set();
  by_id("main").append(...report.sections.map(told));
  if (!SIDE_BY_SIDE) {
    land();
    open_rung();
  }
  document.documentElement.dataset.ready = "yes";
}
start();
