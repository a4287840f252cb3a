#include "compare/driver/assemble.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "compare/driver/machine.hpp"
#include "compare/driver/timing.hpp"
#include "reports/statistics.hpp"
#include "reports/clocks.hpp"
#include "reports/ladder.hpp"

namespace ladder {
namespace {

using reports::Cell;

// The worse verdict of two processes is the cell's: one wrong answer is enough.
int severity(std::string_view verdict) {
  constexpr std::string_view order[] = {"skipped", "pass", "expected_wrong", "fail"};  // no room in one process is no verdict on the others
  return static_cast<int>(std::ranges::find(order, verdict) - std::begin(order));
}

void add_flag(Cell& cell, const std::string& flag) {
  if (!reports::has_flag(cell, flag)) cell.flags.push_back(flag);
}

// Bytes in a microsecond are 10^6 bytes in a second.
reports::Bandwidth bandwidth(std::uint64_t bytes, const reports::Time& time) {
  const auto gbps = [&](double us) { return static_cast<double>(bytes) / us / 1e3; };
  return {gbps(time.median), gbps(time.ci95_high), gbps(time.ci95_low)};
}

// Paired by process, so that what one process suffered is not taken for a difference. Nothing with fewer than two processes in common.
std::optional<reports::Ratio> ratio(const ProcessMedians& mine, const ProcessMedians& others) {
  std::vector<double> a, b;
  for (const auto& [process, median] : mine) {
    if (const auto other = others.find(process); other != others.end()) {
      a.push_back(median);
      b.push_back(other->second);
    }
  }
  if (a.size() < 2) return {};
  const auto speedup = statistics::speedup(a, b);
  return reports::Ratio{speedup.value, speedup.low, speedup.high, reports::ratio_verdict(speedup.low, speedup.high)};
}

// The cells of one group.
class GroupAssembly {
 public:
  GroupAssembly(const Group& group, const std::vector<Race>& races, const std::map<std::string, Loss>& losses, const reports::Results& run)
      : group_(group), races_(races), losses_(losses), ceilings_(run.ceilings), gpu_(run.machine.gpu) {}

  std::vector<Cell> cells() {
    for (const auto& rung : group_.rungs) add(rung);
    for (const auto& [rung, reason] : group_.skipped) {
      Cell& cell = cells_.emplace_back(blank(rung));
      cell.verdict = "skipped";
      cell.reason = reason;
    }
    share_minimum_bytes();
    for (Cell& cell : cells_) rate(cell);  // all, before any is compared with another
    for (Cell& cell : cells_) compare(cell);
    return std::move(cells_);
  }

 private:
  Cell blank(const protocol::Listing& rung) const {
    Cell cell;
    cell.key = key_of(group_.problem, group_.backend, group_.contract, group_.cache);
    cell.key.provider = rung.provider;
    cell.key.rung = rung.rung;
    cell.notes = rung.notes;
    cell.idea = rung.idea;
    cell.improves_on = rung.follows;
    return cell;
  }

  void add(const protocol::Listing& rung) {
    Cell cell = blank(rung);
    ProcessMedians medians;
    std::vector<double> samples, cycles, back_to_back;
    bool converged = true;
    for (unsigned process = 0; process < races_.size(); ++process) {
      const Race& race = races_[process];
      const auto measured = race.cells.find(rung.path);
      if (measured == race.cells.end() || (group_.timed() && !race.done)) continue;  // a race that was cut short has no result
      if (group_.counts_in(process)) {
        count(measured->second, cell);
        continue;
      }
      take(measured->second, cell);
      converged = converged && measured->second.converged;
      if (measured->second.sm_cycles) cycles.push_back(*measured->second.sm_cycles);
      if (measured->second.back_to_back_us) back_to_back.push_back(*measured->second.back_to_back_us);
      if (measured->second.clocks) reports::merge(*measured->second.clocks, cell.clocks);
      if (const auto taken = race.samples.find(rung.path); taken != race.samples.end()) {
        std::vector<double> times;
        for (const auto& sample : taken->second) times.push_back(sample.us);
        medians[process] = statistics::median(times);
        samples.insert(samples.end(), times.begin(), times.end());
      }
    }
    if (const auto loss = losses_.find(rung.path); loss != losses_.end()) {
      cell.verdict = loss->second.verdict;
      cell.reason = loss->second.reason;
    }
    if (cell.verdict.empty()) return;
    if (cell.verdict != "expected_wrong") cell.lost_counts.reset();  // there they are the lesson
    if (cell.verdict != "pass") {                                    // no verdict, no numbers
      cell.counters.reset();
      cell.error.reset();
      cell.clocks.reset();
    } else if (group_.timed() && !samples.empty()) {
      cell.time_us = time_of(medians, std::move(samples), converged);
      if (!cycles.empty()) cell.sm_cycles = statistics::median(cycles);
      if (!back_to_back.empty()) cell.time_us->batch_mean = statistics::median(back_to_back);
      medians_[{cell.key.provider, cell.key.rung}] = std::move(medians);
    }
    cells_.push_back(std::move(cell));
  }

  static void take(const protocol::MeasuredCell& measured, Cell& cell) {
    for (const auto& flag : measured.flags) add_flag(cell, flag);
    if (!cell.verdict.empty() && severity(measured.verdict) <= severity(cell.verdict)) return;
    cell.verdict = measured.verdict;
    cell.reason = measured.reason.empty() ? std::nullopt : std::optional(measured.reason);
    cell.minimum_bytes = measured.bytes_read + measured.bytes_written;
    cell.error = measured.error;
    cell.counters = measured.counters;
    cell.lost_counts = measured.lost_counts;
  }

  // Of what was timed before, and keeps its time whatever became of the counters; unless the answer was wrong.
  static void count(const protocol::MeasuredCell& counted, Cell& cell) {
    if (counted.verdict == "fail") take(counted, cell);
    else if (counted.counters) cell.counters = counted.counters;
    else add_flag(cell, "not_counted");
  }

  // It belongs to the input: a cell that never got as far has it from the others.
  void share_minimum_bytes() {
    std::uint64_t bytes = 0;
    for (const Cell& cell : cells_) bytes = std::max(bytes, cell.minimum_bytes);
    for (Cell& cell : cells_) cell.minimum_bytes = bytes;
  }

  void rate(Cell& cell) {
    if (!cell.time_us) return;
    cell.bandwidth_gbps = bandwidth(cell.minimum_bytes, *cell.time_us);
    const reports::Ceiling* ceiling = reports::ceiling_of(cell, ceilings_);
    if (ceiling != nullptr && ceiling->bandwidth_gbps > 0) {
      cell.percent_of_ceiling = 100 * cell.bandwidth_gbps->median / ceiling->bandwidth_gbps;
      if (*cell.percent_of_ceiling > 100) add_flag(cell, "above_ceiling");
    }
    if (group_.backend == "cuda" && gpu_ && gpu_->datasheet_gbps > 0) {
      cell.percent_of_datasheet = 100 * cell.bandwidth_gbps->median / gpu_->datasheet_gbps;
      if (*cell.percent_of_datasheet > 100 && cell.key.cache == "cold") reject(cell, "faster than the memory's own clock and width allow");
    }
  }

  void compare(Cell& cell) {
    if (!cell.time_us) return;
    const reports::Ratios ratios{against(cell, first_rung(cell)), against(cell, fastest_library())};
    if (ratios.vs_first_rung || ratios.vs_fastest_library) cell.ratios = ratios;
  }

  // A time that cannot be is no time.
  static void reject(Cell& cell, const char* reason) {
    cell.verdict = "fail";
    cell.reason = reason;
    cell.time_us.reset();
    cell.bandwidth_gbps.reset();
    cell.percent_of_ceiling.reset();
    cell.percent_of_datasheet.reset();
    cell.sm_cycles.reset();
    cell.clocks.reset();
    cell.error.reset();
    cell.counters.reset();
  }

  std::optional<reports::Ratio> against(const Cell& cell, const Cell* other) const {
    if (other == nullptr || other == &cell || !other->time_us) return {};
    return ratio(medians_.at({cell.key.provider, cell.key.rung}), medians_.at({other->key.provider, other->key.rung}));
  }

  // Down the ladder from this cell as far as it goes in this group.
  const Cell* first_rung(const Cell& cell) const {
    const Cell* at = &cell;
    std::set<const Cell*> seen;
    while (!at->improves_on.empty() && seen.insert(at).second) {
      const auto below =
          std::ranges::find_if(cells_, [&](const Cell& c) { return c.key.provider == at->key.provider && c.key.rung == at->improves_on; });
      if (below == cells_.end()) return nullptr;  // not the whole chain was run
      at = &*below;
    }
    return at->improves_on.empty() ? at : nullptr;  // a chain that bites its own tail has no first rung
  }

  const Cell* fastest_library() const {
    const Cell* fastest = nullptr;
    for (const Cell& cell : cells_)
      if (cell.key.provider != "handwritten" && cell.time_us && (fastest == nullptr || cell.time_us->median < fastest->time_us->median))
        fastest = &cell;
    return fastest;
  }

  const Group& group_;
  const std::vector<Race>& races_;
  const std::map<std::string, Loss>& losses_;
  const std::vector<reports::Ceiling>& ceilings_;
  const std::optional<reports::Gpu>& gpu_;
  std::vector<Cell> cells_;
  std::map<std::pair<std::string, std::string>, ProcessMedians> medians_;  // by provider and rung, of the cells with a time
};

std::vector<reports::Effort> efforts(const Plan& plan) {
  std::vector<reports::Effort> all;
  for (const Group& group : plan.groups) {
    const Effort& e = group.effort;
    const reports::Effort effort{group.backend, e.processes, e.min_samples, e.max_samples, e.max_seconds};
    if (group.timed() && std::ranges::find(all, effort) == all.end()) all.push_back(effort);
  }
  return all;
}

// By input, the backends one after the other, and in each group up the ladder.
void sort(std::vector<Cell>& cells) {
  std::map<std::string, std::vector<Cell>> by_operation;
  for (const Cell& cell : cells) by_operation[cell.key.operation].push_back(cell);
  std::map<std::string, std::map<reports::RungName, std::size_t>> order;
  for (const auto& [operation, its_cells] : by_operation) order[operation] = reports::ladder_order(its_cells);
  const auto place = [&](const Cell& cell) {
    const reports::CellKey& k = cell.key;
    return std::tuple(reports::rank_of_operation(k.operation), k.operation, reports::rank_of_backend(k.backend), k.contract, k.cache,
                      reports::rank_of_operator(k.op), reports::rank_of_dtype(k.dtype), k.n, k.distribution, k.bins,
                      order.at(k.operation).at({k.provider, k.rung}));
  };
  std::ranges::stable_sort(cells, [&](const Cell& a, const Cell& b) { return place(a) < place(b); });
}

}  // namespace

reports::Results assemble(const Catalogue& catalogue, const Record& record, const reports::Run& run) {
  reports::Results results;
  results.run = run;
  results.run.efforts = efforts(record.plan());
  describe_machine(catalogue, record.plan(), results);
  for (const auto& [backend, limits] : record.limits()) {
    for (const auto& ceiling : limits.at("ceilings")) results.ceilings.push_back(ceiling);
    for (const auto& overhead : limits.at("overheads")) results.overheads.push_back(overhead);
  }
  for (std::size_t g = 0; g < record.plan().groups.size(); ++g)
    for (Cell& cell : GroupAssembly(record.plan().groups[g], record.races(g), record.losses(g), results).cells())
      results.cells.push_back(std::move(cell));
  sort(results.cells);
  return results;
}

}  // namespace ladder
