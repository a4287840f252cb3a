"use strict";
// Draws report.html from the data inside it. Foreign text reaches the page through textContent, and
// figures as values of fields.
(() => {
  const report = JSON.parse(document.getElementById("report").textContent);
  const KEY = [
    "operation", "operator", "dtype", "n", "distribution", "bins", "offset", "provider", "rung",
    "backend", "contract", "cache"
  ];
  const OVER_DEVICES = report.has_spread_rows;
  if (OVER_DEVICES) KEY.push("devices");
  const ROLES = ["best hand-written", "library", "hand-written", "pick 1", "pick 2"];
  const HANDWRITTEN = "handwritten";

  // --- Elements and text

  const by_id = (id) => document.getElementById(id);

  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in made && key !== "list") made[key] = value;
      else made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  // The Markdown that the report's sentences use: `code`, **strong**, *emphasis*, <br>, and &#60;
  // for a character that would be markup.
  function sentence(markdown, into = document.createDocumentFragment()) {
    const plain = (text) =>
      text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    for (const part of markdown.split(/(`[^`]*`|\*\*[^*]+\*\*|\*[^*]+\*|<br>)/)) {
      if (part === "<br>") into.append(element("br"));
      else if (/^`.*`$/.test(part))
        into.append(element("code", { textContent: part.slice(1, -1) }));
      else if (/^\*\*.+\*\*$/.test(part))
        sentence(part.slice(2, -2), into.appendChild(element("strong")));
      else if (/^\*.+\*$/.test(part)) sentence(part.slice(1, -1), into.appendChild(element("em")));
      else into.append(plain(part));
    }
    return into;
  }

  // Paragraphs and lists of such sentences.
  function paragraphs(markdown) {
    const all = document.createDocumentFragment();
    for (const block of markdown.split(/\n\n+/)) {
      const lines = block.split("\n").filter((line) => line !== "");
      if (lines.length > 0 && lines.every((line) => line.startsWith("- ")))
        all.append(
          element("ul", {}, ...lines.map((line) => element("li", {}, sentence(line.slice(2)))))
        );
      else if (lines.length > 0) all.append(element("p", {}, sentence(lines.join(" "))));
    }
    return all;
  }

  // columns: {title, number}. A cell is text, or a node.
  function table(caption, columns, rows, properties = {}) {
    const cell = (name, column, value, extra = {}) =>
      element(
        name,
        { className: column.number ? "number" : "", ...extra },
        value instanceof Node ? value : String(value ?? "")
      );
    const head = element(
      "tr",
      {},
      ...columns.map((column) => cell("th", column, column.title, { scope: "col" }))
    );
    const body = rows.map((row) =>
      element(
        "tr",
        { className: row.className ?? "" },
        ...columns.map((column, c) =>
          cell(
            c === 0 ? "th" : "td",
            column,
            row[c],
            c === 0 ? { scope: "row", className: "key" } : {}
          )
        )
      )
    );
    const whole = element(
      "table",
      properties,
      caption && caption.textContent !== "" ? element("caption", {}, caption) : null,
      element("thead", {}, head),
      element("tbody", {}, ...body)
    );
    return element(
      "div",
      {
        className: "scroll",
        tabIndex: 0,
        role: "group",
        "aria-label": whole.caption?.textContent || "table"
      },
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
  const time_text = (row) => {
    if (row.time === null) return "";
    const of = (us) => duration(us, row.time);
    return `${of(row.time).number} ${of(row.time).unit} (${of(row.time_low).number} to ` +
      `${of(row.time_high).number})`;
  };
  const interval = (row, name) => {
    if (row[name] === null || row[name] === undefined) return "";
    const between = `(${ratio_digits(row[name + "_low"])} to ${ratio_digits(row[name + "_high"])})`;
    return row[name + "_verdict"] === "no difference shown"
      ? `no difference shown ${between}`
      : `${ratio_digits(row[name])}x ${between}`;
  };
  const unless_null = (value, text) => (value === null || value === undefined ? "" : text(value));
  const verdicts = {
    pass: "pass",
    expected_wrong: "wrong on purpose",
    skipped: "not run",
    fail: "wrong answer",
    crashed: "crashed",
    timeout: "did not end"
  };
  const verdict_text = (row) => (row.host_only ? "to the host only" : verdicts[row.verdict]);

  // --- Rows

  let rows = []; // of the flat table
  let columns = []; // their names

  async function unpacked(id) {
    const bytes = Uint8Array.from(atob(by_id(id).textContent), (c) => c.charCodeAt(0));
    return new Response(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
    ).text();
  }

  async function unpack() {
    const packed = JSON.parse(await unpacked("cells"));
    columns = Object.keys(packed);
    const first = columns[0];
    rows = first === undefined ? [] : packed[first].values.map(() => ({}));
    for (const [name, { words, values }] of Object.entries(packed))
      values.forEach(
        (value, r) =>
          (rows[r][name] = words !== null && typeof value === "number" ? words[value] : value)
      );
    for (const row of rows) for (const name of KEY) row[name] ??= null;
    for (const row of rows)
      for (const name of ["time", "bandwidth", "vs_fastest_library", "ceiling", "counted_n"])
        row[name] ??= null;
  }

  const rank = (row) =>
    ["hand-written", "library", "best hand-written", "pick 1", "pick 2"].indexOf(row.role);

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
        (column) => column in where || across.includes(column) || row[column] === key[column]
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
    ["operation", "operation", "all"],
    ["operator", "operator", "usual"],
    ["dtype", "type", "usual"],
    ["contract", "time until", "usual"],
    ["cache", "cache", "usual"],
    ["distribution", "input", "usual"],
    ["bins", "bins", "usual"],
    ["offset", "displaced by", "usual"],
    ["backend", "ran on", "usual"],
    ["n", "elements, n", "usual"]
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
    const key = { operation: operation.name };
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
    if (OVER_DEVICES) key.devices = operation.key.devices ?? null;
    const sizes = values_of("n", among).sort((a, b) => a - b);
    const wanted = Number(state.filters.n ?? operation.key.n);
    key.n = sizes.reduce(
      (best, n) => (Math.abs(Math.log(n / wanted)) < Math.abs(Math.log(best / wanted)) ? n : best),
      sizes[0] ?? null
    );
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
    const compiled = compile(specification, { logger: quiet }).spec;
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
  const quiet = {
    level: () => quiet,
    error: (...what) => console.error(...what),
    warn: (...what) => console.warn(...what),
    info: () => quiet,
    debug: () => quiet
  };

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
      {},
      element(
        "figcaption",
        {},
        element("h3", { textContent: title }),
        note ? element("p", {}, note) : null
      ),
      canvas
    );
    draw_when_seen(canvas, () => draw(canvas, name, values(), tune));
    return { made, canvas };
  }

  // --- Marks of roles in the legend and in tables: shape, dash and colour

  function mark(role) {
    const color = report.themes.light.range.category[ROLES.indexOf(role)];
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const add = (name, attributes) => {
      const part = svg.appendChild(document.createElementNS(svg.namespaceURI, name));
      for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    };
    for (const [key, value] of Object.entries({
      width: 26,
      height: 12,
      viewBox: "0 0 26 12",
      "aria-hidden": "true"
    }))
      svg.setAttribute(key, value);
    add("line", {
      x1: 0,
      y1: 6,
      x2: 26,
      y2: 6,
      stroke: color,
      "stroke-width": role === "hand-written" ? 1.4 : 2.4,
      "stroke-dasharray": role === "library" ? "6 3" : "none"
    });
    if (role === "library") add("rect", { x: 9, y: 2, width: 8, height: 8, fill: color });
    else if (role === "pick 1") add("path", { d: "M13 1 L18 10 L8 10 Z", fill: color });
    else if (role === "pick 2") add("path", { d: "M13 0 L19 6 L13 12 L7 6 Z", fill: color });
    else add("circle", { cx: 13, cy: 6, r: role === "hand-written" ? 3 : 4.2, fill: color });
    return svg;
  }
  // Not that of the answer, which has a column of its own.
  const remarks = (row) =>
    row.flags
      .split(" ")
      .filter((flag) => flag !== "unbounded")
      .map(words)
      .join(", ");
  const role_words = {
    "best hand-written": "best hand-written",
    library: "library",
    "hand-written": "other hand-written",
    "pick 1": "your first pick",
    "pick 2": "your second pick"
  };

  // --- First screen

  function lead() {
    by_id("lead").replaceChildren(sentence(report.lead));
    for (const { what, why } of report.warnings)
      by_id("warnings").append(
        element(
          "p",
          { className: "warning", role: "alert" },
          element("strong", { textContent: `${what}.` }),
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
      if (
        !timed &&
        operation.elsewhere.length === 0 &&
        rows_of("counts", operation.counted_key, rows).length === 0
      )
        continue;
      const canvas = element("div", { className: "canvas" });
      const box = element(
        "article",
        { id: `ladder-${operation.name}` },
        element(
          "h2",
          {},
          element("a", {
            href: `#operation=${encodeURIComponent(operation.name)}`,
            textContent: operation.name
          })
        )
      );
      if (timed) {
        box.append(
          element("p", {}, sentence(operation.standing)),
          canvas,
          element("p", { className: "faint" }, sentence(operation.input))
        );
        canvas.dataset.figure = "ladder";
        draw_when_seen(canvas, () =>
          draw(canvas, "ladder", rows_of("ladder", operation.key, rows), compact)
        );
      } else {
        const key = operation.counted_key;
        box.append(
          canvas,
          element(
            "p",
            { className: "faint" },
            "Bytes moved, as a multiple of the bytes that must move. Counted on the emulated " +
            `backend: ${key_in_words(key)}.`
          )
        );
        canvas.dataset.figure = "counts";
        draw_when_seen(canvas, () =>
          draw(canvas, "counts", rows_of("counts", key, rows), first_panel)
        );
      }
      by_id("ladders").append(box);
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

  const words = (text) => String(text).replaceAll("_", " ");
  function key_in_words(key) {
    const count = OVER_DEVICES ? key.devices : 0;
    const parts = [
      key.operator,
      key.dtype,
      key.n === null || key.n === undefined ? null : `n = ${elements(key.n)}`,
      key.distribution && `input ${key.distribution}`,
      key.bins && `${key.bins} bins`,
      key.offset && `displaced by ${key.offset}`,
      key.contract &&
        (key.contract === "host_result"
          ? "until the host holds the result"
          : "until the result is in the GPU's memory"),
      key.cache && `${key.cache} cache`
    ];
    if (count) parts.push(`over ${count} device${count === 1 ? "" : "s"}`);
    return parts
      .filter((part) => part)
      .map(words)
      .join(", ");
  }

  function legend() {
    const roles = ["best hand-written", "hand-written", "library"].filter((role) =>
      rows.some((row) => row.role === role)
    );
    const items = roles
      .concat(state.picks.map((_, i) => `pick ${i + 1}`))
      .map((role) =>
        element(
          "li",
          {},
          mark(role),
          role.startsWith("pick")
            ? `${state.picks[Number(role.slice(5)) - 1].split("/").pop()} (picked)`
            : role === "hand-written" && roles[0] !== "best hand-written"
              ? role
              : role_words[role]
        )
      );
    by_id("legend").replaceChildren(...items);
  }

  // --- Filters

  function filters() {
    const bar = by_id("filters");
    const among = rows.filter((row) => row.contract !== null);
    const source = among.length > 0 ? among : rows;
    const operation = state.filters.operation;
    const of_operation =
      operation === undefined ? source : source.filter((row) => row.operation === operation);
    const focused = document.activeElement?.dataset?.filter;
    bar.replaceChildren();
    for (const [name, title, usual] of FILTERS) {
      const there =
        name === "operation"
          ? report.operations.map((one) => one.name)
          : values_of(name, of_operation);
      if (name === "n" || name === "bins" || name === "offset") there.sort((a, b) => a - b);
      if (there.length < 2 && !(name in state.filters)) continue;
      const text = (value) => (name === "n" ? elements(value) : words(value));
      const select = element(
        "select",
        { "data-filter": name },
        element("option", { value: "", textContent: usual }),
        ...there.map((value) =>
          element("option", { value: String(value), textContent: text(value) })
        )
      );
      select.value = there.some((value) => String(value) === state.filters[name])
        ? state.filters[name]
        : "";
      select.addEventListener("change", () => {
        if (select.value === "") delete state.filters[name];
        else state.filters[name] = select.value;
        changed();
      });
      bar.append(element("label", {}, title, select));
    }
    const reset = element("button", {
      type: "button",
      textContent: "Reset",
      "data-filter": "reset"
    });
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
    const made = element(
      "section",
      { id: `section-${operation.name}`, "aria-label": operation.name },
      element("h2", { textContent: operation.name })
    );
    for (const elsewhere of operation.elsewhere) {
      made.append(
        element(
          "p",
          { className: "warning" },
          sentence(`**${elsewhere.title}.** ${elsewhere.standing}`)
        )
      );
      made.append(
        element(
          "div",
          { className: "figures" },
          figure("ladder", "Published ladder", "Not of this run.", () => picked(elsewhere.rows))
            .made
        )
      );
    }
    if (timed.length > 0) made.append(timed_part(operation, mine, timed));
    made.append(counted_part(operation, mine), why_part(operation), folded_tables(operation, mine));
    return made;
  }

  function timed_part(operation, mine, timed) {
    const { key, sizes, among } = key_of(operation, timed);
    const part = document.createDocumentFragment();
    const unmet = FILTERS.filter(
      ([name]) =>
        name in state.filters &&
        name !== "operation" &&
        name !== "n" &&
        String(key[name]) !== state.filters[name]
    );
    part.append(
      element(
        "p",
        { className: "faint" },
        `Shown: ${key_in_words({ ...key, n: null })}.` +
          (unmet.length > 0
            ? ` It was not run for ${unmet.map(([name]) => words(state.filters[name])).join(", ")}.`
            : "")
      )
    );
    const read = readout(operation, key, sizes, among);
    const here = () => ({ ...key, n: read.n() });
    const grid = element("div", { className: "figures" });
    const add = (name, note, tune, at = key) => {
      const { title, least = {}, operations } = report.figures[name].usermeta;
      if (operations !== undefined && !operations.includes(operation.name)) return null;
      const values = () => rows_of(name, at(), mine);
      const found = values();
      if (
        found.length === 0 ||
        Object.entries(least).some(([column, many]) => values_of(column, found).length < many)
      )
        return null;
      const one = figure(name, title, note, values, tune);
      grid.append(one.made);
      return one;
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
        choose,
        here
      ),
      add(
        "ratio",
        "Above 1: faster. The band is the 95 % interval; a hollow point shows no difference. " +
        "Rungs slower than 1/16 are outside the picture. The fastest library at a size has no " +
        "point at that size.",
        choose,
        here
      )
    ].filter((one) => one !== null);
    const at_n = [
      add("ladder", "At the size chosen above, with 95 % intervals.", undefined, here),
      add("why", why_note(mine, key), undefined, here),
      add("inputs", widest_note("A shape for each distribution", "inputs"), undefined, here),
      add("lost", widest_note("The kernel is wrong on purpose", "lost"), undefined, here),
      add("error", "At the size chosen above; further left is more precise.", undefined, here),
      add(
        "contracts",
        "Thin and dark: until the result is in the GPU's memory. Wide and pale: until the host " +
        "holds it. At the size chosen above.",
        undefined,
        here
      )
    ].filter((one) => one !== null);
    add(
      "wins",
      "The best kernel at each operator, type and size. ▲: faster than the fastest library. ▼: " +
      "slower. =: no difference shown. Blank: it was not run there.",
      undefined,
      here
    );
    for (const { canvas } of over_n) point_at(canvas, read, sizes);
    let later;
    read.listen((n) => {
      for (const { canvas } of over_n) canvas.view?.signal("chosen", n).run();
      clearTimeout(later);
      later = setTimeout(
        () => at_n.forEach(({ canvas }) => draw_when_seen(canvas, jobs.get(canvas))),
        120
      );
    });
    part.append(read.made, grid);
    return part;
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
      const n = canvas.view.scale("x").invert(x);
      read.set(
        sizes.reduce(
          (best, size) =>
            Math.abs(Math.log(size / n)) < Math.abs(Math.log(best / n)) ? size : best,
          sizes[0]
        )
      );
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
      value: Math.max(0, sizes.indexOf(key.n))
    });
    slider.setAttribute("aria-label", `${operation.name}: number of elements`);
    const output = element("output", {});
    const place = element("div");
    const listeners = [];
    const follows = new Map(
      operation.cards.map((card) => [
        pick_name({ ...card, operation: operation.name }),
        card.follows
      ])
    );
    const n = () => sizes[Number(slider.value)];
    const show = () => {
      slider.setAttribute("aria-valuetext", `n = ${grouped(n())}`);
      output.textContent = `n = ${elements(n())}`;
      const these = picked(among.filter((row) => row.n === n())).sort((a, b) => a.place - b.place);
      if (OVER_DEVICES) these.sort((a, b) => a.devices - b.devices);
      const fastest = Math.min(...these.map((row) => row.time ?? Infinity));
      const promises = these.some((row) => (row.vs_same_promise ?? null) !== null);
      const lines = these.map((row) => {
        const pick = element("input", {
          type: "checkbox",
          className: "pick",
          checked: row.role.startsWith("pick")
        });
        pick.setAttribute("aria-label", `Highlight ${row.implementation}`);
        pick.addEventListener("change", () => {
          const name = pick_name(row);
          state.picks = pick.checked
            ? [...state.picks, name].slice(-2)
            : state.picks.filter((one) => one !== name);
          write_hash();
          legend();
          redraw_all();
          show();
        });
        const line = [
          element("span", {}, mark(row.role), row.implementation),
          row.time === null ? verdict_text(row) : time_text(row),
          unless_null(row.bandwidth, digits),
          unless_null(row.percent_of_ceiling, (value) => `${digits(value)} %`),
          row.time !== null && row.vs_fastest_library === null && row.provider !== HANDWRITTEN
            ? "is the fastest library"
            : interval(row, "vs_fastest_library"),
          ...(promises ? [interval(row, "vs_same_promise")] : []),
          row.vs_followed === null || row.vs_followed === undefined
            ? ""
            : `${interval(row, "vs_followed")}, ${follows.get(pick_name(row)) ?? ""}`,
          remarks(row),
          pick
        ];
        if (OVER_DEVICES) {
          line.splice(3, 0, interval(row, "vs_one_device"));
          if (row.devices === null) line[0].append(" (one device)");
        }
        line.className = row.time === fastest ? "best" : "";
        return line;
      });
      const caption = `${operation.name}: ${key_in_words({ ...key, n: n() })}. Times with their ` +
        "95 % interval; the fastest is bold.";
      place.replaceChildren(
        table(
          caption,
          [
            { title: "rung" },
            { title: "time (95 % interval)", number: true },
            { title: "GB/s", number: true },
            ...(OVER_DEVICES ? [{ title: "x one device", number: true }] : []),
            { title: "of ceiling", number: true },
            { title: "vs fastest library", number: true },
            ...(promises ? [{ title: "vs same promise", number: true }] : []),
            { title: "vs the rung it follows", number: true },
            { title: "remarks" },
            { title: "pick" }
          ],
          lines
        )
      );
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
    const control = element(
      "div",
      { className: "control" },
      element("span", { textContent: "Every rung at" }),
      output,
      slider
    );
    return {
      made: element(
        "div",
        { className: "readout", "data-readout": operation.name },
        control,
        place
      ),
      n,
      set,
      listen: (listener) => listeners.push(listener)
    };
  }

  function counted_part(operation, mine) {
    const key = operation.counted_key;
    const values = () => rows_of("counts", key, mine);
    if (values().length === 0) return "";
    const note = "Counted on the emulated backend, where every access is seen and nothing is " +
      `timed: ${key_in_words(key)}.`;
    const grid = element(
      "div",
      { className: "figures" },
      figure("counts", report.figures.counts.usermeta.title, note, values).made
    );
    return mine.some((row) => row.contract !== null) && operation.standing !== ""
      ? element("details", {}, element("summary", { textContent: "Counted, rung by rung" }), grid)
      : grid;
  }

  function why_part(operation) {
    const part = document.createDocumentFragment();
    if (operation.steps.length > 0)
      part.append(
        element(
          "details",
          { open: true },
          element("summary", { textContent: "What changes from rung to rung" }),
          element("ul", {}, ...operation.steps.map((step) => element("li", {}, sentence(step))))
        )
      );
    const cards = operation.cards.map((card) => {
      const list = element("dl");
      for (const [field, title] of report.card_titles)
        if (field !== "rung" && field !== "provider" && card[field])
          list.append(
            element("dt", { textContent: title }),
            element("dd", { textContent: card[field] })
          );
      return element(
        "article",
        { className: "card" },
        element("h3", {
          textContent: card.provider === HANDWRITTEN ? card.rung : `${card.rung} (${card.provider})`
        }),
        list
      );
    });
    if (cards.length > 0)
      part.append(
        element(
          "details",
          {},
          element("summary", { textContent: `Every rung explained (${cards.length})` }),
          element("div", { className: "cards" }, ...cards)
        )
      );
    return part;
  }

  // A table for each backend, made when it is opened.
  function folded_tables(operation, mine) {
    const part = document.createDocumentFragment();
    const text = {
      time: time_text,
      vs_fastest_library: (row) => interval(row, "vs_fastest_library"),
      vs_same_promise: (row) => interval(row, "vs_same_promise"),
      vs_followed: (row) => interval(row, "vs_followed"),
      vs_first_rung: (row) => interval(row, "vs_first_rung"),
      percent_of_ceiling: (row) =>
        unless_null(row.percent_of_ceiling, (value) => `${digits(value)} %`),
      percent_of_datasheet: (row) =>
        unless_null(row.percent_of_datasheet, (value) => `${digits(value)} %`),
      verdict: verdict_text,
      n: (row) => elements(row.n)
    };
    const timed = [
      "operator", "dtype", "n", "distribution", "bins", "offset", "contract", "cache", "verdict",
      "time", "bandwidth", "percent_of_ceiling", "vs_fastest_library", "vs_same_promise",
      "vs_followed", "vs_first_rung", "error_relative", "flags", "reason"
    ];
    const counted = [
      "operator", "dtype", "n", "distribution", "bins", "offset", "verdict", "bytes_over_minimum",
      "sectors_per_load", "sectors_used", "active_lanes", "barriers_per_thread", "launches",
      "atomics", "atomic_contention", "wavefronts_per_shared_request", "steps", "work",
      "lost_counts", "reason"
    ];
    // a counter that has come since; peer accesses only over devices
    const peers = ["peer_load_bytes", "peer_store_bytes"];
    const known = [...counted, ...peers];
    counted.push(...report.counters.map(([name]) => name).filter((name) => !known.includes(name)));
    if (OVER_DEVICES) {
      text.vs_one_device = (row) => interval(row, "vs_one_device");
      timed.splice(6, 0, "devices");
      timed.splice(timed.indexOf("vs_fastest_library"), 0, "vs_one_device");
      counted.splice(6, 0, "devices");
      counted.splice(counted.indexOf("launches"), 0, ...peers);
    }
    const fold = (title, these, names) => {
      if (these.length === 0) return;
      const details = element(
        "details",
        {},
        element("summary", { textContent: `${title} (${grouped(these.length)})` })
      );
      details.addEventListener("toggle", () => {
        if (!details.open || details.childElementCount > 1) return;
        const used = names.filter((name) =>
          these.some(
            (row) =>
              row[name] !== null &&
              row[name] !== undefined &&
              row[name] !== "" &&
              (name !== "offset" || row[name] !== 0)
          )
        );
        const is_number = (name) => these.some((row) => typeof row[name] === "number");
        const show = (row, name) =>
          name in text
            ? text[name](row)
            : typeof row[name] === "number"
              ? Number.isInteger(row[name])
                ? grouped(row[name])
                : digits(row[name])
              : words(row[name] ?? "");
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
      part.append(details);
    };
    fold(
      "All timed rows",
      mine.filter((row) => row.contract !== null),
      timed
    );
    fold(
      "All counted rows",
      mine.filter((row) => row.contract === null),
      counted
    );
    return part;
  }

  // --- What stands below

  function targets() {
    if (report.targets.length === 0) return "";
    const made = element(
      "section",
      { id: "targets", "aria-label": "Targets" },
      element("h2", { textContent: "The targets" })
    );
    made.append(
      element("p", {
        textContent: `Targets: ${report.targets_in_short}. Each row shows the input that comes ` +
          "nearest to missing its target."
      })
    );
    made.append(
      table(
        "Every target, and what this run reaches",
        [{ title: "target" }, { title: "reached" }, { title: "interval" }, { title: "verdict" }],
        report.targets.map((row) => row.map((text) => sentence(text)))
      )
    );
    return made;
  }

  function claims() {
    if (report.claims.length === 0) return "";
    const made = element(
      "section",
      { id: "claims", "aria-label": "Claims" },
      element("h2", { textContent: "The claims of the study notes" })
    );
    const measured = report.claims
      .filter((claim) => claim.ratio !== null)
      .map((claim) => ({ ...claim, verdict: claim.verdict.replaceAll("*", "") }));
    if (measured.length > 0)
      made.append(
        element(
          "div",
          { className: "figures" },
          figure(
            "claims",
            report.figures.claims.usermeta.title,
            "Measured ratio with its 95 % interval; the hollow diamond is the ratio that the " +
            "note prints.",
            () => measured
          ).made
        )
      );
    const evidence = (claim) =>
      element(
        "details",
        {},
        element("summary", { textContent: "evidence" }),
        element("p", {}, sentence(claim.evidence))
      );
    made.append(
      table(
        "Every claim, and what this run says of it",
        [
          { title: "note" },
          { title: "claim" },
          { title: "verdict" },
          { title: "why" },
          { title: "repaired, or to know" }
        ],
        report.claims.map((claim) => [
          claim.id,
          sentence(claim.text),
          sentence(claim.verdict),
          evidence(claim),
          sentence(claim.remark)
        ]),
        { className: "claims" }
      )
    );
    made.append(
      element(
        "details",
        {},
        element("summary", { textContent: "How claims are judged" }),
        paragraphs(report.how_claims_are_judged)
      )
    );
    return made;
  }

  function method() {
    const made = element(
      "section",
      { id: "method", "aria-label": "Method" },
      element("h2", { textContent: "The method" })
    );
    made.append(
      element("p", {
        textContent:
          "Every answer is verified before and after it is timed. A ratio is taken within each " +
          "measuring process and then averaged, so a slow process cancels out. An interval that " +
          "contains 1 shows no difference."
      })
    );
    made.append(paragraphs(report.stopping_rules));
    if (report.ceilings.length > 0)
      made.append(
        table(
          "Ceilings: the bandwidth of loops that only move memory, in the same run",
          [
            { title: "where" },
            { title: "access" },
            { title: "data in" },
            { title: "bytes moved", number: true },
            { title: "GB/s", number: true }
          ],
          report.ceilings
        )
      );
    if (report.overheads.length > 0)
      made.append(
        table(
          "Overheads: the time that the clock shows for no kernel and for an empty kernel; until " +
          "the host holds the result, with a copy of four bytes. It is never subtracted",
          [
            { title: "where" },
            { title: "contract" },
            { title: "timed" },
            { title: "median", number: true }
          ],
          report.overheads.map((row) => row.map((text) => sentence(text)))
        )
      );
    made.append(
      element(
        "details",
        {},
        element("summary", { textContent: "What the columns mean" }),
        element(
          "dl",
          {},
          ...report.meanings.flatMap(([title, meaning]) => [
            element("dt", {}, element("strong", { textContent: title })),
            element("dd", {}, sentence(meaning))
          ])
        )
      )
    );
    return made;
  }

  function machine() {
    return element(
      "section",
      { id: "machine", "aria-label": "Machine" },
      element("h2", { textContent: "Machine and software" }),
      table(
        "",
        [{ title: "part" }, { title: "what" }],
        report.machine.map(([part, what]) => [part, sentence(what)])
      )
    );
  }

  function reproduce() {
    return element(
      "section",
      { id: "reproduce", "aria-label": "Reproduce" },
      element("h2", { textContent: "Reproduce" }),
      element("pre", { tabIndex: 0, textContent: report.reproduce }),
      element("p", {
        textContent: `Seed ${report.seed}. Times differ from machine to machine. With one ` +
          "compiler, counts do not."
      }),
      element(
        "p",
        {},
        "This run is ",
        element("code", { textContent: report.id }),
        ": a hash of everything in its results.json."
      )
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
    for (const { title, text, verbatim, picture, tables } of report.sections) {
      const made = element(
        "section",
        {},
        element("h2", {}, sentence(title)),
        text ? element("p", {}, sentence(text)) : null
      );
      const [first, ...others] = tables.map(({ caption, columns, rows: lines }) => [
        sentence(caption),
        table(
          sentence(caption),
          columns,
          lines.map((line) => line.map((text) => sentence(text)))
        )
      ]);
      if (picture === null) made.append(first?.[1] ?? "");
      else
        made.append(
          element(
            "div",
            { className: "figures" },
            figure(
              "sets",
              "Against the fastest library of each set",
              "Hollow: no difference shown.",
              () => picture
            ).made,
            first[1]
          )
        );
      for (const [caption, whole] of others)
        made.append(element("details", {}, element("summary", {}, caption), whole));
      if (verbatim) made.append(element("pre", { tabIndex: 0, textContent: verbatim }));
      by_id("main").append(made);
    }
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
      targets(),
      claims(),
      method(),
      machine(),
      reproduce()
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
