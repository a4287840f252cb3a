#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/disk/find_result_file.hpp"
#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/plan/plan.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/terminal/reproduction.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/wrap.hpp"

namespace ladder {
namespace {

using reports::Cell, reports::CellKey;

constexpr std::size_t told_on_a_terminal = 20;

using Why = std::map<CellKey, std::string>;

// The rows of this set whose numbers contradict each other. What contradicts itself elsewhere is no
// set to reproduce.
Why contradictions(const fs::path& file, const reports::Results& set) {
  std::map<std::string, std::string> errors;
  for (const auto& [where, what] : judge(file, set).errors) errors.emplace(where, what);
  Why rows;
  for (const reports::PlacedCell& cell : placed_cells(set))
    if (auto error = errors.extract(place_of(cell)))
      rows.emplace(cell->key(), std::move(error.mapped()));
  if (!errors.empty())
    throw UsageError("{}: {}; no run can reproduce that", reports::printable(errors.begin()->first),
                     reports::printable(errors.begin()->second));
  return rows;
}

CellKey group_of(const Cell& cell) {
  CellKey group = cell.key();
  group.input = group_input(group.input);  // references are of it too
  group.who = {};
  return group;
}

struct Reproducible {
  Plan plan;
  Why left_out;  // rows that cannot be run here, and why
};

// Makes groups of the cells of a set.
struct Replanner {
  struct Taken {  // the most that a cell of a group has, over all its processes
    unsigned processes = 0, samples = 0;
  };

  const reports::Results& set;
  const reports::Choice& choice;
  const Catalogue& catalogue;
  unsigned devices;  // the most of any row of the set
  bool process_for_each_device;
  std::map<CellKey, Taken> taken = {};
  std::map<CellKey, std::size_t> groups = {};
  Reproducible all{{set.run.seed, {}}, {}};

  Reproducible plan() && {
    for (const Cell& cell : set.cells) {
      if (cell.timing() == nullptr) continue;
      Taken& most = taken[group_of(cell)];
      most.processes =
          std::max(most.processes, static_cast<unsigned>(cell.timing()->processes.size()));
      most.samples = std::max(most.samples, cell.timing()->time_us.samples);
    }
    for (const Cell& cell : set.cells)
      if (fits(choice, cell.key()))
        if (const std::string why = add(cell); !why.empty()) all.left_out[cell.key()] = why;
    // without its libraries and references a group has no ratio, whatever was chosen
    for (const Cell& cell : set.cells)
      if (cell.how.contract && !fits(choice, cell.key()) && groups.contains(group_of(cell)) &&
          (is_library(cell) || is_reference(cell)))
        add(cell);
    add_limits(catalogue, all.plan);
    return std::move(all);
  }

  bool is_reference(const Cell& cell) const {
    return cell.input.devices == 0 &&
           all.plan.groups[groups.at(group_of(cell))].problem.devices > 0;
  }

  // Returns why it cannot be run here.
  std::string add(const Cell& cell) {
    const reports::Input& input = cell.input;
    const reports::Who& who = cell.who;
    const reports::How& how = cell.how;
    if (input.process_for_each_device != process_for_each_device)
      return process_for_each_device
                 ? "one process had all devices; leave out --launcher"
                 : "each device had a process of its own; add --launcher, such as --launcher env";
    const Backend& backend = catalogue.backend(how.backend);
    if (!backend.runs())
      return fmt::format("{} does not run here: {}", name_of(how.backend), backend.unavailable);
    const auto rung =
        std::ranges::find_if(backend.implementations, [&](const protocol::Listing& one) {
          return one.operation == input.operation && one.provider == who.provider &&
                 one.rung == who.rung && one.over_devices == (input.devices > 0);
        });
    if (rung == backend.implementations.end())
      return fmt::format("{} has no {} here", name_of(how.backend),
                         full_name(input.operation, who));
    const auto kind =
        std::ranges::find_if(backend.kinds, [&](const protocol::OperationListing& one) {
          return one.operation == input.operation && one.op == input.op.value_or("") &&
                 one.dtype == input.dtype;
        });
    if (kind == backend.kinds.end())
      return fmt::format("there is no {} {} of {} here", input.operation, input.op.value_or(""),
                         input.dtype);

    // a reference runs in each process too
    const unsigned needed = process_for_each_device ? devices : input.devices;
    if (process_for_each_device && devices == 0)
      return "no row of the set says over how many devices it was";
    if (backend.devices < needed)
      return fmt::format("{} has {} here", name_of(how.backend),
                         reports::counted(backend.devices, "device"));

    const ProblemSpec problem{input.operation, input.op.value_or(""), input.dtype,
                              input.n,         input.distribution,    input.bins.value_or(0),
                              set.run.seed,    input.offset};
    Group group = new_group(backend, problem, how.contract, how.cache);
    if (std::string why = reason_to_skip(*kind, group, *rung); !why.empty()) return why;
    const auto [at, is_new] = groups.try_emplace(group_of(cell), all.plan.groups.size());
    if (is_new) {
      if (group.timed()) group.effort = effort_of(group_of(cell));
      group.number = at->second;
      all.plan.groups.push_back(std::move(group));
    }
    Group& its = all.plan.groups[at->second];
    its.problem.devices = std::max(its.problem.devices, needed);
    its.problem.process_for_each_device = process_for_each_device;
    its.rungs.push_back(*rung);
    return "";
  }

  // A set records its rules, and not which of them a group had: most likely the least that allows
  // the samples of its cells.
  Effort effort_of(const CellKey& group) const {
    const auto found = taken.find(group);
    const Taken most = found == taken.end() ? Taken{} : found->second;
    const auto likely = [&](const reports::Effort& one) {
      const bool is_possible = most.samples >= one.processes * one.min_samples &&
                               most.samples <= one.processes * one.max_samples;
      return std::pair(!is_possible, one.max_samples);
    };
    const reports::Effort* its = nullptr;
    for (const reports::Effort& one : set.run.efforts)
      if (one.backend == group.how.backend && one.processes == most.processes &&
          (its == nullptr || likely(one) < likely(*its)))
        its = &one;
    if (its != nullptr)
      return {its->processes, its->min_samples, its->max_samples, its->max_seconds};
    return std::ranges::find(preset("quick"), group.how.backend, &PresetRow::backend)->effort;
  }
};

}  // namespace

int reproduce_command(const fs::path& given, const RunOptions& options, const fs::path& workers,
                      const std::string& command) {
  const fs::path file = result_file(given), text_file = options.out / "reproduction.txt";
  reports::Results set = reports::read(file);
  const Why unsound = contradictions(file, set);
  reports::Choice choice = options.selection;
  validate(choice, set);
  const unsigned devices = most_devices_of(set.cells);
  const Catalogue catalogue = catalogue_for_run(options, workers, devices);
  // there is nothing to reproduce
  std::erase_if(set.cells, [](const Cell& cell) { return !has_answer(cell); });
  const auto [plan, left_out] =
      Replanner{set, choice, catalogue, devices, !options.launcher.empty()}.plan();
  std::erase_if(set.cells, [&](const Cell& cell) { return !fits(choice, cell.key()); });
  if (plan.groups.empty())
    throw UsageError(set.cells.empty()
                         ? fmt::format("no selected row of {} has an answer", file.string())
                         : fmt::format("no selected row of {} can be run here; the first: {}",
                                       file.string(),
                                       reports::printable(left_out.at(set.cells[0].key()))));
  if (const int code = run_plan(plan, catalogue, options, command); code == 130) return code;

  const auto found =
      reports::reproduction(set, reports::read(options.out / "results.json"), left_out, unsound);
  if (std::ranges::none_of(found.rows, &reports::ReproducedRow::is_compared))
    throw UsageError(
        "no row that was run here has a ratio or a count in {}, so that nothing could be compared",
        file.string());
  const std::string heading =
      reports::wrapped(fmt::format("\n{}, run again here\n", reports::printable(file.string())));
  const std::string end = reports::surroundings_text(found) + reports::verdict_text(found);
  write_file(text_file,
             heading + reports::rows_text(found, reports::Told::all, found.rows.size()) + end);
  fmt::print(
      "{}{}{}row by row: {}\n", heading,
      reports::rows_text(found, reports::Told::differing,
                         isatty(STDOUT_FILENO) == 1 ? told_on_a_terminal : found.rows.size()),
      end, reports::one_line(text_file.string()));
  return found.reproduced() ? 0 : 1;
}

}  // namespace ladder
