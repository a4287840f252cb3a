// Citation, theme and print.
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
