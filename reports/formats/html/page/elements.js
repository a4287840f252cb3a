// Elements and text. Foreign text reaches the page through textContent.
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
