// The ladder at one size: a row for each rung, with what it brings, how sure that is, what it
// counts and what is new. The slider, the figures and the filter of n drive it.
const readouts = []; // that are on the page

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
    onchange: () => settle()
  });
  // All ladders have the size that was chosen in this one.
  function settle(how) {
    if (n() === nearest(sizes, Number(state.filters.n ?? key.n))) return;
    state.filters.n = String(n());
    write_hash(how);
    filters();
    for (const other of readouts) other.set(nearest(other.sizes, n()));
  }
  const set = (size) => {
    if (size === n()) return;
    slider.value = sizes.indexOf(size);
    slider.dispatchEvent(new Event("input"));
  };
  const output = element("output");
  const place = element("div");
  function turn_pick(row) {
    const name = pick_name(row);
    settle("replaceState"); // the pick is a step of its own
    state.picks = state.picks.includes(name)
      ? state.picks.filter((one) => one !== name)
      : [...state.picks, name].slice(-most_picks);
    write_hash();
    filters();
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
  const made_of = { made, slider, sizes, n, set, settle, pick: turn_pick };
  readouts.push(made_of);
  return made_of;
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
  const promise = /^b?f/.test(hand.dtype) ? interval(hand, "vs_same_promise") : "";
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
