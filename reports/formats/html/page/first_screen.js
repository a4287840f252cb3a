// The first screen: the sentence, the ladders, the legend.
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
    `${grouped(report.rows)} ${report.rows === 1 ? "row" : "rows"}`,
    ...(report.rows > 0 ? [": ", ...sentence(report.verdicts)] : []),
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
    const alone = () => ({ filters: { operation: operation.name }, rung: null });
    const counted = "bytes moved, as a multiple of the bytes that must move; on the emulated " +
      `backend, ${key_in_words(operation.counted_key)}.`;
    by_id("ladders").append(
      element(
        "article",
        { id: `ladder-${operation.name}` },
        element("h2", link(alone, operation.name)),
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
