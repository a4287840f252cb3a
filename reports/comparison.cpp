#include "reports/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "compare/statistics.hpp"
#include "reports/ladder.hpp"

namespace ladder::reports {
namespace {

using statistics::Summary;

// above over below
Ratio ratio_of(const Summary& above, const Summary& below) {
  const auto [value, low, high] = statistics::quotient(above, below);
  return {value, low, high, ratio_verdict(low, high)};
}

Summary summary(const Time& t) {
  return {{t.median, t.ci95_low, t.ci95_high}, t.processes};
}

Summary summary(const Ratio& r, unsigned processes) {
  return {{r.value, r.ci95_low, r.ci95_high}, processes};
}

bool is_one(const statistics::Interval& of) {
  return 0 < of.low && of.low <= of.value && of.value <= of.high && std::isfinite(of.high);
}

// What differs from process to process is not in the interval of a single one, and between two runs it always differs.
bool of_several_processes(const Cell& c) {
  return c.time_us && c.time_us->processes >= 2;
}

// "skipped in A", where there is no answer whose time could be compared.
std::string without_answer(const Cell& a, const Cell& b) {
  if (a.verdict == "pass" && b.verdict == "pass") return "";
  if (a.verdict == b.verdict) return a.verdict + " in both";
  if (a.verdict == "pass") return b.verdict + " in B";
  if (b.verdict == "pass") return a.verdict + " in A";
  return fmt::format("{} in A, {} in B", a.verdict, b.verdict);
}

std::string without_time(const Cell& a, const Cell& b) {
  if (!a.time_us || !b.time_us) return fmt::format("no time in {}", a.time_us ? "B" : b.time_us ? "A" : "either");
  if (!is_one(summary(*a.time_us).interval) || !is_one(summary(*b.time_us).interval)) return "an interval that none is";
  if (!of_several_processes(a) || !of_several_processes(b)) return "timed in one process only";
  return "";
}

// Another board of the same model may be compared, a part of one may not.
bool same_gpu(const Machine& a, const Machine& b) {
  const auto model = [](const Gpu& gpu) { return std::tie(gpu.name, gpu.multiprocessors, gpu.memory_bytes, gpu.memory_bus_bits); };
  return a.gpu && b.gpu && model(*a.gpu) == model(*b.gpu);
}

bool two_cards(const Machine& a, const Machine& b) {
  return same_gpu(a, b) && a.gpu->uuid != b.gpu->uuid;
}

bool same_cpu(const Machine& a, const Machine& b) {
  return std::tie(a.cpu, a.cores) == std::tie(b.cpu, b.cores);
}

// Until the host holds the answer, the CPU works too.
std::string other_machine(const CellKey& key, const Machine& a, const Machine& b) {
  if (key.backend == "cuda" && !same_gpu(a, b)) return "another GPU";
  if (key.contract == "host_result" && !same_cpu(a, b)) return "another CPU";
  return "";
}

std::optional<Change> change_of_ratio(const Cell& a, const Cell& b) {
  if (!a.ratios || !b.ratios || !a.ratios->vs_fastest_library || !b.ratios->vs_fastest_library) return {};
  if (!of_several_processes(a) || !of_several_processes(b)) return {};
  const Summary before = summary(*a.ratios->vs_fastest_library, a.time_us->processes);
  const Summary after = summary(*b.ratios->vs_fastest_library, b.time_us->processes);
  if (!is_one(before.interval) || !is_one(after.interval)) return {};
  return Change{before.interval.value, after.interval.value, ratio_of(after, before)};
}

Pair pair_of(const Cell& a, const Cell& b, const Results& in_a, const Results& in_b) {
  Pair pair{b.key, {}, {}, change_of_ratio(a, b)};
  for (const std::string& why : {without_answer(a, b), without_time(a, b), other_machine(b.key, in_a.machine, in_b.machine)})
    if (pair.why_not.empty()) pair.why_not = why;
  if (pair.why_not.empty()) {  // less time is faster
    pair.time_us = Change{a.time_us->median, b.time_us->median, ratio_of(summary(*a.time_us), summary(*b.time_us))};
  }
  return pair;
}

bool shows_difference(const Change& change) {
  return change.ratio.verdict != "no difference shown";
}

}  // namespace

const Change* Pair::decisive() const {
  return time_us ? &*time_us : vs_fastest_library ? &*vs_fastest_library : nullptr;
}

Comparison comparison(const Results& a, const Results& b) {
  std::map<CellKey, Cell> in_a;
  for (const Cell& cell : a.cells)
    if (cell.key.contract) in_a.emplace(cell.key, presentable(cell));
  Comparison all;
  std::size_t in_both = 0;
  for (const Cell& cell : b.cells) {
    if (!cell.key.contract) continue;
    if (const auto same = in_a.find(cell.key); same != in_a.end()) {
      all.pairs.push_back(pair_of(same->second, presentable(cell), a, b));
      ++in_both;
    } else {
      ++all.only_in_b;
    }
  }
  all.only_in_a = in_a.size() - in_both;
  all.two_cards = two_cards(a.machine, b.machine);
  return all;
}

Tally tally(const Comparison& all, Quantity of) {
  Tally count;
  for (const Pair& pair : all.pairs) {
    if (!(pair.*of)) continue;
    const std::string& verdict = (pair.*of)->ratio.verdict;
    ++(verdict == "faster" ? count.faster : verdict == "slower" ? count.slower : count.no_difference);
  }
  return count;
}

std::optional<Spread> spread(const Comparison& all, Quantity of) {
  std::vector<double> ratios;
  for (const Pair& pair : all.pairs)
    if (pair.*of && std::isfinite((pair.*of)->ratio.value)) ratios.push_back((pair.*of)->ratio.value);
  if (ratios.empty()) return {};
  std::ranges::sort(ratios);
  const auto at = [&](double share) { return ratios[static_cast<std::size_t>(std::lround(share * static_cast<double>(ratios.size() - 1)))]; };
  return Spread{at(0.05), at(0.5), at(0.95)};
}

std::vector<const Pair*> differences(const Comparison& all, Quantity of) {
  std::vector<const Pair*> found;
  for (const Pair& pair : all.pairs)
    if ((pair.*of) && shows_difference(*(pair.*of))) found.push_back(&pair);
  std::ranges::stable_sort(found, std::greater{}, [of](const Pair* pair) { return std::abs(std::log((pair->*of)->ratio.value)); });
  return found;
}

bool any_compared(const Comparison& all) {
  return std::ranges::any_of(all.pairs, [](const Pair& pair) { return pair.decisive() != nullptr; });
}

bool any_slower(const Comparison& all) {
  return std::ranges::any_of(all.pairs, [](const Pair& pair) {
    const Change* change = pair.decisive();
    return change != nullptr && change->ratio.verdict == "slower";
  });
}

}  // namespace ladder::reports
