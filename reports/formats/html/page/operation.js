// The section of an operation.
function sections() {
  const shown = report.operations.filter(
    (operation) => (state.filters.operation ?? operation.name) === operation.name
  );
  for (const canvas of canvases(by_id("sections"))) {
    watcher.unobserve(canvas);
    canvas.view?.finalize();
  }
  readouts.length = 0;
  by_id("sections").replaceChildren(
    ...state.unknown.map((text) => element("p.warning", text)),
    ...shown.map(section)
  );
}

function section(operation) {
  const mine = rows.filter((row) => row.operation === operation.name);
  const timed = mine.filter(was_timed);
  const counted = mine.filter((row) => !was_timed(row));
  // without a GPU only libraries may have times
  const ladders = timed.some(by_hand) ? [timed] : [counted, timed];
  return element(
    "section",
    { id: `section-${operation.name}`, "aria-label": operation.name },
    element("h2", operation.name),
    ladders
      .filter((these) => these.length > 0)
      .map((these) => at_one_size(operation, mine, these)),
    operation.elsewhere.map(({ title, standing, rows: theirs }) =>
      fold(
        sentence(title),
        element("p", sentence(standing)),
        figures(figure({ name: "ladder", values: () => picked(theirs) }))
      )
    ),
    counted_part(operation, mine),
    cards_part(operation),
    folded_table("All timed rows", timed, [
      "time", "bandwidth", "percent_of_ceiling", "vs_limit", "vs_one_device",
      "vs_fastest_library",
      "vs_same_promise", "vs_followed", "vs_first_rung", "error_relative", "flags"
    ]),
    folded_table("All counted rows", counted, [
      "bytes_over_minimum", "sectors_per_load", "sectors_used", "active_lanes",
      "barriers_per_thread", "peer_load_bytes", "peer_store_bytes", "launches", "atomics",
      "atomic_contention", "wavefronts_per_shared_request", "steps", "work", "lost_counts",
      ...report.counters.map(([name]) => name) // one that has come since
    ])
  );
}

function at_one_size(operation, mine, these) {
  const { key, sizes, among } = key_of(operation, these);
  const unmet = Object.keys(FILTERS)
    .filter((name) => name in state.filters && name !== "operation")
    .filter((name) => String(key[name]) !== state.filters[name])
    .map((name) =>
      name === "n" ? `n = ${elements(Number(state.filters.n))}` : words(state.filters[name])
    );
  const shown = [
    unmet.length > 0 &&
      element("p.warning", `${operation.name} was not run for ${unmet.join(", ")}.`),
    element(
      "p.faint",
      `${unmet.length > 0 ? "The nearest that was run" : "Shown"}: `,
      `${key_in_words(unmet.length > 0 ? key : { ...key, n: null })}.`
    )
  ];
  const read = readout(operation, key, sizes, among);
  const over_sizes = figures();
  const grid = figures();
  // Returns a list of its canvas, empty where the figure is not worth drawing.
  const add = (name, note, tune, where = grid) => {
    const { n, least = {}, operations } = report.figures[name].usermeta;
    if (operations !== undefined && !operations.includes(operation.name)) return [];
    const values = () => rows_of(name, { ...key, n: read.n() }, mine);
    const found = values();
    if (
      found.length === 0 ||
      Object.entries(least).some(([column, many]) => values_of(column, found).length < many)
    )
      return [];
    if (n === "widest") note += `, at n = ${elements(found[0].n)}.`;
    where.append(figure({ name, note, values, tune }));
    return [...canvases(where.lastChild)];
  };
  const choose = (specification) => set_param(specification, "chosen", read.n());
  const over_n = [
    ...add(
      "bandwidth",
      "Linear from 0. The dotted line is the limit: the shortest run that moves as many bytes. " +
      "Where none was measured, it is the ceiling: a loop that only moves memory.",
      choose,
      over_sizes
    ),
    ...add(
      "ratio",
      "Above 1: faster. The band is the 95 % interval; a hollow point shows no difference. " +
      "Rungs slower than 1/16 are outside the picture. The fastest library of a size is at 1x.",
      choose,
      over_sizes
    )
  ];
  const at_n = [
    ...add("inputs", "A shape for each distribution"),
    ...add("lost", "The kernel is wrong on purpose"),
    ...add("error", "At the size chosen above; further left is more precise."),
    ...add(
      "contracts",
      "Thin and dark: until the result is in the GPU's memory. Wide and pale: until the host " +
      "holds it. At the size chosen above."
    )
  ];
  add(
    "wins",
    "The best kernel at each operator, type and size. ▲: faster than the fastest library. ▼: " +
    "slower. =: no difference shown. Blank: it was not run there."
  );
  for (const canvas of over_n)
    point_at(canvas, {
      read, sizes,
      values: () => rows_of(canvas.dataset.figure, { ...key, n: read.n() }, mine)
    });
  let later;
  read.slider.addEventListener("input", () => {
    for (const canvas of over_n) canvas.view?.signal("chosen", read.n()).run();
    clearTimeout(later);
    later = setTimeout(() => at_n.forEach(draw_when_seen), 120);
  });
  // the table is below what changes it, which so stays where it is
  return [shown, over_sizes, read.made, grid];
}

// On a figure over n the pointer, or the arrow keys, choose a size and a line. The line is named,
// with its value; a click, or Enter, picks its rung.
function point_at(canvas, { read, sizes, values }) {
  const field = canvas.dataset.figure === "ratio" ? "vs_fastest_library" : "bandwidth";
  const tip = element("p.tip", { role: "status" });
  canvas.after(tip);
  canvas.classList.add("pointed");
  canvas.tabIndex = 0;
  let named;
  // of the picture in its svg element
  function corner() {
    const [left, top] = canvas.view.origin();
    const padding = canvas.view.padding();
    return [left + padding.left, top + padding.top];
  }
  const x = (row) => canvas.view.scale("x")(row.n);
  const y = (row) => canvas.view.scale("y")(row[field]);
  const at_size = () =>
    values()
      .filter((row) => row.n === read.n() && row[field] !== null)
      .sort((a, b) => b[field] - a[field]);
  function name_line(row) {
    canvas.querySelector(".hovered")?.remove();
    named = row;
    if (row === undefined) return tip.replaceChildren();
    const text = field === "bandwidth"
      ? `${digits(row.bandwidth)} GB/s, ${time_text(row)}`
      : interval(row, field);
    tip.replaceChildren(
      element("strong", link_to(row, row.implementation)),
      ` at n = ${elements(row.n)}: ${text}`
    );
    const line = values()
      .filter((one) => pick_name(one) === pick_name(row) && one[field] !== null)
      .sort((a, b) => a.n - b.n);
    const [left, top] = corner();
    const points = line.map((one) => `${left + x(one)},${top + y(one)}`).join(" ");
    canvas.querySelector("svg").append(shape("polyline", { class: "hovered", points }));
  }
  canvas.onpointermove = (event) => {
    if (!canvas.view) return;
    const box = canvas.querySelector("svg").getBoundingClientRect();
    const [left, top] = corner();
    read.set(nearest(sizes, canvas.view.scale("x").invert(event.clientX - box.left - left)));
    const down = event.clientY - box.top - top;
    const lines = at_size();
    name_line(lines.sort((a, b) => Math.abs(y(a) - down) - Math.abs(y(b) - down))[0]);
  };
  canvas.onpointerleave = () => {
    name_line(undefined);
    read.settle("replaceState");
  };
  canvas.onclick = (event) => {
    canvas.onpointermove(event);
    if (named !== undefined) read.pick(named);
  };
  canvas.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Enter" && named !== undefined) return read.pick(named);
    if (step === undefined || !canvas.view) return undefined;
    event.preventDefault();
    const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (sideways) read.set(sizes[sizes.indexOf(read.n()) + step] ?? read.n());
    const lines = at_size();
    const before = lines.findIndex((row) => named && pick_name(row) === pick_name(named));
    const to = sideways ? Math.max(before, 0) : before + step;
    return name_line(lines[Math.min(Math.max(to, 0), lines.length - 1)]);
  };
}

function counted_part(operation, mine) {
  const key = operation.counted_key;
  const values = () => rows_of("counts", key, mine);
  if (values().length === 0) return null;
  const note = "Counted on the emulated backend, where every access is seen and nothing is " +
    `timed: ${key_in_words(key)}.`;
  return fold("Counted, rung by rung", figures(figure({ name: "counts", note, values })));
}
