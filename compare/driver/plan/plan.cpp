#include "compare/driver/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include "compare/driver/plan/cell_key.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "compare/registry.hpp"
#include "reports/file/schema.hpp"
#include "reports/file/sha256.hpp"
#include "reports/targets/targets.hpp"
#include "reports/text/numbers.hpp"

namespace ladder {
namespace {

// For which type or operator; empty where it is.
std::string why_not_written(const protocol::OperationListing& kind, const protocol::Listing& rung) {
  if (!has(rung.dtypes, kind.dtype)) return fmt::format("not written for {}", kind.dtype);
  if (!kind.op.empty() && !has(rung.operators, kind.op))
    return fmt::format("not written for {}", kind.op);
  return {};
}

// Builds the groups of one backend from one row of the preset.
struct Planner {
  using Known = std::map<
      std::tuple<ProblemSpec, std::optional<reports::Contract>, std::optional<reports::Cache>>,
      std::size_t>;

  const Selection& selection;
  const Backend& backend;
  const PresetRow& row;

  // known: where the groups of this backend are that an earlier row added. They gain the rungs that
  // this row has and they lack.
  void add_to(std::vector<Group>& groups, Known& known) const {
    for (const auto& kind : backend.kinds)
      if (wanted(kind)) add_kind(kind, groups, known);
  }

  bool wanted(const protocol::OperationListing& kind) const {
    using enum PresetRow::Operators;
    const bool is_first = kind.op == std::ranges::find(backend.kinds, kind.operation,
                                                       &protocol::OperationListing::operation)
                                         ->op;
    const bool has_operator = selection.operators.empty()
                                  ? row.operators != (is_first ? others : first)
                                  : has(selection.operators, kind.op);
    const bool has_dtype = selection.dtypes.empty()
                               ? row.dtypes.empty() || has(row.dtypes, kind.dtype)
                               : has(selection.dtypes, kind.dtype);
    return has_operator && has_dtype && chosen(selection.operations, kind.operation) &&
           row.takes(kind.operation);
  }

  void add_kind(const protocol::OperationListing& kind, std::vector<Group>& groups,
                Known& known) const {
    const bool timed = !backend.contracts.empty();
    std::vector<std::optional<reports::Contract>> contracts;
    std::vector<std::optional<reports::Cache>> caches;
    const auto wanted = [](const std::vector<std::string>& choice, const auto& preset, auto value) {
      return choice.empty() ? chosen(preset, value) : has(choice, name_of(value));
    };
    for (const auto& contract : backend.contracts)
      if (wanted(selection.contracts, row.contracts, contract)) contracts.emplace_back(contract);
    for (const reports::Cache cache : {reports::Cache::cold, reports::Cache::warm})
      if (wanted(selection.caches, row.caches, cache)) caches.emplace_back(cache);
    if (!timed && selection.contracts.empty() && selection.caches.empty())
      contracts = {std::nullopt}, caches = {std::nullopt};

    const auto bins = kind.usual_bins > 0
                          ? or_else(selection.bins, or_else(row.bins, {kind.usual_bins}))
                          : std::vector{0U};
    for (const std::uint64_t n : or_else(selection.sizes, row.sizes))
      for (const std::string& distribution : or_else(selection.distributions, distributions(kind)))
        for (const unsigned count : bins)
          for (const unsigned offset : or_else(selection.offsets, or_else(row.offsets, {0}))) {
            if (count > kind.most_bins) continue;  // a byte has no more values
            for (const auto& contract : contracts)
              for (const auto& cache : caches) {
                const ProblemSpec problem{kind.operation,    kind.op,
                                          kind.dtype,        n,
                                          distribution,      count,
                                          selection.seed,    offset,
                                          selection.devices, selection.process_for_each_device};
                const auto found = known.find({problem, contract, cache});
                if (found != known.end()) {
                  add_rungs(kind, groups[found->second]);
                  continue;
                }
                Group group = new_group(backend, problem, contract, cache);
                group.effort = row.effort;
                group.counted = selection.counters && contract == reports::Contract::device_result;
                add_rungs(kind, group);
                if (group.rungs.empty() && group.skipped.empty()) continue;
                group.number = known[{problem, contract, cache}] = groups.size();
                groups.push_back(std::move(group));
              }
          }
  }

  std::vector<std::string> distributions(const protocol::OperationListing& kind) const {
    std::vector<std::string> wished;
    for (const std::string_view distribution : row.distributions)
      if (has(kind.distributions, distribution)) wished.emplace_back(distribution);
    return or_else(wished, {kind.distributions.begin(),
                            kind.distributions.begin() + (kind.distributions.empty() ? 0 : 1)});
  }

  // Adds the rungs of this row that the group lacks. All stand in the order of the ladder.
  void add_rungs(const protocol::OperationListing& kind, Group& group) const {
    std::set<std::string> wanted;  // paths
    for (const auto& rung : group.rungs) wanted.insert(rung.path);
    for (const auto& one : group.skipped) wanted.insert(one.rung.path);
    // By a rung over devices, also by one that is skipped: others follow it. But where all are
    // skipped, a reference is one of nothing.
    std::set<std::pair<std::string, std::string>> followed;
    bool any_over_devices = false;
    for (const auto& rung : backend.implementations) {
      if (!takes_part(kind, rung)) continue;
      wanted.insert(rung.path);
      if (!rung.over_devices) continue;
      followed.emplace(rung.provider, rung.follows);
      any_over_devices |= reason_to_skip(kind, group, rung).empty();
    }
    if (!any_over_devices) followed.clear();
    group.rungs.clear();
    group.skipped.clear();
    for (const auto& rung : backend.implementations) {
      const bool is_reference = !rung.over_devices && followed.contains({rung.provider, rung.rung});
      if (rung.operation != kind.operation || (!wanted.contains(rung.path) && !is_reference))
        continue;
      if (const auto reason = reason_to_skip(kind, group, rung); !reason.empty())
        group.skipped.push_back({rung, reason});
      else group.rungs.push_back(rung);
    }
  }

  // A rung for few types or operators has rows of these alone, unless it is named. Rungs over
  // devices follow each other, are of no note and hold no line of the targets: they are of every
  // row.
  bool takes_part(const protocol::OperationListing& kind, const protocol::Listing& rung) const {
    const reports::Who who{rung.provider, rung.rung};
    if (rung.operation != kind.operation || rung.over_devices != (selection.devices > 0) ||
        !chosen(selection.providers, rung.provider))
      return false;
    if (!reports::chosen_rung(selection.rungs, rung.operation, who)) return false;
    if (selection.rungs.empty() && !rung.over_devices && !why_not_written(kind, rung).empty())
      return false;
    if (rung.over_devices || rung.provider != "handwritten") return true;
    return (row.note.empty() || has(rung.notes, row.note)) &&
           (!row.of_targets || reports::holds_a_line(rung.operation, kind.dtype, who));
  }
};

}  // namespace

Group new_group(const Backend& backend, const ProblemSpec& problem,
                std::optional<reports::Contract> contract, std::optional<reports::Cache> cache) {
  const reports::How how{backend.name, contract, cache};
  const reports::Bytes bytes =
      reports::minimum_bytes(backend.operation(problem.operation), key_of(problem, how).input);
  return {.backend = backend.name,
          .problem = problem,
          .contract = contract,
          .cache = cache,
          .bytes = static_cast<double>(bytes.total())};
}

ProblemSpec Group::problem_of(const protocol::Listing& rung) const {
  ProblemSpec its = problem;
  if (!rung.over_devices) its.devices = 0;
  return its;
}

std::string reason_to_skip(const protocol::OperationListing& kind, const Group& group,
                           const protocol::Listing& rung) {
  if (std::string why = why_not_written(kind, rung); !why.empty()) return why;
  if (!has(kind.distributions, group.problem.distribution))
    return fmt::format("{} of {} has no distribution {}",
                       kind.op.empty() ? kind.operation : kind.op, kind.dtype,
                       group.problem.distribution);
  if (group.contract && !has(rung.contracts, *group.contract))
    return fmt::format("it has no {}", name_of(*group.contract));
  if (group.problem.n > rung.max_elements)
    return fmt::format("takes at most {} elements: {}", rung.max_elements, rung.max_reason);
  return {};
}

void add_limits(const Catalogue& catalogue, Plan& plan) {
  for (Group& group : plan.groups) {
    const Backend& backend = catalogue.backend(group.backend);
    if (!backend.has_limit || group.rungs.empty() || group.problem.devices > 0 ||
        group.contract != reports::Contract::device_result)
      continue;
    protocol::Listing limit;
    limit.operation = group.problem.operation;
    limit.path = limit_path(backend.operation(limit.operation));
    limit.provider = provider_of(limit.path);
    limit.rung = rung_of(limit.path);
    group.rungs.push_back(std::move(limit));
  }
}

Plan make_plan(const Selection& selection, const Catalogue& catalogue) {
  Plan plan{selection.seed, {}};
  for (const Backend& backend : catalogue.backends) {
    if (!takes(selection, backend) || backend.devices < selection.devices) continue;
    Planner::Known known;
    for (const PresetRow& row : preset(selection.preset))
      if (row.backend == backend.name) Planner{selection, backend, row}.add_to(plan.groups, known);
  }
  std::size_t rows = 0;
  for (const Group& group : plan.groups) rows += group.rungs.size() + group.skipped.size();
  if (rows > reports::most("cells"))
    throw UsageError(
        "these options make {} rows, and a result set holds {} at most; choose fewer "
        "sizes, types or operators",
        reports::grouped(rows), reports::grouped(reports::most("cells")));
  if (plan.groups.empty() && selection.devices == 0 && !selection.rungs.empty())
    for (const auto& rung : catalogue.implementations())
      if (rung.over_devices &&
          reports::chosen_rung(selection.rungs, rung.operation, {rung.provider, rung.rung}))
        throw UsageError("--rung: {} takes data over devices; add --devices, such as --devices 2",
                         rung.rung);
  if (plan.groups.empty())
    throw UsageError(
        "no rung that runs here fits all of these options; ./ladder list shows all rungs");
  if (selection.counters && std::ranges::none_of(plan.groups, &Group::counted))
    throw UsageError(
        "--counters reads a GPU's counters, but this run times no device_result on a GPU; ./ladder "
        "list shows what runs here");
  add_limits(catalogue, plan);
  return plan;
}

// Calibrated in November 2026 on an H200 with 16 cores, where `full` took 463 s. One of its six
// processes took 64 s for 442 groups with 6,979 rungs, and 13 s to pose 91 GB of arrays, each once
// for groups in a row.
double seconds_of_a_process(const Group& group) {
  const auto rungs = static_cast<double>(group.rungs.size()),
             n = static_cast<double>(group.problem.n);
  if (!group.timed()) return rungs * (1e-3 + 1e-6 * n) / 8;
  if (group.backend != reports::Backend::cuda)
    return rungs * group.effort.max_seconds + 0.1 + 3e-8 * n;
  const double samples = std::min<double>(group.effort.max_samples, 1.3 * group.effort.min_samples);
  double seconds = 0.01;
  for (const auto& rung : group.rungs) {
    // the mean of fast rungs and slow ones
    const double sample =
        0.06e-3 + group.bytes / 1e12 + (rung.provider == "handwritten" ? 0.15e-3 : 0);
    seconds += 2e-3 + std::min(group.effort.max_seconds + sample, samples * sample);
  }
  return seconds;
}

double seconds_of_posing(const Group& group) {
  return group.backend == reports::Backend::cuda ? 0.14e-9 * group.bytes : 0;
}

// The longest first, each to the shard that has the least so far.
Plan shard_of(const Plan& whole, unsigned number, unsigned of) {
  Plan its{whole.seed,
           {},
           Plan::Share{{number, of, whole.groups.size(), reports::sha256(whole.identity().dump())},
                       {},
                       whole.devices_of_a_process()}};
  std::vector<std::pair<double, std::size_t>> longest_first;
  for (std::size_t g = 0; g < whole.groups.size(); ++g) {
    const Group& group = whole.groups[g];
    longest_first.emplace_back(
        (seconds_of_a_process(group) + seconds_of_posing(group)) * group.processes(), g);
    unite(its.share->backends, {group.backend});
  }
  std::ranges::stable_sort(longest_first, std::greater{}, &std::pair<double, std::size_t>::first);
  std::vector<double> seconds(of);
  for (const auto& [its_seconds, g] : longest_first) {
    const auto least = std::ranges::min_element(seconds);
    *least += its_seconds;
    if (least - seconds.begin() + 1 == number) its.groups.push_back(whole.groups[g]);
  }
  std::ranges::sort(its.groups, {}, &Group::number);
  return its;
}

protocol::MeasureRequest Plan::request(std::size_t index, unsigned process,
                                       std::vector<std::string> paths) const {
  const Group& group = groups.at(index);
  std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                      static_cast<std::uint32_t>(group.number), process};
  std::array<std::uint32_t, 2> words{};
  mixed.generate(words.begin(), words.end());
  return {.problem = group.problem,
          .rungs = std::move(paths),
          .contract = group.contract,
          .cache = group.cache,
          // 48 bits: exact in every reader of JSON
          .order_seed = std::uint64_t{words[0]} << 16 | words[1] >> 16,
          .process = process,
          .min_samples = group.effort.min_samples,
          .max_samples = group.effort.max_samples,
          .max_seconds = group.effort.max_seconds,
          .counters = group.counts_in(process)};
}

unsigned Plan::devices_of_a_process() const {
  unsigned most = share ? share->devices : 0;
  for (const Group& group : groups)
    if (!group.problem.process_for_each_device) most = std::max(most, group.problem.devices);
  return most;
}

bool Plan::uses(reports::Backend backend) const {
  return std::ranges::count(groups, backend, &Group::backend) > 0;
}

json Plan::identity() const {
  json all = json::array();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    json group = request(i, 0, reports::each(groups[i].rungs, &protocol::Listing::path));
    group["backend"] = groups[i].backend;
    group["processes"] = groups[i].processes();
    for (const auto& skipped : groups[i].skipped) group["skipped"].push_back(skipped.rung.path);
    all.push_back(std::move(group));
  }
  return {{"seed", seed}, {"groups", all}};
}

}  // namespace ladder
