#include "compare/driver/results/assemble.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "compare/driver/plan/cell_key.hpp"
#include "compare/driver/results/machine.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/statistics.hpp"

namespace ladder {
namespace {

using reports::Cell, reports::Failure, reports::Measured, reports::Verdict;

// The worse verdict of two processes is the cell's: one wrong answer is enough. No room in one
// process is no verdict on the others.
int severity(Verdict verdict) {
  constexpr Verdict order[] = {Verdict::skipped, Verdict::pass, Verdict::expected_wrong,
                               Verdict::fail};
  return static_cast<int>(std::ranges::find(order, verdict) - std::begin(order));
}

// One rung of a group: what its processes found.
class Findings {
 public:
  void add(const protocol::MeasuredCell& found, const std::vector<protocol::Sample>* samples) {
    judge(found);
    if (found.sm_cycles) cycles_.push_back(*found.sm_cycles);
    if (found.clocks) reports::merge(*found.clocks, clocks_);
    if (samples == nullptr) return;
    const unsigned process = samples->front().process;
    processes_.push_back({process, 0, found.back_to_back_us, found.devices_us});
    for (const protocol::Sample& sample : *samples) samples_[process].push_back(sample.us);
  }

  // Adds what the hardware's counters gave. The rung keeps its time whatever became of them, unless
  // the answer was wrong.
  void add_counted(const protocol::MeasuredCell& counted) {
    if (counted.verdict == Verdict::fail) judge(counted);
    else if (counted.counters) counters_ = counted.counters;
    else flags_.emplace("not_counted");
  }

  bool empty() const { return !worst_; }

  void describe(Cell& cell) && {
    cell.flags = {flags_.begin(), flags_.end()};
    cell.minimum_bytes = worst_->minimum_bytes;
    if (worst_->verdict != Verdict::pass) {
      // there they are the lesson
      const auto lost =
          worst_->verdict == Verdict::expected_wrong ? worst_->lost_counts : std::nullopt;
      cell.outcome = Failure{worst_->verdict, worst_->reason, lost};
      return;
    }
    Measured measured{{}, worst_->error, counters_ ? counters_ : worst_->counters};
    if (!samples_.empty()) {
      reports::Timing& timing = measured.timing.emplace();
      timing.processes = std::move(processes_);
      reports::take_samples(samples_, timing);
      if (!cycles_.empty()) timing.sm_cycles = statistics::median(cycles_);
      timing.clocks = std::move(clocks_);
    }
    cell.outcome = std::move(measured);
  }

 private:
  void judge(const protocol::MeasuredCell& found) {
    flags_.insert(found.flags.begin(), found.flags.end());
    if (!worst_ || severity(found.verdict) > severity(worst_->verdict)) worst_ = found;
  }

  std::optional<protocol::MeasuredCell> worst_;
  std::set<std::string> flags_;
  std::vector<reports::ProcessMedian> processes_;
  reports::CellSamples samples_;
  std::vector<double> cycles_;
  std::optional<reports::Clocks> clocks_;
  std::optional<reports::Counters> counters_;
};

Cell blank(const Group& group, const protocol::Listing& rung) {
  Cell cell;
  static_cast<reports::CellKey&>(cell) =
      key_of(group.problem_of(rung), {group.backend, group.contract, group.cache});
  cell.who = {rung.provider, rung.rung};
  return cell;
}

// Empty where the cell was not finished.
std::optional<Cell> cell_of(const Record& record, std::size_t g, const protocol::Listing& rung) {
  const Group& group = record.plan().groups[g];
  Findings findings;
  for (unsigned process = 0; process < record.contests(g).size(); ++process) {
    const Contest& contest = record.contests(g)[process];
    const auto found = contest.cells.find(rung.path);
    // a contest that was cut short has no result
    if (found == contest.cells.end() || (group.timed() && !contest.done)) continue;
    const auto samples = contest.samples.find(rung.path);
    if (group.counts_in(process)) findings.add_counted(found->second);
    else findings.add(found->second, samples == contest.samples.end() ? nullptr : &samples->second);
  }
  Cell cell = blank(group, rung);
  const auto loss = record.losses(g).find(rung.path);
  const bool lost = loss != record.losses(g).end();
  if (findings.empty() && !lost) return {};
  if (!findings.empty()) std::move(findings).describe(cell);
  if (lost) cell.outcome = Failure{loss->second.verdict, loss->second.reason};
  return cell;
}

// What has to be moved belongs to the input: a cell that never got as far has it from the others
// over as many devices.
void share_minimum_bytes(std::span<Cell> cells) {
  std::map<unsigned, reports::Bytes> bytes;  // by devices
  for (const Cell& cell : cells)
    if (cell.minimum_bytes != reports::Bytes{}) bytes[cell.input.devices] = cell.minimum_bytes;
  for (Cell& cell : cells) cell.minimum_bytes = bytes[cell.input.devices];
}

void add_group(const Record& record, std::size_t g, reports::Results& results) {
  const std::size_t first = results.cells.size();
  for (const auto& rung : record.plan().groups[g].rungs)
    if (auto cell = cell_of(record, g, rung))
      (is_limit(*cell) ? results.limits : results.cells).push_back(*std::move(cell));
  for (const auto& [rung, reason] : record.plan().groups[g].skipped) {
    Cell& cell = results.cells.emplace_back(blank(record.plan().groups[g], rung));
    cell.outcome = Failure{Verdict::skipped, reason};
  }
  share_minimum_bytes(std::span(results.cells).subspan(first));
}

// Judges the medians that derive() gave. True where it rejected a cell: derive() again, so that no
// other is compared with it.
bool reject_impossible(reports::Results& results) {
  bool any = false;
  for (Cell& cell : results.cells) {
    if (cell.timing() == nullptr || !is_impossible(*cell.timing(), cell, results)) continue;
    cell.outcome = Failure{Verdict::fail, "faster than the memory's own clock and width allow"};
    any = true;
  }
  return any;
}

std::vector<reports::Effort> efforts(const Plan& plan) {
  std::vector<reports::Effort> all;
  for (const Group& group : plan.groups) {
    const Effort& e = group.effort;
    if (group.timed())
      unite(all, {{group.backend, e.processes, e.min_samples, e.max_samples, e.max_seconds}});
  }
  return all;
}

// The operations and the rungs of the cells, as they describe themselves.
void describe(const Catalogue& catalogue, const Plan& plan, reports::Results& results) {
  std::set<std::string> planned;
  const auto add = [&](const protocol::Listing& rung) {
    planned.insert(rung.operation);
    reports::Rung its = rung;
    its.file = file_of(rung.path, catalogue.sources);
    unite(results.rungs, {its});
  };
  for (const Group& group : plan.groups) {
    for (const auto& rung : group.rungs)
      if (!is_limit(rung.path)) add(rung);
    for (const auto& skipped : group.skipped) add(skipped.rung);
  }
  results.sources = sources_of(results.rungs, catalogue.sources);
  results.operations = catalogue.operations();
  std::erase_if(results.operations, [&](const reports::Operation& operation) {
    return !planned.contains(operation.name);
  });
}

}  // namespace

reports::Results assemble(const Catalogue& catalogue, const Record& record,
                          const reports::Run& run) {
  reports::Results results;
  results.run = run;
  results.run.efforts = efforts(record.plan());
  if (record.plan().share) results.shard = record.plan().share->shard;
  results.kernels = catalogue.kernels;
  describe_machine(catalogue, record.plan(), results);
  describe(catalogue, record.plan(), results);
  for (const auto& [backend, limits] : record.limits()) {
    results.ceilings.insert(results.ceilings.end(), limits.ceilings.begin(), limits.ceilings.end());
    results.overheads.insert(results.overheads.end(), limits.overheads.begin(),
                             limits.overheads.end());
  }
  for (std::size_t g = 0; g < record.plan().groups.size(); ++g) add_group(record, g, results);
  reports::sort(results);
  derive(results);
  if (reject_impossible(results)) derive(results);
  return results;
}

}  // namespace ladder
