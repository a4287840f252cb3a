#include "reports/numbers/compare_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/statistics.hpp"

namespace ladder::reports {
namespace {

using statistics::Summary;

// above over below
Ratio ratio_of(const Summary& above, const Summary& below) {
  const auto [value, low, high] = statistics::quotient(above, below);
  return {value, low, high, difference(low, high)};
}

Summary summary(const Timing& t) {
  return {{t.time_us.median, t.time_us.ci95_low, t.time_us.ci95_high},
          static_cast<unsigned>(t.processes.size())};
}

Summary summary(const Ratio& r, const Timing& t) {
  return {{r.value, r.ci95_low, r.ci95_high}, static_cast<unsigned>(t.processes.size())};
}

bool is_one(const statistics::Interval& of) {
  return 0 < of.low && of.low <= of.value && of.value <= of.high && std::isfinite(of.high);
}

// What differs from process to process is not in the interval of a single one, and between two runs
// it always differs.
bool of_several_processes(const Cell& c) {
  return c.timing() != nullptr && c.timing()->processes.size() >= 2;
}

// "skipped in A", where there is no answer whose time could be compared.
std::string without_answer(const Cell& a, const Cell& b) {
  if (a.passed() && b.passed()) return "";
  const auto was = name_of(a.verdict()), is = name_of(b.verdict());
  if (was == is) return fmt::format("{} in both", is);
  if (a.passed()) return fmt::format("{} in B", is);
  if (b.passed()) return fmt::format("{} in A", was);
  return fmt::format("{} in A, {} in B", was, is);
}

std::string without_time(const Cell& a, const Cell& b) {
  if (a.timing() == nullptr || b.timing() == nullptr)
    return fmt::format("no time in {}", a.timing() != nullptr   ? "B"
                                        : b.timing() != nullptr ? "A"
                                                                : "either");
  if (!is_one(summary(*a.timing()).interval) || !is_one(summary(*b.timing()).interval))
    return "malformed interval";
  if (!of_several_processes(a) || !of_several_processes(b)) return "timed in one process only";
  return "";
}

// Another board of the same model may be compared, a part of one may not.
bool same_gpu(const Machine& a, const Machine& b) {
  const auto model = [](const Gpu& gpu) {
    return std::tie(gpu.name, gpu.multiprocessors, gpu.memory_bytes, gpu.memory_bus_bits);
  };
  return a.gpu && b.gpu && model(*a.gpu) == model(*b.gpu);
}

bool two_cards(const Results& a, const Results& b) {
  if (!same_gpu(a.machine, b.machine)) return false;
  const std::string& uuid = a.machine.gpu->uuid;
  // that of several cards is empty
  return uuid != b.machine.gpu->uuid || (uuid.empty() && !a.merged.empty());
}

bool same_cpu(const Machine& a, const Machine& b) {
  return std::tie(a.cpu, a.cores) == std::tie(b.cpu, b.cores);
}

// Until the host holds the answer, the CPU works too.
std::string_view other_machine(const CellKey& key, const Machine& a, const Machine& b) {
  if (key.how.backend == Backend::cuda && !same_gpu(a, b)) return another_gpu;
  if (key.how.contract == Contract::host_result && !same_cpu(a, b)) return another_cpu;
  return "";
}

std::optional<Change> change_of_ratio(const Cell& a, const Cell& b) {
  if (!of_several_processes(a) || !of_several_processes(b)) return {};
  const bool has_library = a.timing()->ratios.vs_fastest_library.has_value();
  const auto ratio = has_library ? &Ratios::vs_fastest_library : &Ratios::vs_one_device;
  const auto &in_a = a.timing()->ratios.*ratio, &in_b = b.timing()->ratios.*ratio;
  if (!in_a || !in_b) return {};
  const Summary before = summary(*in_a, *a.timing()), after = summary(*in_b, *b.timing());
  if (!is_one(before.interval) || !is_one(after.interval)) return {};
  return Change{before.interval.value, after.interval.value, ratio_of(after, before)};
}

Pair pair_of(const Cell& a, const Cell& b, const Results& in_a, const Results& in_b) {
  Pair pair{b.key(), {}, {}, change_of_ratio(a, b)};
  for (const std::string& why : {without_answer(a, b), without_time(a, b),
                                 std::string(other_machine(b.key(), in_a.machine, in_b.machine))})
    if (pair.why_not.empty()) pair.why_not = why;
  if (pair.why_not.empty()) {  // less time is faster
    pair.time_us = Change{a.timing()->time_us.median, b.timing()->time_us.median,
                          ratio_of(summary(*a.timing()), summary(*b.timing()))};
  }
  return pair;
}

bool shows_difference(const Change& change) {
  return change.ratio.verdict != Difference::none_shown;
}

}  // namespace

const Change* Pair::decisive() const {
  return time_us ? &*time_us : vs_fastest_library ? &*vs_fastest_library : nullptr;
}

Comparison comparison(const Results& a, const Results& b) {
  std::map<CellKey, const Cell*> in_a;
  for (const Cell& cell : a.cells)
    if (cell.how.contract) in_a.emplace(cell.key(), &cell);
  Comparison all;
  for (const Cell& cell : b.cells) {
    if (!cell.how.contract) continue;
    if (const auto same = in_a.extract(cell.key()))
      all.pairs.push_back(pair_of(*same.mapped(), cell, a, b));
    else if (cell.timing() != nullptr) ++all.only_in_b;
  }
  all.only_in_a = static_cast<std::size_t>(
      std::ranges::count_if(in_a, [](const auto& one) { return one.second->timing() != nullptr; }));
  all.two_cards = two_cards(a, b);
  return all;
}

const Change* Quantity::in(const Pair& pair) const {
  return pair.*of && (!contract || pair.key.how.contract == contract) ? &*(pair.*of) : nullptr;
}

Tally tally(const Comparison& all, const Quantity& quantity) {
  Tally count;
  for (const Pair& pair : all.pairs)
    if (const Change* const change = quantity.in(pair)) count.add(change->ratio.verdict);
  return count;
}

void Tally::add(Difference verdict) {
  ++(verdict == Difference::faster   ? faster
     : verdict == Difference::slower ? slower
                                     : no_difference);
}

void Tally::add(const Tally& other) {
  faster += other.faster, slower += other.slower, no_difference += other.no_difference;
}

bool Tally::is_shift() const {
  return faster + slower > 0 &&
         statistics::both_sides_of_even(std::min(faster, slower), faster + slower) < 0.01;
}

std::optional<Spread> spread(const Comparison& all, const Quantity& quantity) {
  std::vector<double> ratios;
  for (const Pair& pair : all.pairs)
    if (const Change* const change = quantity.in(pair);
        change != nullptr && std::isfinite(change->ratio.value))
      ratios.push_back(change->ratio.value);
  if (ratios.empty()) return {};
  std::ranges::sort(ratios);
  const auto at = [&](double share) {
    return ratios[static_cast<std::size_t>(
        std::lround(share * static_cast<double>(ratios.size() - 1)))];
  };
  return Spread{at(0.05), at(0.5), at(0.95)};
}

std::vector<const Pair*> differences(const Comparison& all, const Quantity& quantity) {
  std::vector<const Pair*> found;
  for (const Pair& pair : all.pairs)
    if (const Change* const change = quantity.in(pair);
        change != nullptr && shows_difference(*change))
      found.push_back(&pair);
  std::ranges::stable_sort(found, std::greater{}, [&](const Pair* pair) {
    return std::abs(std::log(quantity.in(*pair)->ratio.value));
  });
  return found;
}

bool any_compared(const Comparison& all) {
  return std::ranges::any_of(all.pairs,
                             [](const Pair& pair) { return pair.decisive() != nullptr; });
}

bool any_slower(const Comparison& all) {
  return std::ranges::any_of(all.pairs, [](const Pair& pair) {
    const Change* change = pair.decisive();
    return change != nullptr && change->ratio.verdict == Difference::slower;
  });
}

}  // namespace ladder::reports
