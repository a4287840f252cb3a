#include "reports/numbers/derived_numbers.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "reports/numbers/cells.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/text/lists.hpp"

namespace ladder::reports {
namespace {

using Processes = std::vector<ProcessMedian>;
using statistics::six_digits;

// The median and its interval are of a single process; of several, derive() takes them over the
// processes.
Time time_of(std::vector<double> samples) {
  const auto interval = six_digits(statistics::median_interval(samples));
  std::ranges::sort(samples);
  const auto at = [&](double p) { return six_digits(statistics::quantile(samples, p)); };
  return {.median = interval.value,
          .ci95_low = interval.low,
          .ci95_high = interval.high,
          .min = six_digits(samples.front()),
          .p5 = at(0.05),
          .p25 = at(0.25),
          .p75 = at(0.75),
          .p95 = at(0.95),
          .max = six_digits(samples.back()),
          .samples = static_cast<unsigned>(samples.size()),
          .outliers = statistics::outliers(samples)};
}

Bandwidth bandwidth(const Bytes& bytes, const Time& time) {
  const auto gbps = [&](double us) {
    return six_digits(static_cast<double>(bytes.total()) / us / 1e3);
  };
  return {gbps(time.median), gbps(time.ci95_high), gbps(time.ci95_low)};
}

std::optional<double> median_back_to_back(const Processes& processes) {
  std::vector<double> times;
  for (const ProcessMedian& one : processes)
    if (one.back_to_back_us) times.push_back(*one.back_to_back_us);
  return times.empty() ? std::nullopt : std::optional(statistics::median(times));
}

// The timed cells of one input that were run in one way: those whose times stand beside each other,
// over devices and the references on one. A file may list many, in long chains: each is looked up
// by name, and no chain is walked twice.
class Competition {
 public:
  explicit Competition(const Order& order) : order_(order) {}

  void add(Cell& cell) {
    cells_.push_back(&cell);
    devices_.insert(cell.input.devices);
    by_name_.emplace(cell.who, &cell);
  }

  void set_limit(const Cell& cell) { limit_ = &cell; }

  void compare() {
    const auto references = only(cells_, [](const Cell* cell) { return cell->input.devices == 0; });
    const Cell* fastest_reference = fastest_of(references, time_alone);
    for (Cell* cell : cells_) timing(*cell).ratios = {};
    compare_with_libraries({}, &Ratios::vs_fastest_library, &BackToBack::vs_fastest_library);
    for (Cell* cell : cells_) {
      Ratios& ratios = timing(*cell).ratios;
      ratios.vs_first_rung = against(*cell, first_rung(*cell));
      ratios.vs_followed = against(*cell, below(*cell));
      if (cell->input.devices > 0) ratios.vs_one_device = against(*cell, fastest_reference);
      else ratios.vs_limit = against(*cell, limit_);
    }
  }

  void compare_with_same_promise() {
    for (const Promise promise : {Promise::any_order, Promise::same_bits})
      compare_with_libraries(promise, &Ratios::vs_same_promise, &BackToBack::vs_same_promise);
  }

 private:
  static Timing& timing(Cell& cell) { return *cell.outcome.measured()->timing; }

  static std::optional<Ratio> against(const Cell& cell, const Cell* other,
                                      const TimeOf& time = time_alone) {
    if (other == nullptr || other == &cell) return {};
    return ratio_of(cell.timing()->processes, other->timing()->processes, time.of_process);
  }

  // Each cell with the fastest library over as many devices. With a promise: each hand-written cell
  // that gives it, with the fastest library that promises as much.
  void compare_with_libraries(std::optional<Promise> promise, std::optional<Ratio> Ratios::*alone,
                              std::optional<Ratio> BackToBack::*back_to_back) {
    for (const unsigned devices : devices_) {
      const auto libraries = libraries_with(promise, devices);
      const Cell *fastest_alone = fastest_of(libraries, time_alone),
                 *fastest_back_to_back = fastest_of(libraries, time_back_to_back);
      for (Cell* cell : cells_) {
        if (cell->input.devices != devices ||
            (promise && (is_library(*cell) || promise_of(*cell) != promise)))
          continue;
        Timing& mine = timing(*cell);
        mine.ratios.*alone = against(*cell, fastest_alone);
        if (mine.back_to_back)
          *mine.back_to_back.*back_to_back =
              against(*cell, fastest_back_to_back, time_back_to_back);
      }
    }
  }

  std::optional<Promise> promise_of(const Cell& cell) const {
    const Rung* card = order_.card(cell);
    return card == nullptr ? std::nullopt : card->promise;
  }

  // The rung that it follows, where that one ran too.
  const Cell* below(const Cell& cell) const {
    const Rung* card = order_.card(cell);
    if (card == nullptr || card->follows.empty()) return nullptr;
    const auto found = by_name_.find({cell.who.provider, card->follows});
    return found == by_name_.end() ? nullptr : found->second;
  }

  // Down the ladder as far as it goes. Null where not the whole of it ran, or where it goes round
  // in a circle.
  const Cell* first_rung(const Cell& cell) {
    std::vector<const Cell*> walked;
    const Cell* first = nullptr;
    for (const Cell* at = &cell; at != nullptr; at = below(*at)) {
      // null until it is known, so a circle ends where it began
      const auto [known, is_new] = first_rungs_.emplace(at, nullptr);
      if (!is_new) {
        first = known->second;
        break;
      }
      walked.push_back(at);
      const Rung* card = order_.card(*at);
      if (card != nullptr && card->follows.empty()) first = at;
    }
    for (const Cell* at : walked) first_rungs_[at] = first;
    return first;
  }

  // The libraries over so many devices that promise at least this.
  std::vector<Cell*> libraries_with(std::optional<Promise> least, unsigned devices) const {
    return only(cells_, [&](const Cell* cell) {
      return is_library(*cell) && cell->input.devices == devices &&
             (least != Promise::same_bits || promise_of(*cell) == Promise::same_bits);
    });
  }

  const Order& order_;
  const Cell* limit_ = nullptr;  // of their input; null: it was not timed
  std::vector<Cell*> cells_;
  std::set<unsigned> devices_;
  std::map<Who, const Cell*> by_name_;  // of two with one name, the first
  std::map<const Cell*, const Cell*> first_rungs_;
};

std::map<std::pair<Input, How>, Competition> competitions(Results& results, const Order& order) {
  std::map<std::pair<Input, How>, Competition> all;
  for (Cell& cell : results.cells)
    if (cell.timing() != nullptr)
      all.try_emplace({group_input(cell.input), cell.how}, order).first->second.add(cell);
  for (const Cell& limit : results.limits)
    if (const auto its = all.find({limit.input, limit.how});
        its != all.end() && limit.timing() != nullptr)
      its->second.set_limit(limit);
  return all;
}

void set_flag(Cell& cell, std::string_view flag, bool is_due) {
  if (!is_due) std::erase(cell.flags, flag);
  else if (!has_flag(cell, flag)) cell.flags.emplace_back(flag);
}

// Each device has its own memory and its own cache.
unsigned devices_of(const Cell& cell) {
  return std::max(cell.input.devices, 1U);
}

// The size of the last cache; 0: not known.
std::uint64_t last_cache(const Cell& cell, const Machine& machine) {
  return devices_of(cell) * (cell.how.backend == Backend::cuda
                                 ? machine.gpu ? machine.gpu->l2_bytes : 0
                                 : machine.last_level_cache_bytes);
}

double datasheet_gbps(const Cell& cell, const Machine& machine) {
  return cell.how.backend == Backend::cuda && machine.gpu
             ? devices_of(cell) * machine.gpu->datasheet_gbps
             : 0;
}

void rate(const Cell& cell, const Machine& machine, const Ceilings& ceilings, Timing& timing) {
  const auto medians = each(timing.processes, &ProcessMedian::time_us);
  if (medians.size() == 1) timing.time_us.median = six_digits(medians[0]);
  if (medians.size() >= 2) {
    const auto interval = six_digits(statistics::over_processes(medians));
    timing.time_us.median = interval.value, timing.time_us.ci95_low = interval.low,
    timing.time_us.ci95_high = interval.high;
  }
  const auto back_to_back = median_back_to_back(timing.processes);
  timing.back_to_back = back_to_back ? std::optional(BackToBack{*back_to_back, {}}) : std::nullopt;
  timing.bandwidth_gbps = bandwidth(cell.minimum_bytes, timing.time_us);
  const auto percent = [&](double of) {
    return of > 0 ? std::optional(six_digits(100 * timing.bandwidth_gbps.median / of))
                  : std::nullopt;
  };
  timing.percent_of_ceiling = percent(ceilings.of(cell));
  timing.percent_of_datasheet = percent(datasheet_gbps(cell, machine));
}

// Each cell alone, before any cell is compared with another.
void rate(Cell& cell, const Machine& machine, const Ceilings& ceilings) {
  const Timing* timing = cell.timing();
  set_flag(cell, "fits_in_cache",
           timing != nullptr && cell.minimum_bytes.total() < last_cache(cell, machine));
  if (timing != nullptr) rate(cell, machine, ceilings, *cell.outcome.measured()->timing);
  set_flag(cell, "throttled",
           timing != nullptr && timing->clocks && !timing->clocks->slowed_by.empty());
  set_flag(cell, "unbounded", cell.error() != nullptr && !cell.error()->bound);
  set_flag(cell, "above_ceiling", timing != nullptr && timing->percent_of_ceiling > 100.0);
  // what a CPU's clock resolves, each machine says anew
  if (timing != nullptr && cell.how.backend == Backend::cuda && cell.how.contract)
    set_flag(cell, "below_resolution",
             std::ranges::any_of(timing->processes, [&](const ProcessMedian& one) {
               return one.time_us < gpu_resolution_us(*cell.how.contract);
             }));
}

}  // namespace

Ceilings::Ceilings(const Results& results, const Order& order) : order_(order) {
  for (const Ceiling& c : results.ceilings)
    ceilings_.emplace(std::tuple(c.shard, c.backend, c.access, c.memory), c.bandwidth_gbps);
}

double Ceilings::of(const Cell& cell) const {
  const Operation* operation = order_.operation(cell.input.operation);
  if (operation == nullptr) return 0;
  const Access access = operation->output == Output::one_per_element ? Access::copy : Access::read;
  const Memory memory = cell.how.cache == Cache::warm && has_flag(cell, "fits_in_cache")
                            ? Memory::cache
                            : Memory::dram;
  const auto found = ceilings_.find({cell.shard, cell.how.backend, access, memory});
  return found == ceilings_.end() ? 0 : devices_of(cell) * found->second;
}

void take_samples(const CellSamples& samples, Timing& timing) {
  std::map<unsigned, ProcessMedian> known;  // what is no sample stays
  for (const ProcessMedian& one : timing.processes) known.emplace(one.process, one);
  timing.processes.clear();
  std::vector<double> all;
  for (const auto& [process, times] : samples) {
    timing.processes.push_back({process, six_digits(statistics::median(times)),
                                known[process].back_to_back_us, known[process].devices_us});
    all.insert(all.end(), times.begin(), times.end());
  }
  timing.time_us = time_of(std::move(all));
}

std::optional<Ratio> ratio_of(const Processes& mine, const Processes& others,
                              std::optional<double> (*time)(const ProcessMedian&)) {
  std::map<unsigned, const ProcessMedian*> by_number;
  for (const ProcessMedian& one : others) by_number.emplace(one.process, &one);
  std::vector<double> a, b;
  for (const ProcessMedian& one : mine) {
    const auto other = by_number.find(one.process);
    if (other == by_number.end() || !time(one) || !time(*other->second)) continue;
    a.push_back(*time(one));
    b.push_back(*time(*other->second));
  }
  if (a.size() < 2) return {};
  const auto [value, low, high] = six_digits(statistics::speedup(a, b));
  return Ratio{value, low, high, difference(low, high)};
}

const TimeOf time_alone{
    [](const Cell& cell) { return std::optional(cell.timing()->time_us.median); },
    [](const ProcessMedian& one) { return std::optional(one.time_us); }};
const TimeOf time_back_to_back{[](const Cell& cell) {
                                 return cell.timing()->back_to_back
                                            ? std::optional(cell.timing()->back_to_back->median_us)
                                            : std::nullopt;
                               },
                               [](const ProcessMedian& one) { return one.back_to_back_us; }};

const Cell* fastest_of(std::span<const Cell* const> cells, const TimeOf& time) {
  const Cell* fastest = nullptr;
  for (const Cell* cell : cells) {
    if (!time.of_cell(*cell)) continue;
    if (fastest == nullptr || *time.of_cell(*cell) < *time.of_cell(*fastest)) fastest = cell;
  }
  return fastest;
}

Difference difference(double ci95_low, double ci95_high) {
  return ci95_low > 1    ? Difference::faster
         : ci95_high < 1 ? Difference::slower
                         : Difference::none_shown;
}

bool is_impossible(const Timing& timing, const Cell& cell, const Results& results) {
  const double peak = cell.how.cache == Cache::cold ? datasheet_gbps(cell, results.machine) : 0;
  return peak > 0 && bandwidth(cell.minimum_bytes, timing.time_us).median > peak;
}

void derive(Results& results) {
  const Order order(results);
  const Ceilings ceilings(results, order);
  for (Cells* cells : {&results.cells, &results.limits})
    for (Cell& cell : *cells) rate(cell, results.machine, ceilings);
  for (auto& [input, competition] : competitions(results, order)) competition.compare();
  derive_same_promise(results);
}

void derive_same_promise(Results& results) {
  const Order order(results);
  for (auto& [input, competition] : competitions(results, order))
    competition.compare_with_same_promise();
}

}  // namespace ladder::reports
