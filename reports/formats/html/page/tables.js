// Tables that are folded, and the sections whose words the report brings along.
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
