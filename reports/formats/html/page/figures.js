// Figures, which Vega draws. Foreign text is a value of a field there.
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
