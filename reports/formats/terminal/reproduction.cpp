#include "reports/formats/terminal/reproduction.hpp"

#include <fmt/format.h>

#include <tuple>

#include "reports/model/json.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/wrap.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

std::string in_words(const json& value) {
  if (value.is_null()) return "none";
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return text.empty() ? "none" : printable(text);
}

// What was counted; null where nothing was.
json counts_of(const Cell& cell) {
  json all = cell.counters() == nullptr ? json() : json(*cell.counters());
  if (cell.lost_counts()) all["lost_counts"] = *cell.lost_counts();
  return all;
}

// A count that the set does not have is no difference: it may be older than that count.
std::string different_counts(const json& a, const json& b) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : a.items()) {
    const json here = b.is_object() ? b.value(name, json()) : json();
    if (!count.is_null() && count != here)
      parts.push_back(fmt::format("{} {}, here {}", name, in_words(count), in_words(here)));
  }
  return joined(parts);
}

void compare(const Cell& a, const Cell& b, ReproducedRow& row, Reproduction& found) {
  if (!has_answer(b) && b.verdict() == Verdict::skipped) {
    row.not_run = b.reason();
  } else if (a.verdict() != b.verdict()) {
    row.difference = fmt::format("{}, here {}{}{}", verdict_in_words(a.verdict()),
                                 verdict_in_words(b.verdict()), b.passed() ? "" : ": ", b.reason());
    ++found.other_outcomes;
  } else if (const json counts = counts_of(a);
             a.how.backend == Backend::emulated && !counts.is_null()) {
    row.is_counted = true;
    row.difference = different_counts(counts, counts_of(b));
    ++found.counted;
    if (!row.difference.empty()) ++found.differently_counted;
  }
}

// By name. Of the GPU its name alone where only one of the runs used one.
json facts(const Results& results, bool with_gpu) {
  json all{{"commit", results.run.commit + (results.run.dirty ? " with changes" : "")}};
  all.update(json(results.machine));
  all.update(json(results.software));
  json& gpu = all["gpu"];
  if (gpu.is_null()) return all;
  gpu.erase("before"), gpu.erase("after");  // they change from minute to minute
  if (!with_gpu) gpu = json(gpu["name"]), all.erase("further_gpus"), all.erase("links");
  return all;
}

std::vector<std::string> different_surroundings(const Results& a, const Results& b) {
  const bool with_gpu = a.machine.gpu && b.machine.gpu;
  const json there = facts(a, with_gpu).flatten(), here = facts(b, with_gpu).flatten();
  std::vector<std::string> all;
  for (const auto& [name, value] : there.items())
    if (const json its = here.value(name, json()); its != value)
      all.push_back(fmt::format("{}: {}, here {}", name.substr(1), in_words(value), in_words(its)));
  return all;
}

std::string line(const ReproducedRow& row) {
  std::vector<std::string> parts;
  if (!row.not_run.empty()) parts.push_back("not run: " + printable(row.not_run));
  if (row.ratio)
    parts.push_back(
        fmt::format("ratio {}, here {}: {}, {}", factor(row.ratio->a), factor(row.ratio->b),
                    row.ratio->ratio.verdict == Difference::none_shown ? "agrees" : "differs",
                    ratio_text(row.ratio->ratio)));
  if (!row.difference.empty()) parts.push_back("differs: " + printable(row.difference));
  else if (row.is_counted) parts.emplace_back("counts are equal");
  return wrapped(fmt::format(
      "  {}: {}\n", cell_name(row.key),
      parts.empty() ? "runs here too; it has no ratio and no counts" : joined(parts, "; ")));
}

bool differs(const ReproducedRow& row) {
  return !row.difference.empty() ||
         (row.ratio && row.ratio->ratio.verdict != Difference::none_shown);
}

}  // namespace

bool has_answer(const Cell& cell) {
  return cell.passed() || cell.verdict() == Verdict::expected_wrong;
}

bool Reproduction::ratios_agree() const {
  const std::size_t differing = ratios.faster + ratios.slower;
  // that of the intervals: a single row that differs is enough where there is no other
  constexpr double level = 0.05 + 1e-9;
  return statistics::at_least(differing, ratios.compared(), 0.05) > level && !ratios.is_shift();
}

Reproduction reproduction(const Results& a, const Results& b,
                          const std::map<CellKey, std::string>& left_out,
                          const std::map<CellKey, std::string>& unsound) {
  Reproduction found;
  std::map<CellKey, const Cell*> here;
  for (const Cell& cell : b.cells) here.emplace(cell.key(), &cell);
  const Comparison all = comparison(a, b);
  std::map<CellKey, const Pair*> pairs;
  for (const Pair& pair : all.pairs) pairs.emplace(pair.key, &pair);
  found.ratios = tally(all, {&Pair::vs_fastest_library, Contract::device_result});
  if (found.ratios.compared() == 0) found.ratios = tally(all, {&Pair::vs_fastest_library});
  for (const Cell& cell : a.cells) {
    ReproducedRow& row = found.rows.emplace_back();
    row.key = cell.key();
    if (const auto why = left_out.find(row.key); why != left_out.end()) row.not_run = why->second;
    else if (const auto same = here.find(row.key); same == here.end())
      row.not_run = "it was not finished";
    else if (const auto what = unsound.find(row.key); what != unsound.end())
      row.difference = "in the set " + what->second, ++found.unsound;
    else compare(cell, *same->second, row, found);
    if (const auto pair = pairs.find(row.key); pair != pairs.end())
      row.ratio = pair->second->vs_fastest_library;
    if (!row.not_run.empty()) ++found.not_run;
  }
  found.surroundings = different_surroundings(a, b);
  const auto origin = [](const Results& r) {
    return std::tie(r.run.commit, r.run.dirty, r.software.emulated_compiler,
                    r.software.emulated_flags);
  };
  found.counts_may_differ = origin(a) != origin(b);
  return found;
}

std::string rows_text(const Reproduction& found, Told told, std::size_t limit) {
  std::string text;
  std::size_t left = 0, lines = 0;
  for (const ReproducedRow& row : found.rows) {
    if (told == Told::differing && !differs(row)) continue;
    if (lines++ < limit) text += line(row);
    else ++left;
  }
  return left == 0 ? text : text + fmt::format("  and {} more\n", grouped(left));
}

std::string surroundings_text(const Reproduction& found) {
  std::string text = found.surroundings.empty() ? "commit, machine and software are the same\n"
                                                : "commit, machine and software: what differs\n";
  for (const std::string& one : found.surroundings) text += "  " + one + '\n';
  std::map<std::string, std::size_t> reasons;
  for (const ReproducedRow& row : found.rows)
    if (!row.not_run.empty()) ++reasons[row.not_run];
  if (!reasons.empty()) text += "rows that were not run here\n";
  for (const auto& [why, n] : reasons)
    text += fmt::format("  {}: {}\n", grouped(n), printable(why));
  if (found.differently_counted > 0 && found.counts_may_differ)
    text +=
        "counts depend on the rungs and on the compiler of the emulated backend: a difference in "
        "commit, emulated_compiler or emulated_flags "
        "may be the cause\n";
  return wrapped(text);
}

std::string verdict_text(const Reproduction& found) {
  std::vector<std::string> parts;
  const Tally& ratios = found.ratios;
  if (const std::size_t n = ratios.compared(); n > 0)
    parts.push_back(fmt::format(
        "the ratios of {} of {} agree ({:.1f} %; where nothing has changed, about 95 % agree{})",
        grouped(ratios.no_difference), counted(n, "row"),
        100 * static_cast<double>(ratios.no_difference) / static_cast<double>(n),
        ratios.is_shift() ? "; too many of the others differ in the same direction for chance"
                          : ""));
  if (found.counted > 0)
    parts.push_back(fmt::format("the counts of {} of {} are equal to the digit",
                                grouped(found.counted - found.differently_counted),
                                ladder::reports::counted(found.counted, "row")));
  if (found.other_outcomes > 0)
    parts.push_back(
        counted(found.other_outcomes, "row has another outcome", "rows have another outcome"));
  if (found.unsound > 0)
    parts.push_back(counted(found.unsound, "row of the set contradicts itself",
                            "rows of the set contradict themselves"));
  if (found.not_run > 0)
    parts.push_back(counted(found.not_run, "row was not run here", "rows were not run here"));
  return wrapped(fmt::format("{}: {}\n", found.reproduced() ? "reproduced" : "not reproduced",
                             enumerated(parts)));
}

}  // namespace ladder::reports
