// The filters and the search.
function filters() {
  const bar = by_id("filters");
  const timed = rows.filter(was_timed);
  const of_operation = (timed.length > 0 ? timed : rows).filter(
    (row) => row.operation === (state.filters.operation ?? row.operation)
  );
  const focused = document.activeElement?.dataset?.filter;
  bar.replaceChildren();
  for (const [name, title] of Object.entries(FILTERS)) {
    const there =
      name === "operation"
        ? report.operations.map((one) => one.name)
        : values_of(name, of_operation);
    if (there.length < 2 && !(name in state.filters)) continue;
    const chosen = state.filters[name];
    if (chosen !== undefined && there.every((value) => String(value) !== chosen))
      there.push(chosen); // so that another can be chosen in its place
    const option = (value, text) =>
      element("option", { value, selected: String(value) === chosen }, text);
    const onchange = ({ target }) => {
      if (target.value === "") delete state.filters[name];
      else state.filters[name] = target.value;
      changed();
    };
    const select = element(
      "select",
      { "data-filter": name, onchange },
      option("", name === "operation" ? "all" : "usual"),
      there.map((value) => option(value, name === "n" ? elements(Number(value)) : words(value)))
    );
    bar.append(element("label", title, select));
  }
  const reset = {
    type: "button",
    "data-filter": "reset",
    disabled: Object.keys(state.filters).length === 0 && state.picks.length === 0,
    onclick() {
      Object.assign(state, { filters: {}, picks: [] });
      changed();
    }
  };
  bar.append(element("button", reset, "Reset"), search());
  if (focused) bar.querySelector(`[data-filter="${focused}"]`)?.focus();
}

// Goes to the operation or the rung whose name is chosen.
function search() {
  const is_shown = ({ name }) => name === state.filters.operation;
  const operations = [...report.operations].sort((a, b) => is_shown(b) - is_shown(a));
  const names = operations.flatMap(({ name, cards }) => [
    name, ...cards.map((card) => `${name}/${card.rung}`)
  ]);
  // by the whole name, by that of a rung alone, or by a part
  const onchange = ({ target }) => {
    const wanted = target.value.trim().toLowerCase().replaceAll(" ", "_");
    const first = (fits) => names.find((name) => fits(name.toLowerCase()));
    const found =
      first((name) => name === wanted) ??
      first((name) => name.endsWith(`/${wanted}`)) ??
      first((name) => name.includes(wanted));
    target.setCustomValidity(
      found === undefined ? `There is no operation or rung "${cut(target.value)}".` : ""
    );
    if (wanted === "") return undefined;
    if (found === undefined) return target.reportValidity();
    location.hash = found.includes("/")
      ? address({ rung: found })
      : address({ filters: { ...state.filters, operation: found } });
    return undefined;
  };
  const box = element("input.search", {
    type: "search",
    placeholder: "operation or rung",
    "data-filter": "search",
    onchange
  });
  box.setAttribute("list", "names"); // the property is another thing
  return element(
    "label",
    "find",
    box,
    element(
      "datalist",
      { id: "names" },
      [...new Set(names)].map((value) => element("option", { value }))
    )
  );
}

function show_all() {
  filters();
  legend();
  sections();
}
function changed() {
  write_hash();
  show_all();
}
