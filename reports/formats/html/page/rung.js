// The cards of all rungs, and a rung that is open: `#rung=reduce/packed`.
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

const link_to = ({ operation, rung }, text) =>
  link(() => ({ rung: `${operation}/${rung}` }), text);

function open_rung() {
  const dialog = by_id("rung");
  const { operation, card } = rung_of(state.rung ?? "");
  if (card === undefined) return dialog.close();
  const of = operation.name;
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
// a file may be called "constructor"
const sources = () =>
  (texts_of_sources ??= unpacked_json("sources").then((texts) =>
    Object.assign(Object.create(null), texts)
  ));

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
