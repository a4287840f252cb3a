#include "reports/notes/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/columns.hpp"
#include "reports/derive.hpp"
#include "reports/gpu_times.hpp"
#include "reports/ladder.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

constexpr double worth_telling = 1.01;  // a smaller factor is none

bool speaks(const Cell& cell, Source source) {
  const CellKey& key = cell.key();
  if (!cell.passed() || key.who.provider != "handwritten") return false;
  switch (source) {
    case Source::counts:
      return key.how.backend == Backend::emulated && cell.counters() != nullptr;
    case Source::times:
      return key.how.backend == Backend::cuda && key.how.contract == Contract::device_result && key.how.cache == Cache::cold &&
             cell.timing() != nullptr && cell.timing()->processes.size() > 1;
    case Source::errors:
      return key.how.contract != Contract::host_result && cell.error() != nullptr &&
             cell.error()->ulp_max;  // there some rungs add up in another type
  }
  return false;
}

std::string names(const Rungs& rungs) {
  std::vector<std::string> all;
  std::ranges::transform(rungs, std::back_inserter(all), code);
  return enumerated(all);
}

std::string comparison(const Cell& cell, const Cell& than, const Ratio& ratio) {
  const auto& time = column("time (95 % interval)");
  return fmt::format("{} {}, {} {}: {}", code(cell.who.rung), time.text(cell), code(than.who.rung), time.text(than), ratio_text(ratio));
}

// judge(ratio): the ruling
Finding timed(const Cells& cells, const Experiment& experiment, std::string_view rung, std::string_view than, const auto& judge) {
  const Cells pair = together(cells, Source::times, experiment, {rung, than});
  if (pair.empty()) return missing("GPU times", {rung, than});
  const Ratio ratio = speedup(pair[0], pair[1]);
  return {judge(ratio), where(pair[0].key()), comparison(pair[0], pair[1], ratio)};
}

Ruling direction(const Ratio& ratio) {
  return ratio.ci95_low > 1 ? Ruling::holds : ratio.ci95_high < 1 ? Ruling::does_not_hold : Ruling::not_shown;
}

std::string capitalised(std::string sentence) {
  if (!sentence.empty() && 'a' <= sentence[0] && sentence[0] <= 'z') sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  return sentence;
}

}  // namespace

Cells together(const Cells& cells, Source source, const Experiment& experiment, const Rungs& rungs) {
  std::vector<std::string> met;  // operations, in the order of the cells
  const auto first_met = [&](const std::string& operation) {
    const auto known = std::ranges::find(met, operation);
    const auto place = known - met.begin();
    if (known == met.end()) met.push_back(operation);
    return place;
  };
  const auto distance = [&](const CellKey& key) {
    return std::tuple(key.input.dtype != experiment.dtype, key.input.n != experiment.n, key.input.distribution != experiment.distribution,
                      first_met(key.input.operation), key.input.op.value_or("sum") != "sum", ~key.input.n, key.how.backend, key);
  };
  std::map<decltype(distance(CellKey())), std::map<std::string_view, const Cell*>> inputs;
  for (const Cell& cell : cells) {
    if (!experiment.is_of(cell.input.operation) || !speaks(cell, source)) continue;
    CellKey input = cell.key();
    input.who.rung.clear();
    inputs[distance(input)].emplace(cell.who.rung, &cell);
  }
  for (const auto& [input, found] : inputs) {
    Cells all;
    for (const std::string_view rung : rungs)
      if (const auto cell = found.find(rung); cell != found.end()) all.push_back(*cell->second);
    if (all.size() == rungs.size()) return all;
  }
  return {};
}

Ratio speedup(const Cell& cell, const Cell& than) {
  return ratio_of(cell.timing()->processes, than.timing()->processes).value_or(Ratio{});
}

Finding faster(const Cells& cells, const Experiment& experiment, std::string_view rung, std::string_view than) {
  return timed(cells, experiment, rung, than, [](const Ratio& ratio) { return direction(ratio); });
}

Finding by_factor(const Cells& cells, const Experiment& experiment, std::string_view rung, std::string_view than, double printed) {
  return timed(cells, experiment, rung, than, [printed](const Ratio& ratio) {
    const bool shown = printed > 1 ? ratio.ci95_low > 1 : ratio.ci95_high < 1;
    // A gain may be larger than printed; a cost that is has been understated.
    const bool as_much = ratio.ci95_high >= printed && (printed > 1 || ratio.ci95_low <= printed);
    if (shown) return as_much ? Ruling::holds : Ruling::partly;
    const bool reversed = printed > 1 ? ratio.ci95_high < 1 : ratio.ci95_low > 1;
    return reversed ? Ruling::does_not_hold : Ruling::not_shown;
  });
}

Finding counted(const Cells& cells, const Experiment& experiment, const Rungs& rungs, const Figure& figure, const Judge& judge) {
  Cells telling;
  std::ranges::copy_if(cells, std::back_inserter(telling), [&](const Cell& c) { return figure.of(c).has_value(); });
  telling = together(telling, Source::counts, experiment, rungs);
  if (telling.empty()) return missing(fmt::format("counts of {}", figure.name), rungs);
  Figures figures;
  std::vector<std::string> parts;
  for (const Cell& cell : telling) {
    figures.push_back(*figure.of(cell));
    parts.push_back(fmt::format("{} {}", code(cell.who.rung), shortest(figures.back())));
  }
  std::string what = fmt::format("{}: {}", figure.name, joined(parts));
  const auto [least, most] = std::ranges::minmax(figures);
  if (figures.size() == 2 && least > 0 && most > worth_telling * least) what += fmt::format(", a factor of {:.4g}", most / least);
  return {judge(figures), where(telling[0].key()), what};
}

Finding missing(std::string_view what, const Rungs& rungs) {
  return {{}, "", fmt::format("no {} of {}{} in this run", what, names(rungs), rungs.size() > 1 ? " for one input" : "")};
}

std::string where(const CellKey& key) {
  const std::string_view backend = key.how.backend == Backend::emulated ? "on the emulated backend"
                                   : key.how.backend == Backend::cuda   ? "on the GPU"
                                                                        : "on the CPU";
  return fmt::format("{}, for {}", backend, input_in_words(key));
}

Ruling if_true(bool holds) {
  return holds ? Ruling::holds : Ruling::does_not_hold;
}

Finding told(Finding finding) {
  finding.ruling.reset();
  return finding.where.empty() ? Finding{} : finding;
}

Finding weighed(const std::vector<Finding>& findings) {
  Finding all;
  std::string place;  // of the sentence that is still open
  const auto close = [&] {
    if (!place.empty()) all.what += ", " + place;
    place.clear();
  };
  for (const Finding& one : findings) {
    if (one.what.empty()) continue;
    if (!place.empty() && one.where == place) all.what += "; " + one.what;
    else {
      close();
      all.what += (all.what.empty() ? "" : ". ") + capitalised(one.what);
    }
    place = one.where;
    if (one.ruling) all.ruling = !all.ruling || all.ruling == one.ruling ? one.ruling : Ruling::partly;
  }
  close();
  return all;
}

Finding weighed_only_together(const std::vector<Finding>& findings) {
  Finding all = weighed(findings);
  if (!std::ranges::all_of(findings, [](const Finding& one) { return one.ruling.has_value(); })) all.ruling.reset();
  return all;
}

}  // namespace ladder::reports
