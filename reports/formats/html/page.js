"use strict";
// Draws report.html from the data inside it. Foreign text reaches the page through textContent, and
// figures as values of fields.
(() => {
  const report = JSON.parse(document.getElementById("report").textContent);
  const KEY = [
    "operation", "operator", "dtype", "n", "distribution", "bins", "offset", "devices", "provider",
    "rung", "backend", "contract", "cache"
  ];
  const OVER_DEVICES = report.has_spread_rows;
  const HANDWRITTEN = "handwritten";

  // --- Elements and text

  const by_id = (id) => document.getElementById(id);

  // parts: texts, nodes, lists of them, and objects of properties and attributes.
  function element(name, ...parts) {
    const made = document.createElement(name);
    for (const part of parts.flat(Infinity)) {
      if (typeof part === "string" || part instanceof Node) made.append(part);
      else
        for (const [key, value] of Object.entries(part ?? {})) {
          if (key in made) made[key] = value;
          else made.setAttribute(key, value);
        }
    }
    return made;
  }
  const fold = (title, ...parts) => element("details", element("summary", title), parts);

  // The Markdown that the report's sentences use: `code`, **strong**, *emphasis*, <br>, and &#60;
  // for a character that would be markup.
  function sentence(markdown, into = document.createDocumentFragment()) {
    const plain = (text) =>
      text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    for (const part of markdown.split(/(`[^`]*`|\*\*[^*]+\*\*|\*[^*]+\*|<br>)/)) {
      if (part === "<br>") into.append(element("br"));
      else if (/^`.*`$/.test(part)) into.append(element("code", part.slice(1, -1)));
      else if (/^\*\*.+\*\*$/.test(part))
        sentence(part.slice(2, -2), into.appendChild(element("strong")));
      else if (/^\*.+\*$/.test(part)) sentence(part.slice(1, -1), into.appendChild(element("em")));
      else into.append(plain(part));
    }
    return into;
  }

  // Paragraphs and lists of such sentences.
  function paragraphs(markdown) {
    const blocks = markdown.split(/\n\n+/).map((block) => block.split("\n").filter((line) => line));
    return blocks
      .filter((lines) => lines.length > 0)
      .map((lines) =>
        lines.every((line) => line.startsWith("- "))
          ? element("ul", lines.map((line) => element("li", sentence(line.slice(2)))))
          : element("p", sentence(lines.join(" ")))
      );
  }

  // columns: {title, number}. A cell is text, or a node.
  function table(caption, columns, rows) {
    const cell = (name, column, value, more) =>
      element(name, { className: column.number ? "number" : "" }, more, value);
    const whole = element(
      "table",
      caption ? element("caption", caption) : null,
      element(
        "thead",
        element("tr", columns.map((column) => cell("th", column, column.title, { scope: "col" })))
      ),
      element(
        "tbody",
        rows.map((row) =>
          element(
            "tr",
            { className: row.className ?? "" },
            columns.map((column, c) =>
              c === 0
                ? cell("th", column, row[c], { scope: "row", className: "key" })
                : cell("td", column, row[c])
            )
          )
        )
      )
    );
    const label = whole.caption?.textContent || "table";
    return element(
      "div",
      { className: "scroll", tabIndex: 0, role: "group", "aria-label": label },
      whole
    );
  }

  // --- Numbers, as report.md writes them

  const grouped = (value) => Math.round(value).toLocaleString("en-US");
  function digits(value) {
    if (value === 0) return "0";
    if (value < 0.9995) return String(Number(value.toPrecision(3)));
    if (value < 9.995) return value.toFixed(2);
    if (value < 99.95) return value.toFixed(1);
    return grouped(value);
  }
  function duration(us, like = us) {
    const [unit, scale] =
      like < 0.9995
        ? ["ns", 1e3]
        : like < 999.5
          ? ["us", 1]
          : like < 999.5e3
            ? ["ms", 1e-3]
            : ["s", 1e-6];
    return { number: digits(us * scale), unit };
  }
  function elements(n) {
    const power = Math.round(Math.log2(n));
    return n >= 1024 && 2 ** power === n
      ? "2" + [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")
      : grouped(n);
  }
  function ratio_digits(value) {
    if (value < 0.1 || value >= 2) return digits(value);
    let text = value.toFixed(3);
    for (let places = 4; places <= 6 && value !== 1 && Number(text) === 1; ++places)
      text = value.toFixed(places);
    return text;
  }
  const is_there = (value) => value !== null && value !== undefined;
  const percent = (value) => (is_there(value) ? `${digits(value)} %` : "");
  const time_text = (row) => {
    if (row.time === null) return "";
    const of = (us) => duration(us, row.time).number;
    const between = `(${of(row.time_low)} to ${of(row.time_high)})`;
    return `${of(row.time)} ${duration(row.time).unit} ${between}`;
  };
  const interval = (row, name) => {
    if (!is_there(row[name])) return "";
    const between = `(${ratio_digits(row[name + "_low"])} to ${ratio_digits(row[name + "_high"])})`;
    return row[name + "_verdict"] === "no difference shown"
      ? `no difference shown ${between}`
      : `${ratio_digits(row[name])}x ${between}`;
  };
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
  const nearest = (sizes, n) =>
    sizes.reduce(
      (best, size) => (Math.abs(Math.log(size / n)) < Math.abs(Math.log(best / n)) ? size : best),
      sizes[0] ?? null
    );

  // --- Rows

  let rows = []; // of the flat table

  async function unpacked(id) {
    const bytes = Uint8Array.from(atob(by_id(id).textContent), (c) => c.charCodeAt(0));
    return new Response(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
    ).text();
  }

  async function unpack() {
    const packed = Object.entries(JSON.parse(await unpacked("cells")));
    const none = ["time", "bandwidth", "vs_fastest_library", "ceiling", "counted_n", ...KEY];
    rows = (packed[0]?.[1].values ?? []).map(() =>
      Object.fromEntries(none.map((name) => [name, null]))
    );
    for (const [name, { words, values }] of packed)
      values.forEach(
        (value, r) =>
          (rows[r][name] = words !== null && typeof value === "number" ? words[value] : value)
      );
  }

  const ROLES = {
    "hand-written": "other hand-written",
    library: "library",
    "best hand-written": "best hand-written",
    "pick 1": "your first pick",
    "pick 2": "your second pick"
  };
  const rank = (row) => Object.keys(ROLES).indexOf(row.role);

  // The rows that a figure takes of these for a key: as figure_rows() in figures.cpp.
  function rows_of(name, key, among) {
    const { n } = report.figures[name].usermeta;
    if (n === "widest") {
      const at = (size) => rows_of_size(name, { ...key, n: size }, among);
      const sizes = values_of("n", among).sort((a, b) => b - a);
      return sizes.map(at).reduce((most, these) => (these.length > most.length ? these : most), []);
    }
    return rows_of_size(name, key, among);
  }

  function rows_of_size(name, key, among) {
    const { across = [], where = {}, needs = [] } = report.figures[name].usermeta;
    const fits = (row) =>
      Object.entries(where).every(([column, allowed]) => allowed.includes(row[column])) &&
      KEY.every(
        (column) =>
          column in where || across.includes(column) || row[column] === (key[column] ?? null)
      ) &&
      needs.every((column) => row[column] !== null && row[column] !== undefined);
    return picked(among.filter(fits)).sort(
      (a, b) => rank(a) - rank(b) || a.place - b.place || a.n - b.n
    );
  }

  // A picked rung has a colour of its own.
  function picked(these) {
    return these.map((row) => {
      const at = state.picks.indexOf(pick_name(row));
      return at < 0 ? row : { ...row, role: `pick ${at + 1}` };
    });
  }
  const pick_name = (row) => `${row.operation}/${row.provider}/${row.rung}`;

  // --- State: in the hash of the address

  const FILTERS = [
    ["operation", "operation"],
    ["operator", "operator"],
    ["dtype", "type"],
    ["contract", "time until"],
    ["cache", "cache"],
    ["distribution", "input"],
    ["bins", "bins"],
    ["offset", "displaced by"],
    ["backend", "ran on"],
    ["n", "elements, n"]
  ];
  const state = { filters: {}, picks: [] };

  function read_hash() {
    const given = new URLSearchParams(location.hash.slice(1));
    state.filters = {};
    for (const [name] of FILTERS) if (given.has(name)) state.filters[name] = given.get(name);
    state.picks = given.getAll("pick").slice(0, 2);
  }
  function write_hash() {
    const given = new URLSearchParams(state.filters);
    for (const pick of state.picks) given.append("pick", pick);
    history.replaceState(null, "", "#" + given);
  }

  const values_of = (name, among) => [
    ...new Set(among.map((row) => row[name]).filter((value) => value !== null))
  ];

  // What a section shows: for each key column the filter's value where the operation has it with
  // all that was chosen before, otherwise its usual value.
  function key_of(operation, timed) {
    let among = timed;
    const key = { operation: operation.name, devices: operation.key.devices };
    for (const name of [
      "backend", "contract", "cache", "operator", "dtype", "distribution", "bins", "offset"
    ]) {
      const there = [...new Set(among.map((row) => row[name]))];
      const wanted = there.find((value) => value !== null && String(value) === state.filters[name]);
      const most = () =>
        there
          .map((value) => [among.filter((row) => row[name] === value).length, value])
          .sort((a, b) => b[0] - a[0])[0]?.[1] ?? null;
      key[name] = wanted ?? (there.includes(operation.key[name]) ? operation.key[name] : most());
      among = among.filter((row) => row[name] === key[name]);
    }
    const sizes = values_of("n", among).sort((a, b) => a - b);
    key.n = nearest(sizes, Number(state.filters.n ?? operation.key.n));
    return { key, sizes, among };
  }

  // --- Figures

  // the interpreter: without it expressions would need eval()
  let vega, compile, expressionInterpreter;

  const theme_now = () => document.documentElement.dataset.theme;

  // At once, so that printing can wait for it. tune(specification): changes for this place on the
  // page.
  function draw(canvas, name, values, tune, theme = theme_now()) {
    const specification = structuredClone(report.figures[name]);
    specification.data.values = values;
    specification.config = report.themes[theme];
    const width = Math.max(260, canvas.clientWidth);
    const { panels } = specification.usermeta ?? {};
    if (panels === undefined) specification.width = width;
    else
      specification.spec.width = Math.max(
        50,
        Math.floor((width - 165) / panels) - specification.spacing
      );
    for (const param of specification.params ?? []) {
      if (param.name === "wide") param.value = width > 500;
    }
    // the readout names the lines
    if (width < 400)
      specification.layer = specification.layer?.filter((layer) => !layer.name?.startsWith("end_"));
    tune?.(specification);
    const compiled = compile(specification, { logger: vega.logger(vega.Warn) }).spec;
    if (panels === undefined) compiled.autosize = { type: "fit-x", contains: "padding" };
    canvas.view?.finalize();
    const view = new vega.View(vega.parse(compiled, null, { ast: true }), {
      expr: expressionInterpreter,
      renderer: "svg",
      logLevel: vega.Warn,
      hover: false
    });
    view.initialize(canvas).run();
    canvas.view = view;
    // one picture to a screen reader: the readout has its numbers
    canvas.querySelector("svg").setAttribute("aria-hidden", "true");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", specification.description);
    canvas.dataset.drawn = theme;
  }
  // Figures are drawn when they come near the window, and all before printing.
  const waiting = new Map(); // canvas -> draws it
  const watcher = new IntersectionObserver(
    (entries) =>
      entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw_now(entry.target)),
    { rootMargin: "300px" }
  );
  function draw_now(canvas) {
    const job = waiting.get(canvas);
    if (job === undefined) return;
    waiting.delete(canvas);
    watcher.unobserve(canvas);
    job();
  }
  const jobs = new Map(); // canvas -> draws it anew, as long as it is on the page
  function draw_when_seen(canvas, job) {
    jobs.set(canvas, job);
    waiting.set(canvas, job);
    watcher.unobserve(canvas);
    watcher.observe(canvas);
  }
  function redraw_all() {
    for (const [canvas, job] of jobs) draw_when_seen(canvas, job);
  }

  function figure(name, title, note, values, tune) {
    const canvas = element("div", { className: "canvas", "data-figure": name });
    const made = element(
      "figure",
      element("figcaption", element("h3", title), note ? element("p", note) : null),
      canvas
    );
    draw_when_seen(canvas, () => draw(canvas, name, values(), tune));
    return { made, canvas };
  }
  const figures = (...parts) => element("div", { className: "figures" }, parts);

  // The mark of a role in the legend and in tables: shape, dash and colour.
  function mark(role) {
    const svg = by_id("marks").content.querySelector(`[data-role="${role}"]`).cloneNode(true);
    svg.style.color = report.themes.light.range.category[svg.dataset.color];
    return svg;
  }
  // Not that of the answer, which has a column of its own.
  const remarks = (row) =>
    row.flags
      .split(" ")
      .filter((flag) => flag !== "unbounded")
      .map(words)
      .join(", ");

  // --- First screen

  function lead() {
    by_id("lead").replaceChildren(sentence(report.lead));
    for (const { what, why } of report.warnings)
      by_id("warnings").append(
        element(
          "p",
          { className: "warning", role: "alert" },
          element("strong", `${what}.`),
          ` ${why}`
        )
      );
  }

  function first_screen() {
    by_id("kicker").textContent =
      `Kernel Ladder · ${report.date.slice(0, 10)} · run ${report.short_id}`;
    lead();
    by_id("counts").replaceChildren(
      `${grouped(report.rows)} ${report.rows === 1 ? "row" : "rows"}: `,
      sentence(report.verdicts),
      ". A row is one implementation on one input. Only a right answer has a time. In brackets: " +
      "95 % confidence intervals."
    );
    for (const operation of report.operations) {
      const timed = operation.standing !== "";
      const [name, key, tune] = timed
        ? ["ladder", operation.key, compact]
        : ["counts", operation.counted_key, first_panel];
      const values = () => rows_of(name, key, rows);
      if (!timed && operation.elsewhere.length === 0 && values().length === 0) continue;
      const canvas = element("div", { className: "canvas", "data-figure": name });
      draw_when_seen(canvas, () => draw(canvas, name, values(), tune));
      by_id("ladders").append(
        element(
          "article",
          { id: `ladder-${operation.name}` },
          element(
            "h2",
            element(
              "a",
              { href: `#operation=${encodeURIComponent(operation.name)}` },
              operation.name
            )
          ),
          timed ? element("p", sentence(operation.standing)) : null,
          canvas,
          element(
            "p",
            { className: "faint" },
            timed
              ? sentence(operation.input)
              : "Bytes moved, as a multiple of the bytes that must move. Counted on the emulated " +
                `backend: ${key_in_words(key)}.`
          )
        )
      );
    }
  }
  function compact(specification) {
    specification.height.step = 17;
  }

  function first_panel(specification) {
    const fold = specification.transform.find((one) => one.fold !== undefined);
    fold.fold = fold.fold.slice(0, 1);
    specification.spec.width +=
      (specification.usermeta.panels - 1) * (specification.spec.width + specification.spacing);
  }

  function key_in_words(key) {
    return [
      key.operator,
      key.dtype,
      is_there(key.n) && `n = ${elements(key.n)}`,
      key.distribution && `input ${key.distribution}`,
      key.bins && `${key.bins} bins`,
      key.offset && `displaced by ${key.offset}`,
      key.contract &&
        (key.contract === "host_result"
          ? "until the host holds the result"
          : "until the result is in the GPU's memory"),
      key.cache && `${key.cache} cache`,
      key.devices && `over ${key.devices} device${key.devices === 1 ? "" : "s"}`
    ]
      .filter((part) => part)
      .map(words)
      .join(", ");
  }

  function legend() {
    const roles = ["best hand-written", "hand-written", "library"].filter((role) =>
      rows.some((row) => row.role === role)
    );
    const names = roles.includes("best hand-written") ? ROLES : {};
    by_id("legend").replaceChildren(
      ...roles.map((role) => element("li", mark(role), names[role] ?? role)),
      ...state.picks.map((pick, i) =>
        element("li", mark(`pick ${i + 1}`), `${pick.split("/").pop()} (picked)`)
      )
    );
  }

  // --- Filters

  function filters() {
    const bar = by_id("filters");
    const timed = rows.filter((row) => row.contract !== null);
    const of_operation = (timed.length > 0 ? timed : rows).filter(
      (row) => row.operation === (state.filters.operation ?? row.operation)
    );
    const focused = document.activeElement?.dataset?.filter;
    bar.replaceChildren();
    for (const [name, title] of FILTERS) {
      const there =
        name === "operation"
          ? report.operations.map((one) => one.name)
          : values_of(name, of_operation);
      if (typeof there[0] === "number") there.sort((a, b) => a - b);
      if (there.length < 2 && !(name in state.filters)) continue;
      const option = (value, text) => element("option", { value: String(value) }, text);
      const select = element(
        "select",
        { "data-filter": name },
        option("", name === "operation" ? "all" : "usual"),
        there.map((value) => option(value, name === "n" ? elements(value) : words(value)))
      );
      select.value = there.map(String).find((value) => value === state.filters[name]) ?? "";
      select.addEventListener("change", () => {
        if (select.value === "") delete state.filters[name];
        else state.filters[name] = select.value;
        changed();
      });
      bar.append(element("label", title, select));
    }
    const reset = element("button", { type: "button", "data-filter": "reset" }, "Reset");
    reset.disabled = Object.keys(state.filters).length === 0 && state.picks.length === 0;
    reset.addEventListener("click", () => {
      state.filters = {};
      state.picks = [];
      changed();
    });
    bar.append(reset);
    if (focused) bar.querySelector(`[data-filter="${focused}"]`)?.focus();
  }

  function changed() {
    write_hash();
    filters();
    legend();
    sections();
  }

  // --- A section for each operation

  function sections() {
    const shown = report.operations.filter(
      (operation) => (state.filters.operation ?? operation.name) === operation.name
    );
    by_id("sections").replaceChildren(
      ...(shown.length > 0 ? shown : report.operations).map(section)
    );
    for (const canvas of [...jobs.keys()].filter((one) => !one.isConnected)) {
      jobs.delete(canvas);
      waiting.delete(canvas);
      watcher.unobserve(canvas);
      canvas.view?.finalize();
    }
  }

  function section(operation) {
    const mine = rows.filter((row) => row.operation === operation.name);
    const timed = mine.filter((row) => row.contract !== null);
    return element(
      "section",
      { id: `section-${operation.name}`, "aria-label": operation.name },
      element("h2", operation.name),
      operation.elsewhere.map(({ title, standing, rows: theirs }) => [
        element("p", { className: "warning" }, sentence(`**${title}.** ${standing}`)),
        figures(figure("ladder", "Published ladder", "Not of this run.", () => picked(theirs)).made)
      ]),
      timed.length > 0 ? timed_part(operation, mine, timed) : null,
      counted_part(operation, mine, timed),
      why_part(operation),
      folded_table(
        "All timed rows",
        timed,
        [
          "operator", "dtype", "n", "distribution", "bins", "offset", "devices", "contract",
          "cache", "verdict", "time", "bandwidth", "percent_of_ceiling", "vs_one_device",
          "vs_fastest_library", "vs_same_promise", "vs_followed", "vs_first_rung",
          "error_relative", "flags", "reason"
        ]
      ),
      folded_table(
        "All counted rows",
        mine.filter((row) => row.contract === null),
        [
          "operator", "dtype", "n", "distribution", "bins", "offset", "devices", "verdict",
          "bytes_over_minimum", "sectors_per_load", "sectors_used", "active_lanes",
          "barriers_per_thread", "peer_load_bytes", "peer_store_bytes", "launches", "atomics",
          "atomic_contention", "wavefronts_per_shared_request", "steps", "work", "lost_counts",
          "reason",
          ...report.counters.map(([name]) => name) // one that has come since
        ]
      )
    );
  }

  function timed_part(operation, mine, timed) {
    const { key, sizes, among } = key_of(operation, timed);
    const unmet = FILTERS.map(([name]) => name).filter(
      (name) =>
        name in state.filters &&
        name !== "operation" &&
        name !== "n" &&
        String(key[name]) !== state.filters[name]
    );
    const shown = element(
      "p",
      { className: "faint" },
      `Shown: ${key_in_words({ ...key, n: null })}.`,
      unmet.length > 0
        ? ` It was not run for ${unmet.map((name) => words(state.filters[name])).join(", ")}.`
        : ""
    );
    const read = readout(operation, key, sizes, among);
    const here = () => ({ ...key, n: read.n() });
    const grid = figures();
    const add = (name, note, tune) => {
      const { title, least = {}, operations } = report.figures[name].usermeta;
      if (operations !== undefined && !operations.includes(operation.name)) return [];
      const values = () => rows_of(name, here(), mine);
      const found = values();
      if (
        found.length === 0 ||
        Object.entries(least).some(([column, many]) => values_of(column, found).length < many)
      )
        return [];
      const { made, canvas } = figure(name, title, note, values, tune);
      grid.append(made);
      return [canvas];
    };
    const widest_note = (note, name) => {
      const row = rows_of(name, here(), mine)[0];
      return row === undefined ? note : `${note}, at n = ${elements(row.n)}.`;
    };
    const choose = (specification) => {
      for (const param of specification.params ?? [])
        if (param.name === "chosen") param.value = read.n();
    };
    const over_n = [
      add(
        "bandwidth",
        "Linear from 0. The dotted line is the ceiling: a loop that only moves memory.",
        choose
      ),
      add(
        "ratio",
        "Above 1: faster. The band is the 95 % interval; a hollow point shows no difference. " +
        "Rungs slower than 1/16 are outside the picture. The fastest library at a size has no " +
        "point at that size.",
        choose
      )
    ].flat();
    const at_n = [
      add("ladder", "At the size chosen above, with 95 % intervals."),
      add("why", why_note(mine, key)),
      add("inputs", widest_note("A shape for each distribution", "inputs")),
      add("lost", widest_note("The kernel is wrong on purpose", "lost")),
      add("error", "At the size chosen above; further left is more precise."),
      add(
        "contracts",
        "Thin and dark: until the result is in the GPU's memory. Wide and pale: until the host " +
        "holds it. At the size chosen above."
      )
    ].flat();
    add(
      "wins",
      "The best kernel at each operator, type and size. ▲: faster than the fastest library. ▼: " +
      "slower. =: no difference shown. Blank: it was not run there."
    );
    for (const canvas of over_n) point_at(canvas, read, sizes);
    let later;
    read.listen((n) => {
      for (const canvas of over_n) canvas.view?.signal("chosen", n).run();
      clearTimeout(later);
      later = setTimeout(
        () => at_n.forEach((canvas) => draw_when_seen(canvas, jobs.get(canvas))),
        120
      );
    });
    return [shown, read.made, grid];
  }

  function why_note(mine, key) {
    const row = mine.find(
      (one) => one.counted_n && one.operator === key.operator && one.dtype === key.dtype
    );
    return row === undefined
      ? ""
      : `Counted without a GPU, at n = ${elements(row.counted_n)}. Bytes moved: 1 is the least ` +
        "that any kernel can move. Sectors used: of 32 bytes each. Lanes active: of the 32 of a " +
        "warp.";
  }
  // Pointer and tap on a figure over n choose the nearest size.
  function point_at(canvas, read, sizes) {
    canvas.classList.add("pointed");
    const choose = (event) => {
      if (!canvas.view) return;
      const box = canvas.querySelector("svg").getBoundingClientRect();
      const x = event.clientX - box.left - canvas.view.origin()[0];
      read.set(nearest(sizes, canvas.view.scale("x").invert(x)));
    };
    canvas.addEventListener("pointermove", choose);
    canvas.addEventListener("click", choose);
  }

  // Every rung at one size. The slider, the figures and the filter of n drive it.
  function readout(operation, key, sizes, among) {
    const slider = element("input", {
      type: "range",
      min: 0,
      max: Math.max(0, sizes.length - 1),
      step: 1,
      value: Math.max(0, sizes.indexOf(key.n)),
      "aria-label": `${operation.name}: number of elements`
    });
    const output = element("output");
    const place = element("div");
    const listeners = [];
    const follows = new Map(
      operation.cards.map((card) => [
        pick_name({ ...card, operation: operation.name }),
        card.follows
      ])
    );
    const pick = (row) => {
      const box = element("input", {
        type: "checkbox",
        className: "pick",
        checked: row.role.startsWith("pick"),
        "aria-label": `Highlight ${row.implementation}`
      });
      box.addEventListener("change", () => {
        const name = pick_name(row);
        state.picks = box.checked
          ? [...state.picks, name].slice(-2)
          : state.picks.filter((one) => one !== name);
        write_hash();
        legend();
        redraw_all();
        show();
      });
      return box;
    };
    const COLUMNS = [
      {
        title: "rung",
        text: (row) => [
          element("span", mark(row.role), row.implementation),
          OVER_DEVICES && row.devices === null ? " (one device)" : ""
        ]
      },
      {
        title: "time (95 % interval)",
        number: true,
        text: (row) => (row.time === null ? verdict_text(row) : time_text(row))
      },
      {
        title: "GB/s",
        number: true,
        text: (row) => (is_there(row.bandwidth) ? digits(row.bandwidth) : "")
      },
      { title: "x one device", number: true, text: (row) => interval(row, "vs_one_device") },
      { title: "of ceiling", number: true, text: (row) => percent(row.percent_of_ceiling) },
      {
        title: "vs fastest library",
        number: true,
        text: (row) =>
          row.time !== null && row.vs_fastest_library === null && row.provider !== HANDWRITTEN
            ? "is the fastest library"
            : interval(row, "vs_fastest_library")
      },
      { title: "vs same promise", number: true, text: (row) => interval(row, "vs_same_promise") },
      {
        title: "vs the rung it follows",
        number: true,
        text: (row) =>
          is_there(row.vs_followed)
            ? `${interval(row, "vs_followed")}, ${follows.get(pick_name(row)) ?? ""}`
            : ""
      },
      { title: "remarks", text: remarks },
      { title: "pick", text: pick }
    ];
    const n = () => sizes[Number(slider.value)];
    const show = () => {
      slider.setAttribute("aria-valuetext", `n = ${grouped(n())}`);
      output.textContent = `n = ${elements(n())}`;
      const these = picked(among.filter((row) => row.n === n())).sort(
        (a, b) => (a.devices ?? 0) - (b.devices ?? 0) || a.place - b.place
      );
      const fastest = Math.min(...these.map((row) => row.time ?? Infinity));
      const shown = COLUMNS.filter(
        ({ title }) =>
          (title !== "x one device" || OVER_DEVICES) &&
          (title !== "vs same promise" || these.some((row) => is_there(row.vs_same_promise)))
      );
      const lines = these.map((row) =>
        Object.assign(
          shown.map(({ text }) => text(row)),
          { className: row.time === fastest ? "best" : "" }
        )
      );
      const caption = `${operation.name}: ${key_in_words({ ...key, n: n() })}. Times with their ` +
        "95 % interval; the fastest is bold.";
      place.replaceChildren(table(caption, shown, lines));
    };
    const set = (size) => {
      if (size === n()) return;
      slider.value = sizes.indexOf(size);
      moved();
    };
    const moved = () => {
      show();
      listeners.forEach((listener) => listener(n()));
    };
    slider.addEventListener("input", moved);
    slider.addEventListener("change", () => {
      state.filters.n = String(n());
      write_hash();
      filters();
    });
    show();
    const made = element(
      "div",
      { className: "readout", "data-readout": operation.name },
      element("div", { className: "control" }, element("span", "Every rung at"), output, slider),
      place
    );
    return { made, n, set, listen: (listener) => listeners.push(listener) };
  }

  function counted_part(operation, mine, timed) {
    const key = operation.counted_key;
    const values = () => rows_of("counts", key, mine);
    if (values().length === 0) return null;
    const note = "Counted on the emulated backend, where every access is seen and nothing is " +
      `timed: ${key_in_words(key)}.`;
    const grid = figures(
      figure("counts", report.figures.counts.usermeta.title, note, values).made
    );
    return timed.length > 0 && operation.standing !== ""
      ? fold("Counted, rung by rung", grid)
      : grid;
  }

  function why_part({ steps, cards }) {
    const card_of = (card) =>
      element(
        "article",
        { className: "card" },
        element(
          "h3",
          card.provider === HANDWRITTEN ? card.rung : `${card.rung} (${card.provider})`
        ),
        element(
          "dl",
          report.card_titles
            .filter(([field]) => field !== "rung" && field !== "provider" && card[field])
            .map(([field, title]) => [element("dt", title), element("dd", card[field])])
        )
      );
    return [
      steps.length > 0 &&
        fold(
          "What changes from rung to rung",
          { open: true },
          element("ul", steps.map((step) => element("li", sentence(step))))
        ),
      cards.length > 0 &&
        fold(
          `Every rung explained (${cards.length})`,
          element("div", { className: "cards" }, cards.map(card_of))
        )
    ];
  }

  // A table that is made when it is opened.
  function folded_table(title, these, names) {
    if (these.length === 0) return null;
    const text = {
      time: time_text,
      percent_of_ceiling: (row) => percent(row.percent_of_ceiling),
      verdict: verdict_text,
      n: (row) => elements(row.n)
    };
    const says = (row, name) =>
      is_there(row[name]) && row[name] !== "" && !(name === "offset" && row[name] === 0);
    const show = (row, name) => {
      const value = row[name];
      if (name in text) return text[name](row);
      if (name.startsWith("vs_")) return interval(row, name);
      if (typeof value !== "number") return words(value ?? "");
      return Number.isInteger(value) ? grouped(value) : digits(value);
    };
    const details = fold(`${title} (${grouped(these.length)})`);
    details.addEventListener("toggle", () => {
      if (!details.open || details.childElementCount > 1) return;
      const used = [...new Set(names)].filter((name) => these.some((row) => says(row, name)));
      const is_number = (name) => these.some((row) => typeof row[name] === "number");
      details.append(
        table(
          "",
          [
            { title: "rung" },
            ...used.map((name) => ({ title: words(name), number: is_number(name) }))
          ],
          these.map((row) => [row.implementation, ...used.map((name) => show(row, name))])
        )
      );
    });
    return details;
  }

  // A section whose words the report brings along: a picture beside its first table, and of sets
  // side by side the other tables folded.
  function told({ id, title, text, verbatim, after, picture, tables, folded }, beside) {
    const cell = (value, { title }) =>
      title === "evidence" ? fold("evidence", paragraphs(value)) : sentence(value);
    const made = tables.map(({ caption, columns, rows: lines }) =>
      table(
        caption && sentence(caption),
        columns,
        lines.map((line) => line.map((value, c) => cell(value, columns[c])))
      )
    );
    const drawn =
      picture && figure(picture.name, picture.title, picture.note, () => picture.rows).made;
    return element(
      "section",
      id ? { id, "aria-label": title } : {},
      element("h2", sentence(title)),
      paragraphs(text),
      drawn && figures(drawn, beside ? made.shift() : null),
      made.map((one, i) =>
        beside && (drawn || i > 0) ? fold(sentence(tables.at(i - made.length).caption), one) : one
      ),
      Object.entries(folded).map(([name, its]) => fold(name, paragraphs(its))),
      verbatim ? element("pre", { tabIndex: 0 }, verbatim) : null,
      paragraphs(after)
    );
  }

  // --- Buttons

  function citation() {
    by_id("bibtex").textContent = report.bibtex;
    const copy = () =>
      navigator.clipboard?.writeText(report.bibtex).then(
        () => (by_id("copied").textContent = "Copied."),
        () => (by_id("copied").textContent = "The browser did not allow copying: select the text.")
      );
    by_id("cite").addEventListener("click", () => {
      by_id("copied").textContent = "";
      by_id("citation").showModal();
      copy();
    });
    by_id("copy").addEventListener("click", copy);
    by_id("close").addEventListener("click", () => by_id("citation").close());
  }

  const system_is_dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen_theme = "auto";
  function apply_theme() {
    const before = theme_now();
    document.documentElement.dataset.theme =
      chosen_theme === "auto" ? (system_is_dark.matches ? "dark" : "light") : chosen_theme;
    by_id("theme").textContent = `Theme: ${chosen_theme}`;
    if (before !== theme_now()) redraw_all();
  }
  function themes() {
    by_id("theme").addEventListener("click", () => {
      chosen_theme = { auto: "light", light: "dark", dark: "auto" }[chosen_theme];
      apply_theme();
    });
    system_is_dark.addEventListener("change", apply_theme);
    apply_theme();
  }

  // Paper is white: all figures are drawn for it, and back again.
  function before_print() {
    document.documentElement.dataset.theme = "light";
    for (const [canvas, job] of jobs) {
      if (!canvas.isConnected || canvas.clientWidth === 0) continue; // folded away
      waiting.delete(canvas);
      watcher.unobserve(canvas);
      job();
    }
  }
  const printing = matchMedia("print");
  window.addEventListener("beforeprint", before_print);
  printing.addEventListener("change", (event) => (event.matches ? before_print() : apply_theme()));
  window.addEventListener("afterprint", apply_theme);

  let width_was = innerWidth;
  window.addEventListener("resize", () => {
    if (innerWidth === width_was) return;
    width_was = innerWidth;
    redraw_all();
  });

  // Several result sets side by side, which have no filters.
  function side_by_side() {
    by_id("kicker").textContent = "Kernel Ladder · several result sets";
    lead();
    by_id("counts").replaceChildren(sentence(report.note));
    for (const id of ["filters", "cite", "legend", "ladders", "citation"]) by_id(id).remove();
    document.querySelector(".skip").hash = "#main";
    by_id("main").append(...report.sections.map((one) => told(one, true)));
    document.documentElement.dataset.ready = "yes";
  }

  async function start() {
    // the page's policy knows its hash
    document.head.append(element("script", { textContent: await unpacked("vega") }));
    ({ vega, compile, expressionInterpreter } = window.ladderVega);
    themes();
    if (report.sections !== undefined) return side_by_side();
    await unpack();
    read_hash();
    first_screen();
    by_id("main").append(
      element("div", { id: "sections" }),
      ...report.below.map((one) => told(one, false))
    );
    filters();
    legend();
    sections();
    citation();
    window.addEventListener("hashchange", () => {
      read_hash();
      changed();
      by_id("main").scrollIntoView();
    });
    document.documentElement.dataset.ready = "yes";
  }
  start();
})();
