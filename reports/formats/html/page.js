"use strict";
// Draws report.html from the data inside it. Foreign text reaches the page through textContent, and
// figures as values of fields.
(async () => {
  const report = await unpacked_json("report");
  const INPUT = ["operator", "dtype", "n", "distribution", "bins", "offset", "devices"];
  const KEY = ["operation", ...INPUT, "provider", "rung", "backend", "contract", "cache"];
  const OVER_DEVICES = report.has_spread_rows;
  const SIDE_BY_SIDE = report.operations === undefined; // several result sets, without filters
  const HANDWRITTEN = "handwritten";

  // --- Elements and text

  const by_id = (id) => document.getElementById(id);

  // name: the tag, and a class after a point. parts: texts, nodes, lists of them, and objects of
  // properties and attributes; what is null, undefined or false is left out.
  function element(name, ...parts) {
    const [tag, className] = name.split(".");
    const made = document.createElement(tag);
    if (className) made.className = className;
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
  function shape(tag, attributes, ...parts) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...parts);
    return made;
  }

  // The Markdown that the report's sentences use: `code`, **strong**, *emphasis*, <br>, links to
  // pages beside this one, and &#60; for a character that would be markup.
  function sentence(markdown) {
    const marks = /(`[^`]*`|\*\*[^*]+\*\*|\*[^*]+\*|<br>|\[[^\]]+\]\([\w./-]+\.html\))/;
    return markdown.split(marks).map((part) => {
      if (part === "<br>") return element("br");
      const link = /^\[(.+)\]\((.+)\)$/.exec(part);
      if (link) return element("a", { href: link[2] }, link[1]);
      if (/^`.*`$/.test(part)) return element("code", part.slice(1, -1));
      if (/^\*\*.+\*\*$/.test(part)) return element("strong", sentence(part.slice(2, -2)));
      if (/^\*.+\*$/.test(part)) return element("em", sentence(part.slice(1, -1)));
      return part.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code));
    });
  }

  const list = (sentences) =>
    element("ul", sentences.map((text) => element("li", sentence(text))));

  // Paragraphs and lists of such sentences.
  function paragraphs(markdown) {
    const blocks = markdown.split(/\n\n+/).map((block) => block.split("\n").filter((line) => line));
    return blocks
      .filter((lines) => lines.length > 0)
      .map((lines) =>
        lines.every((line) => line.startsWith("- "))
          ? list(lines.map((line) => line.slice(2)))
          : element("p", sentence(lines.join(" ")))
      );
  }

  // columns: {title, number, className, label}; a label stands where titles have no place. A cell
  // is text, or a node.
  function table(caption, columns, rows) {
    const cell = (name, { number, className = "", label }, ...parts) =>
      element(
        name,
        { className: number ? `number ${className}` : className },
        label && { "data-label": label },
        parts
      );
    const row_of = (row) =>
      element(
        "tr",
        { className: row.className ?? "" },
        columns.map((column, c) =>
          c === 0 ? element("th.key", { scope: "row" }, row[c]) : cell("td", column, row[c])
        )
      );
    const titles = columns.map(({ title, number, className }) =>
      cell("th", { number, className }, { scope: "col" }, title)
    );
    const whole = element(
      "table",
      caption && element("caption", element("span", caption)),
      element("thead", element("tr", titles)),
      element("tbody", rows.map(row_of))
    );
    const label = whole.caption?.textContent ?? "table";
    return element(
      "div.table",
      element("div.scroll", { tabIndex: 0, role: "group", "aria-label": label }, whole),
      tools_of(whole)
    );
  }

  // What a spreadsheet takes: the texts of a table as they are shown.
  function tools_of(whole) {
    const text_of = (cell) => cell.innerText.replace(/\s+/g, " ").trim();
    const lines = () => [...whole.rows].map((row) => [...row.cells].map(text_of));
    const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const copy = element("button", {
      type: "button",
      onclick() {
        const text = lines().map((line) => line.join("\t")).join("\n");
        navigator.clipboard?.writeText(text).then(
          () => (copy.textContent = "Copied"),
          () => (copy.textContent = "The browser did not allow copying")
        );
      }
    }, "Copy");
    const csv = element("button", {
      type: "button",
      onclick() {
        const text = lines().map((line) => line.map(quoted).join(",") + "\n").join("");
        const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
        element("a", { href, download: "table.csv" }).click();
        URL.revokeObjectURL(href);
      }
    }, "CSV");
    return element("p.tools", copy, " ", csv);
  }

  // --- Numbers, as report.md writes them

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

  // --- Rows

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

  // --- State: in the hash of the address

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

  // --- Figures

  // the interpreter: without it expressions would need eval()
  let vega, compile, expressionInterpreter;

  const theme_now = () => document.documentElement.dataset.theme;

  function set_param(specification, name, value) {
    for (const param of specification.params ?? []) if (param.name === name) param.value = value;
  }

  // At once, so that printing can wait for it. tune(specification): changes for this place on the
  // page.
  function draw(canvas, name, values, tune) {
    const theme = theme_now();
    const specification = structuredClone(report.figures[name]);
    specification.data.values = values;
    specification.config = report.themes[theme];
    const width = Math.max(260, canvas.clientWidth);
    const { panels } = specification.usermeta;
    if (panels === undefined) specification.width = width;
    else
      specification.spec.width = Math.max(
        50,
        Math.floor((width - 165) / panels) - specification.spacing
      );
    set_param(specification, "wide", width > 500);
    // the readout names the lines
    if (width < 400)
      specification.layer = specification.layer?.filter((layer) => !layer.name?.startsWith("end_"));
    tune?.(specification);
    const compiled = compile(specification, { logger: vega.logger(vega.Warn) }).spec;
    if (panels === undefined) compiled.autosize = { type: "fit-x", contains: "padding" };
    canvas.view?.finalize();
    canvas.view = new vega.View(vega.parse(compiled, null, { ast: true }), {
      expr: expressionInterpreter,
      renderer: "svg",
      logLevel: vega.Warn,
      hover: false
    });
    canvas.view.initialize(canvas).run();
    if (name === "ladder")
      canvas.view.addEventListener("click", (_, item) => {
        const { operation, rung } = item?.datum ?? {};
        if (rung !== undefined) location.hash = address({ rung: `${operation}/${rung}` });
      });
    // one picture to a screen reader: the readout has its numbers
    canvas.querySelector("svg").setAttribute("aria-hidden", "true");
    canvas.setAttribute("role", "img");
    canvas.dataset.drawn = theme;
  }

  // Figures are drawn when they come near the window, and all before printing.
  const watcher = new IntersectionObserver(
    (entries) =>
      entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw_now(entry.target)),
    { rootMargin: "300px" }
  );
  function draw_now(canvas) {
    watcher.unobserve(canvas);
    canvas.draw();
  }
  function draw_when_seen(canvas) {
    watcher.unobserve(canvas);
    watcher.observe(canvas);
  }
  const canvases = (within = document) => within.querySelectorAll("[data-figure]");
  const redraw_all = () => canvases().forEach(draw_when_seen);

  function canvas_of(name, values, tune) {
    const canvas = element("div.canvas", { "data-figure": name });
    canvas.draw = () => draw(canvas, name, values(), tune);
    draw_when_seen(canvas);
    return canvas;
  }

  function figure({ name, note, values, tune, title = report.figures[name].usermeta.title }) {
    return element(
      "figure",
      element("figcaption", element("h3", title), note && element("p", note)),
      canvas_of(name, values, tune)
    );
  }
  const figures = (...parts) => element("div.figures", parts);

  // The mark of a role in the legend and in tables: shape, dash and colour.
  function mark(role) {
    const svg = by_id("marks").content.querySelector(`[data-role="${role}"]`).cloneNode(true);
    svg.style.color = colour_of(role);
    return svg;
  }
  const COLOURED = ["best hand-written", "library", "hand-written", "pick 1", "pick 2"];
  const colour_of = (role) => report.themes.light.range.category[COLOURED.indexOf(role)];
  // Not that of the answer, which has a column of its own.
  const remarks = (row) =>
    row.flags
      .split(" ")
      .filter((flag) => flag !== "unbounded")
      .map(words)
      .join(", ");

  // --- First screen

  function lead(kicker, ...counts) {
    by_id("kicker").textContent = `Kernel Ladder · ${kicker}`;
    document.title = `${report.title} · Kernel Ladder`;
    by_id("lead").replaceChildren(...sentence(report.lead));
    by_id("counts").replaceChildren(...counts);
    for (const { what, why } of report.warnings)
      by_id("warnings").append(
        element("p.warning", { role: "alert" }, element("strong", `${what}.`), ` ${why}`)
      );
  }

  function first_screen() {
    lead(
      `${report.date.slice(0, 10)} · run ${report.short_id}`,
      `${grouped(report.rows)} ${report.rows === 1 ? "row" : "rows"}: `,
      ...sentence(report.verdicts),
      ". A row is one implementation on one input. Only a right answer has a time. In brackets: " +
      "95 % confidence intervals."
    );
    for (const operation of report.operations) {
      const timed = operation.standing !== "";
      const [elsewhere] = operation.elsewhere;
      const [name, key, tune] = timed
        ? ["ladder", operation.key, compact]
        : elsewhere
        ? ["ladder", operation.counted_key, beside_counts]
        : ["counts", operation.counted_key, first_panel];
      const values = () =>
        elsewhere ? timed_elsewhere(operation, elsewhere.rows) : rows_of(name, key, rows);
      if (!timed && !elsewhere && values().length === 0) continue;
      const href = address({ filters: { operation: operation.name } });
      const counted = "bytes moved, as a multiple of the bytes that must move; on the emulated " +
        `backend, ${key_in_words(operation.counted_key)}.`;
      by_id("ladders").append(
        element(
          "article",
          { id: `ladder-${operation.name}` },
          element("h2", element("a", { href }, operation.name)),
          elsewhere && element("p.faint", sentence(`${elsewhere.title}.`)),
          element("p", sentence(timed ? operation.standing : (elsewhere?.standing ?? ""))),
          canvas_of(name, values, tune),
          element(
            "p.faint",
            timed
              ? sentence(operation.input)
              : `${elsewhere ? "GB/s: of the published run. Here" : "Counted here"}: ${counted}`
          )
        )
      );
    }
  }

  // The rungs of a published set, then those that it lacks; each with what this machine counts.
  function timed_elsewhere(operation, theirs) {
    const counted = rows_of("counts", operation.counted_key, rows);
    const of_rung = (rung) => counted.find((row) => row.rung === rung);
    const lacking = counted.filter((row) => theirs.every((one) => one.rung !== row.rung));
    const [library] = theirs.filter((row) => !by_hand(row)).map((row) => row.place);
    const added = lacking.map(({ operation: of, rung, provider, implementation, role }) => ({
      operation: of, rung, provider, implementation, role,
      verdict: "not timed", place: (library ?? theirs.length) - 0.5
    }));
    return picked([...theirs, ...added]).map((row) => {
      const bytes = of_rung(row.rung)?.bytes_over_minimum ?? null;
      return { ...row, beside: bytes === null ? "" : `${digits(bytes)}x` };
    });
  }
  function beside_counts(specification) {
    compact(specification);
    set_param(specification, "beside", "here");
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
      typeof key.n === "number" && `n = ${elements(key.n)}`,
      key.distribution && `input ${key.distribution}`,
      key.bins && `${key.bins} bins`,
      key.offset && `displaced by ${key.offset}`,
      key.contract &&
        (key.contract === "host_result"
          ? "until the host holds the result"
          : "until the result is in the GPU's memory"),
      key.cache && `${key.cache} cache`,
      key.backend === "host" && "on the CPU",
      key.devices && `over ${key.devices} device${key.devices === 1 ? "" : "s"}`
    ]
      .filter(Boolean)
      .map(words)
      .join(", ");
  }

  function legend() {
    const best = "best hand-written";
    const drawn = report.operations.flatMap(({ elsewhere: sets }) =>
      sets.flatMap(({ rows: theirs }) => theirs)
    );
    const roles = [best, "hand-written", "library"].filter((role) =>
      [...rows, ...drawn].some((row) => row.role === role)
    );
    const name_of = (role) => {
      if (role === best) return `${best} at the chosen n`;
      return role === "hand-written" && roles.includes(best) ? "other hand-written" : role;
    };
    by_id("legend").replaceChildren(
      ...roles.map((role) => element("li", mark(role), name_of(role))),
      ...state.picks.map((pick, i) =>
        element("li", mark(`pick ${i + 1}`), `${pick.split("/").pop()} (picked)`)
      ),
      state.picks.length < most_picks
        ? ""
        : element("li.faint", "A third pick replaces the first.")
    );
  }

  // --- Filters

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
      const option = (value, text) =>
        element("option", { value, selected: String(value) === state.filters[name] }, text);
      const onchange = ({ target }) => {
        if (target.value === "") delete state.filters[name];
        else state.filters[name] = target.value;
        changed();
      };
      const select = element(
        "select",
        { "data-filter": name, onchange },
        option("", name === "operation" ? "all" : "usual"),
        there.map((value) => option(value, name === "n" ? elements(value) : words(value)))
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
    const names = report.operations.flatMap(({ name, cards }) => [
      name, ...cards.map((card) => `${name}/${card.rung}`)
    ]);
    // by the whole name, by that of a rung alone, or by a part
    const onchange = ({ target }) => {
      const wanted = target.value.trim().toLowerCase();
      const found =
        names.find((name) => name === wanted) ??
        names.find((name) => name.endsWith(`/${wanted}`)) ??
        names.find((name) => name.includes(wanted));
      target.setCustomValidity(
        found === undefined ? `There is no operation or rung "${target.value}".` : ""
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

  // --- A section for each operation

  function sections() {
    const shown = report.operations.filter(
      (operation) => (state.filters.operation ?? operation.name) === operation.name
    );
    for (const canvas of canvases(by_id("sections"))) {
      watcher.unobserve(canvas);
      canvas.view?.finalize();
    }
    by_id("sections").replaceChildren(
      ...(shown.length > 0 ? shown : report.operations).map(section)
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
    canvas.onpointerleave = () => name_line(undefined);
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

  // The ladder at one size: a row for each rung, with what it brings, how sure that is, what it
  // counts and what is new. The slider, the figures and the filter of n drive it.
  function readout(operation, key, sizes, among) {
    const n = () => sizes[Number(slider.value)];
    const slider = element("input", {
      type: "range",
      min: 0,
      max: sizes.length - 1,
      step: 1,
      value: sizes.indexOf(key.n),
      "aria-label": `${operation.name}: number of elements`,
      oninput: show,
      onchange() {
        state.filters.n = String(n());
        write_hash();
        filters();
      }
    });
    const set = (size) => {
      if (size === n()) return;
      slider.value = sizes.indexOf(size);
      slider.dispatchEvent(new Event("input"));
    };
    const output = element("output");
    const place = element("div");
    function turn_pick(row) {
      const name = pick_name(row);
      state.picks = state.picks.includes(name)
        ? state.picks.filter((one) => one !== name)
        : [...state.picks, name].slice(-most_picks);
      write_hash();
      legend();
      redraw_all();
      show();
    }
    const pick = (row) =>
      element("input.pick", {
        type: "checkbox",
        checked: row.role.startsWith("pick"),
        "aria-label": `Highlight ${row.implementation}`,
        onchange: () => turn_pick(row)
      });
    function show() {
      slider.setAttribute("aria-valuetext", `n = ${grouped(n())}`);
      output.textContent = `n = ${elements(n())}`;
      const these = picked(among.filter((row) => row.n === n())).sort(
        (a, b) => a.devices - b.devices || a.place - b.place
      );
      place.replaceChildren(...ladder_of(operation, { ...key, n: n() }, these, pick));
    }
    show();
    const made = element(
      "div.readout",
      { "data-readout": operation.name },
      element("div.control", element("h3", "The ladder at"), output, slider),
      place
    );
    return { made, slider, n, set, pick: turn_pick };
  }

  function ladder_of(operation, key, these, pick) {
    const timed = these.filter((row) => row.time !== null).sort((a, b) => a.time - b.time);
    const hand = timed.find(by_hand);
    // over as many devices as a row
    const alike = (row) => timed.filter((one) => one.devices === row?.devices);
    const library_of = (row) => alike(row).find((one) => !by_hand(one));
    const library = library_of(hand ?? timed[0]);
    const said = new Set(timed.map(remarks));
    const common = said.size === 1 ? [...said][0] : ""; // to all rows
    const limited = these.some((row) => row.vs_limit !== null);
    const limit = limited ? "limit" : "ceiling";
    const bound_of = (row) => {
      const bounds = alike(row)
        .map((one) => (limited ? one.vs_limit && one.bandwidth / one.vs_limit : one.ceiling))
        .filter(Boolean)
        .sort((a, b) => a - b);
      return bounds[bounds.length >> 1];
    };
    const bound = bound_of(timed[0]);
    const most = Math.max(bound ?? 0, ...timed.map((row) => row.bandwidth_high));

    const number = (title, label, className, text) =>
      ({ title, label, className, text, number: true });
    const counter = (row, name) => row[`counted_${name}`] ?? row[name];
    // banks are told where a rung waits for them
    const conflicts = these.some((row) => counter(row, "wavefronts_per_shared_request") > 1.005);
    const fewest = Math.min(...these.map((row) => row.steps ?? Infinity));
    const count = (title, label, name, text, share) =>
      number(title, label, `count ${label}`, (row) => {
        const value = counter(row, name);
        return value === null ? "" : [text(value), part_of(share(value))];
      });
    const ratio = (title, label, name) =>
      number(title, label, name.replace("vs_", ""), (row) => {
        const className = row[name + "_verdict"];
        const text = interval(row, name).replace(" shown", "");
        return text && element("span", { className }, stacked(text));
      });
    const followed = ratio("vs the rung it follows", "vs the rung it follows", "vs_followed");
    const card_of = (row) =>
      operation.cards.find((card) => card.provider === row.provider && card.rung === row.rung);
    const elsewhere = (row) => {
      const { follows } = card_of(row) ?? {};
      const above = these[these.indexOf(row) - 1]?.rung;
      if (row.vs_followed !== null)
        return follows === above ? "" : element("small", ` ${follows}`);
      const other = these.find((one) => by_hand(one) && one.rung === follows);
      return row.time !== null && other?.time === null
        ? element("small", `no time of ${follows}`)
        : "";
    };
    const all = [
      {
        title: "rung",
        text: (row) => [
          pick(row),
          element("span", mark(row.role), link_to(row, row.implementation)),
          OVER_DEVICES && row.devices === null ? element("small", " (one device)") : ""
        ]
      },
      number("bandwidth, GB/s", "GB/s", "bandwidth", (row) =>
        row.bandwidth === null
          ? ""
          : [bar_of(row, most, bound_of(row), library_of(row)), digits(row.bandwidth)]
      ),
      number("time (95 % interval)", "", "time", (row) =>
        stacked(time_text(row) || (key.contract ? verdict_text(row) : ""))
      ),
      number(`of ${limit}`, `of ${limit}`, "limit", (row) =>
        percent(limited ? row.vs_limit && 100 * row.vs_limit : row.percent_of_ceiling)
      ),
      ratio("x one device", "x one device", "vs_one_device"),
      ratio("vs fastest library", "vs library", "vs_fastest_library"),
      count("bytes moved", "bytes", "bytes_over_minimum", (x) => `${digits(x)}x`, (x) => 1 / x),
      count("sectors used", "sectors", "sectors_used", percent, (x) => x / 100),
      count("lanes of 32", "lanes", "active_lanes", digits, (x) => x / 32),
      ...(conflicts
        ? [count("bank passes", "banks", "wavefronts_per_shared_request", digits, (x) => 1 / x)]
        : []),
      ...(key.contract ? [] : [count("steps", "steps", "steps", grouped, (x) => fewest / x)]),
      { ...followed, text: (row) => [followed.text(row), elsewhere(row)] },
      {
        title: "what is new",
        className: "new",
        text: (row) => [
          row.verdict === "pass"
            ? first_phrase(card_of(row))
            : key.contract
            ? "" // its time says it
            : verdict_text(row),
          remarks(row) === common ? "" : element("small", ` ${remarks(row)}`)
        ]
      }
    ];
    const cells = these.map((row) => all.map(({ text }) => text(row)));
    const used = all.map((_, c) => cells.some((row) => [row[c]].flat(2).some((one) => one !== "")));
    const names = (row, above) => [
      row === timed[0] && "best",
      row === hand && "hand",
      row === library && "library",
      above && by_hand(row) !== by_hand(above) && "apart"
    ];
    const lines = these.map((row, r) =>
      Object.assign(
        cells[r].filter((_, c) => used[c]),
        { className: names(row, these[r - 1]).filter(Boolean).join(" ") }
      )
    );
    const caption = `${operation.name}: ${key_in_words(key)}.${common && ` All: ${common}.`}`;
    const has_counts = all.some(({ className }, c) => used[c] && /^count /.test(className));
    const counted = key.contract ? these.find((row) => row.counted_n)?.counted_n : key.n;
    return [
      element("p", hand && library && standing_of(hand, library)),
      table(caption, all.filter((_, c) => used[c]), lines),
      element(
        "p.faint",
        bound &&
          `The mark at the end of a bar is its 95 % interval. Dotted: the ${limit}` +
            `${OVER_DEVICES ? "" : `, ${digits(bound)} GB/s`}. Dashed: the fastest library. ` +
            `The ${limit} is measured too, so a kernel can be slightly above it. `,
        has_counts &&
          "Bytes moved (1x is the least), sectors of 32 bytes and lanes of a warp are counted " +
            `without a GPU, at n = ${elements(counted)}. Below each, a full line is the best. `,
        conflicts &&
          "Bank passes: through the banks of shared memory, for each request; 1 is the least. ",
        fewest < Infinity && !key.contract &&
          "Steps: the height of the tree that combines a result."
      )
    ];
  }

  function standing_of(hand, library) {
    const against = interval(hand, "vs_fastest_library");
    // of integers any order gives the same bits
    const promise = hand.dtype.startsWith("f") ? interval(hand, "vs_same_promise") : "";
    return [
      "The fastest hand-written rung is ", element("strong", hand.implementation),
      against && `: ${against} against the fastest library, `,
      against && element("strong", library.implementation), ".",
      promise !== "" && promise !== against &&
        ` Against the fastest library that promises the same bits: ${promise}.`
    ];
  }

  // What is in brackets stands below what is before it.
  function stacked(text) {
    const at = text.indexOf(" (");
    return at < 0 ? text : [text.slice(0, at + 1), element("small", text.slice(at + 1))];
  }

  // The bandwidth with its interval, beside what it is held against.
  function bar_of(row, most, bound, library) {
    const at = (value) => `${(100 * value) / most}%`;
    const across = (value, name, style = "") =>
      value ? shape("line", { class: name, x1: at(value), x2: at(value), y2: "100%", style }) : "";
    const [low, high] = [at(row.bandwidth_low), at(row.bandwidth_high)];
    const drawn = shape(
      "svg",
      { class: by_hand(row) ? "bar" : "bar pale", "aria-hidden": true },
      shape(
        "g",
        {},
        shape("rect", { y: -7, width: at(row.bandwidth), height: 14 }),
        shape("line", { class: "interval", x1: low, x2: high }),
        ...[low, high].map((x) => shape("line", { class: "interval", x1: x, x2: x, y1: -4, y2: 4 }))
      ),
      across(bound, "bound"),
      across(library?.bandwidth, "standard", `stroke: ${colour_of("library")}`)
    );
    drawn.style.color = colour_of(row.role);
    return drawn;
  }

  const part_of = (share) =>
    shape(
      "svg",
      { class: "part", "aria-hidden": true },
      shape("rect", { width: "100%", height: 3 }),
      shape("rect", { width: `${100 * Math.min(share, 1)}%`, height: 3 })
    );

  // Of the text of what is new; of the idea where a rung follows none.
  const first_phrase = (card) => (card?.step || card?.idea || "").split(/[.:;](?=\s|$)/)[0];

  function counted_part(operation, mine) {
    const key = operation.counted_key;
    const values = () => rows_of("counts", key, mine);
    if (values().length === 0) return null;
    const note = "Counted on the emulated backend, where every access is seen and nothing is " +
      `timed: ${key_in_words(key)}.`;
    return fold("Counted, rung by rung", figures(figure({ name: "counts", note, values })));
  }

  const title_of = ({ rung, provider }) =>
    provider === HANDWRITTEN ? rung : `${rung} (${provider})`;
  const facts = (pairs) =>
    element("dl", pairs.map(([title, text]) => [element("dt", title), element("dd", text)]));
  const facts_of = (card) =>
    facts(
      report.card_titles
        .filter(([field]) => field !== "rung" && field !== "provider" && card[field])
        .map(([field, title]) => [title, card[field]])
    );

  function cards_part({ name: operation, cards }) {
    const card_of = (card) =>
      element(
        "article.card",
        element("h3", link_to({ ...card, operation }, title_of(card))),
        facts_of(card)
      );
    return (
      cards.length > 0 &&
      fold(`Every rung explained (${cards.length})`, element("div.cards", cards.map(card_of)))
    );
  }

  // --- A rung that is open: `#rung=reduce/packed`

  const link_to = ({ operation, rung }, text) =>
    element("a", { href: address({ rung: `${operation}/${rung}` }) }, text);

  function open_rung() {
    const dialog = by_id("rung");
    const [of, name] = (state.rung ?? "").split("/");
    const operation = report.operations.find((one) => one.name === of);
    const card = operation?.cards.find((one) => one.rung === name);
    if (card === undefined) return dialog.close();
    by_id("rung_title").textContent = `${of} / ${title_of(card)}`;
    const parts = by_id("rung_parts");
    const source = element("div");
    const mine = rows.filter(
      (row) => row.operation === of && row.rung === card.rung && row.provider === card.provider
    );
    parts.replaceChildren(
      facts_of(card), ...times_of(operation, card, mine.filter(was_timed)), source,
      ...counts_of(operation, card, mine.filter((row) => !was_timed(row))), ...answers_of(mine)
    );
    sources().then((texts) => source.replaceChildren(...source_part(operation, card, texts)));
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  }

  function times_of(operation, card, timed) {
    if (timed.length === 0) return [];
    const { key, among } = key_of(operation, timed);
    const these = among.sort((a, b) => a.n - b.n);
    const number = (title) => ({ title, label: title, number: true });
    const caption = `${key_in_words({ ...key, n: null })}. The line is from the 5th to the 95th ` +
      "percentile of the samples, the box from the 25th to the 75th; the mark is the median.";
    const columns = [
      { title: "n" }, number("time (95 % interval)"), { title: "samples", label: "samples" },
      number("GB/s"),
      number("of limit"), number(card.follows ? `vs ${card.follows}` : "vs the rung it follows"),
      number("vs fastest library")
    ];
    const lines = these.map((row) => [
      elements(row.n),
      time_text(row) || verdict_text(row),
      row.time === null ? "" : spread_of(row, these),
      row.bandwidth === null ? "" : digits(row.bandwidth),
      share_of_limit(row),
      interval(row, "vs_followed"),
      interval(row, "vs_fastest_library")
    ]);
    return [element("h3", "What it brings"), table(caption, columns, lines)];
  }

  function counts_of(operation, card, counted) {
    const key = operation.counted_key;
    const usual = counted.filter((row) => row.operator === key.operator && row.dtype === key.dtype);
    const row = usual.sort((a, b) => b.n - a.n).find((one) => one.bytes_over_minimum !== null);
    if (row === undefined) return [];
    const pairs = report.counters
      .filter(([name]) => typeof row[name] === "number")
      .map(([name, title]) => [title, digits(row[name])]);
    return [
      element("h3", `Counted without a GPU: ${key_in_words(row)}`),
      element("p", sentence(card.counts ?? "")),
      facts(pairs)
    ];
  }

  // What the checks of its answers said, and on how many rows.
  function answers_of(mine) {
    const said = new Map();
    for (const row of mine) {
      const what = `${verdict_text(row)}${row.reason ? `: ${row.reason}` : ""}`;
      said.set(what, (said.get(what) ?? 0) + 1);
    }
    const lines = [...said].map(([what, times]) => element("li", `${grouped(times)} × ${what}`));
    return [element("h3", "Its answers"), element("ul", lines)];
  }

  // The percentiles of a row's samples, as parts of its median. All rows share the scale.
  function spread_of(row, these) {
    const of = (one, name) => one[name] / one.time;
    const timed = these.filter((one) => one.time !== null);
    const least = Math.min(...timed.map((one) => of(one, "time_p5")), 0.98);
    const most = Math.max(...timed.map((one) => of(one, "time_p95")), 1.02);
    const x = (name) => (100 * (of(row, name) - least)) / (most - least);
    const label = `5 % of the samples are below ${digits(row.time_p5)} us, ` +
      `95 % below ${digits(row.time_p95)} us`;
    const box = { x: x("time_p25"), y: 2, width: x("time_p75") - x("time_p25"), height: 8 };
    return shape(
      "svg",
      { viewBox: "-1 0 102 12", width: 102, height: 12, role: "img", "aria-label": label },
      shape("path", { d: `M${x("time_p5")} 6 H${x("time_p95")}`, stroke: "currentColor" }),
      shape("rect", { ...box, fill: "currentColor", opacity: 0.35 }),
      shape("path", { d: `M${x("time")} 1 V11`, stroke: "currentColor", "stroke-width": 2 })
    );
  }

  let texts_of_sources;
  const sources = () => (texts_of_sources ??= unpacked_json("sources"));

  function source_part(operation, card, texts) {
    const text = texts[card.file];
    if (text === undefined)
      return [
        element(
          "p.faint",
          "This result set does not have the source of this rung. ",
          card.from && "./ladder run --with-sources puts sources of other folders into it."
        )
      ];
    const followed = operation.cards.find(
      (one) => one.rung === card.follows && texts[one.file] !== undefined
    );
    const headers = [...included(card.file, texts)];
    const theirs = followed && included(followed.file, texts);
    const is_new = (path) => theirs !== undefined && !theirs.has(path);
    const parts = [
      element("h3", "Source"),
      card.from
        ? element("p", element("code", `${card.from}/${card.file}`), ` ${report.built_elsewhere}`)
        : element("p", element("code", card.file), ` ${report.built}`)
    ];
    if (followed !== undefined && followed.file !== card.file)
      parts.push(
        fold(
          `What differs from ${followed.rung}`,
          { open: true },
          code_of(difference(without_card(texts[followed.file]), without_card(text)))
        )
      );
    parts.push(
      fold(
        "The whole file", { open: parts.length === 2, className: "whole" },
        code_of(same_lines(text))
      ),
      [...headers.filter(is_new), ...headers.filter((path) => !is_new(path))].map((path) =>
        fold(`${path}${is_new(path) ? " (new)" : ""}`, code_of(same_lines(texts[path])))
      )
    );
    return parts.flat();
  }

  // What a file includes, of the sources, also through others.
  function included(file, texts, found = new Set()) {
    for (const [, path] of texts[file].matchAll(/#include "([^"]+)"/g))
      if (texts[path] !== undefined && !found.has(path)) {
        found.add(path);
        included(path, texts, found);
      }
    return found;
  }

  // Its texts stand above.
  const without_card = (text) => text.replace(/constexpr Card card\{[^]*?\n\};\n\n?/, "");
  const lines_of = (text) => text.replace(/\n$/, "").split("\n");
  const same_lines = (text) => lines_of(text).map((line) => [" ", line]);

  // Lines with a sign: " " in both, "-" in the first alone, "+" in the second alone. By the longest
  // common subsequence; far from a change, lines in both are left out.
  function difference(before, after) {
    const a = lines_of(before);
    const b = lines_of(after);
    const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; --i)
      for (let j = b.length - 1; j >= 0; --j)
        longest[i][j] =
          a[i] === b[j]
            ? longest[i + 1][j + 1] + 1
            : Math.max(longest[i + 1][j], longest[i][j + 1]);
    const lines = [];
    let i = 0;
    let j = 0;
    while (i < a.length || j < b.length) {
      const removed = j === b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1]);
      if (i < a.length && j < b.length && a[i] === b[j]) {
        lines.push([" ", a[i++]]);
        ++j;
      } else if (removed) lines.push(["-", a[i++]]);
      else lines.push(["+", b[j++]]);
    }
    const near = lines.map((_, at) =>
      lines.slice(Math.max(0, at - 3), at + 4).some(([sign]) => sign !== " ")
    );
    return lines.flatMap((line, at) => (near[at] ? [line] : near[at - 1] ? [["~", "⋯"]] : []));
  }

  const SIGNS = { " ": "code", "+": "code added", "-": "code removed", "~": "code faint" };
  const code_of = (lines) =>
    element(
      "pre.source",
      { tabIndex: 0 },
      lines.map(([sign, line]) =>
        element("span", { className: SIGNS[sign] }, sign === "~" ? "" : sign, coloured(line), "\n")
      )
    );

  const TOKENS = new RegExp(
    [
      "(?<comment>\\/\\/.*|^ \\*.*)",
      "(?<text>\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])')",
      "(?<directive>^\\s*#.*)",
      "(?<cuda>\\b__\\w+__\\b|\\b(?:threadIdx|blockIdx|blockDim|gridDim|atomicAdd|asm)\\b|" +
        "\\b__\\w+\\b)",
      "(?<keyword>\\b(?:alignas|auto|bool|break|case|char|class|const|constexpr|continue|do|" +
        "double|else|enum|explicit|false|float|for|if|inline|int|long|namespace|operator|private|" +
        "public|return|sizeof|static|static_assert|struct|switch|template|this|true|typename|" +
        "unsigned|using|void|volatile|while)\\b)"
    ].join("|"),
    "g"
  );
  function coloured(line) {
    const parts = [];
    let end = 0;
    for (const found of line.matchAll(TOKENS)) {
      const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined);
      parts.push(line.slice(end, found.index), element(`span.${kind}`, found[0]));
      end = found.index + found[0].length;
    }
    return [...parts, line.slice(end)];
  }

  // A table that is made when it is opened. names: of the columns that not every such table has.
  function folded_table(title, these, names) {
    if (these.length === 0) return null;
    const text = {
      time: time_text,
      percent_of_ceiling: (row) => percent(row.percent_of_ceiling),
      vs_limit: share_of_limit,
      verdict: verdict_text,
      n: (row) => elements(row.n)
    };
    const says = (row, name) =>
      row[name] != null && row[name] !== "" && !(name === "offset" && row[name] === 0);
    const show = (row, name) => {
      const value = row[name];
      if (name in text) return text[name](row);
      if (name.startsWith("vs_")) return interval(row, name);
      if (typeof value !== "number") return words(value ?? "");
      return Number.isInteger(value) ? grouped(value) : digits(value);
    };
    const ontoggle = () => {
      if (!details.open || details.childElementCount > 1) return;
      const all = [...INPUT, "contract", "cache", "verdict", ...names, "reason"];
      const used = [...new Set(all)].filter((name) => these.some((row) => says(row, name)));
      const columns = used.map((name) => ({
        title: words(name),
        number: these.some((row) => typeof row[name] === "number")
      }));
      const lines = these.map((row) => [
        row.implementation,
        ...used.map((name) => show(row, name))
      ]);
      details.append(table("", [{ title: "rung" }, ...columns], lines));
    };
    const details = fold(`${title} (${grouped(these.length)})`, { ontoggle });
    return details;
  }

  // A section whose words the report brings along. Of sets side by side the first table stands
  // below its picture, and the others are folded.
  function told({ id, title, text, verbatim, after, picture, tables, folded }) {
    const cell = (value, { title }) =>
      title === "evidence" ? fold("evidence", paragraphs(value)) : sentence(value);
    const made = tables.map(({ caption, columns, rows: lines }) =>
      table(
        caption && sentence(caption),
        columns.map((column) => ({ ...column, label: column.title })),
        lines.map((line) => line.map((value, c) => cell(value, columns[c])))
      )
    );
    const drawn = picture && figure({ ...picture, values: () => picture.rows });
    return element(
      "section",
      id && { id, "aria-label": title },
      element("h2", sentence(title)),
      paragraphs(text),
      drawn && figures(drawn),
      made.map((one, i) => (SIDE_BY_SIDE && i > 0 ? fold(sentence(tables[i].caption), one) : one)),
      Object.entries(folded).map(([name, its]) => fold(name, paragraphs(its))),
      verbatim && element("pre", { tabIndex: 0 }, verbatim),
      paragraphs(after)
    );
  }

  // --- Buttons

  function citation() {
    by_id("bibtex").textContent = report.bibtex;
    const say = (text) => (by_id("copied").textContent = text);
    const copy = () =>
      navigator.clipboard?.writeText(report.bibtex).then(
        () => say("Copied."),
        () => say("The browser did not allow copying: select the text.")
      );
    by_id("copy").onclick = copy;
    by_id("cite").onclick = () => {
      say("");
      by_id("citation").showModal();
      copy();
    };
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
    by_id("theme").onclick = () => {
      chosen_theme = { auto: "light", light: "dark", dark: "auto" }[chosen_theme];
      apply_theme();
    };
    system_is_dark.onchange = apply_theme;
    apply_theme();
  }

  // Paper is white: all figures are drawn for it, and back again. Of an open rung it has the file.
  function before_print() {
    for (const file of document.querySelectorAll("#rung .whole")) file.open = true;
    document.documentElement.dataset.theme = "light";
    for (const canvas of canvases())
      if (canvas.clientWidth > 0) draw_now(canvas); // it is not folded away
  }
  window.onbeforeprint = before_print;
  window.onafterprint = apply_theme;
  // what else prints, or shows how it would look
  const printing = matchMedia("print");
  printing.onchange = () => (printing.matches ? before_print() : apply_theme());

  let width_was = innerWidth;
  window.onresize = () => {
    if (innerWidth === width_was) return;
    width_was = innerWidth;
    redraw_all();
  };

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
    window.onhashchange = () => {
      read_hash();
      show_all();
      land();
    };
    by_id("rung_close").onclick = () => by_id("rung").close();
    by_id("rung").onclose = () => {
      if (state.rung === null) return;
      state.rung = null;
      changed();
    };
  }

  // At what the address names: a rung, an operation, or a section.
  function land() {
    const of = state.rung?.split("/")[0] ?? state.filters.operation;
    const there = of === undefined ? by_id(location.hash.slice(1)) : by_id(`section-${of}`);
    if (location.hash.length > 1) (there ?? by_id("main")).scrollIntoView();
    open_rung();
  }

  async function start() {
    // the page's policy knows its hash
    document.head.append(element("script", { textContent: await unpacked("vega").text() }));
    ({ vega, compile, expressionInterpreter } = window.ladderVega);
    themes();
    if (SIDE_BY_SIDE) side_by_side();
    else await one_set();
    by_id("main").append(...report.sections.map(told));
    if (!SIDE_BY_SIDE) land();
    document.documentElement.dataset.ready = "yes";
  }
  start();
})();
