#include "compare/driver/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "compare/driver/errors.hpp"

namespace ladder {
namespace {

void require(bool condition, const std::string& complaint) {
  if (!condition) throw std::invalid_argument(complaint);
}

// As the schema has them, or the run could not be written.
void require_possible(const reports::Counters& counters) {
  const nlohmann::json all = counters;
  for (const auto& [name, value] : all.items())
    require(value.is_null() || value.is_number_float() || value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()},
            "its counter " + name + " is out of range");
  const auto lanes = [](std::optional<double> value, double least) { return !value || (*value >= least && *value <= 32); };
  require(lanes(counters.active_lanes, 0) && lanes(counters.atomic_contention, 1), "a warp has no so many lanes");
  require(!counters.barriers_per_thread || (std::isfinite(*counters.barriers_per_thread) && *counters.barriers_per_thread >= 0),
          "no so many barriers can be");
}

}  // namespace

Record::Record(const Plan& plan, Journal& journal) : plan_(plan), journal_(journal), groups_(plan.groups.size()) {
  for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].races.resize(plan.groups[g].processes());
  std::size_t line = 1;
  for (const auto& event : journal.earlier()) {
    ++line;
    try {
      take(event);
    } catch (const std::invalid_argument& problem) {  // our own words
      throw UsageError(fmt::format("the journal's line {} makes no sense ({}); start afresh without --resume", line, problem.what()));
    } catch (const std::exception&) {  // those of a library
      throw UsageError(
          fmt::format("the journal's line {} makes no sense (a field is missing, or not what it should be); start afresh without --resume", line));
    }
  }
}

void Record::backend(const std::string& name, const nlohmann::json& limits) {
  happen({{"event", "backend"}, {"backend", name}, {"limits", limits}});
}

void Record::start(std::size_t group, unsigned process) {
  happen({{"event", "start"}, {"group", group}, {"process", process}});
}

void Record::sample(std::size_t group, unsigned process, const protocol::Sample& sample) {
  happen({{"event", "sample"}, {"group", group}, {"process", process}, {"sample", sample}});
}

void Record::cell(std::size_t group, unsigned process, const protocol::MeasuredCell& cell) {
  happen({{"event", "cell"}, {"group", group}, {"process", process}, {"cell", cell}});
}

void Record::lost(std::size_t group, const std::string& path, const Loss& loss) {
  happen({{"event", "lost"}, {"group", group}, {"path", path}, {"verdict", loss.verdict}, {"reason", loss.reason}});
}

void Record::done(std::size_t group, unsigned process) {
  happen({{"event", "done"}, {"group", group}, {"process", process}});
}

void Record::happen(const nlohmann::json& event) {
  const std::lock_guard lock(mutex_);
  take(event);  // first: it refuses what makes no sense
  journal_.append(event);
}

void Record::take(const nlohmann::json& event) {
  const std::string& what = event.at("event").get_ref<const std::string&>();
  if (what == "backend") {
    limits_[event.at("backend").get<std::string>()] = event.at("limits");
    return;
  }
  require(event.at("group").is_number_unsigned(), "its group is no index");
  const auto index = event.at("group").get<std::size_t>();
  GroupRecord& group = groups_.at(index);
  if (what == "lost") {
    const auto verdict = event.at("verdict").get<std::string>();
    require(verdict == "crashed" || verdict == "timeout" || verdict == "fail", "there is no loss " + verdict);
    group.losses[event.at("path").get<std::string>()] = {verdict, event.at("reason").get<std::string>()};
    return;
  }
  Race& race = group.races.at(event.at("process").get<std::size_t>());
  if (what == "start") {
    if (starts_together(index, event.at("process").get<unsigned>())) race = {};
  } else if (what == "sample") {
    auto sample = event.at("sample").get<protocol::Sample>();
    require(std::isfinite(sample.us) && sample.us > 0, "a sample of no time");
    race.samples[sample.path].push_back(sample);
  } else if (what == "cell") {
    auto cell = event.at("cell").get<protocol::MeasuredCell>();
    constexpr std::array<std::string_view, 4> verdicts{"pass", "fail", "expected_wrong", "skipped"};
    require(std::ranges::find(verdicts, cell.verdict) != verdicts.end(), "there is no verdict " + cell.verdict);
    if (cell.counters) require_possible(*cell.counters);
    race.cells[cell.path] = cell;
  } else if (what == "done") {
    race.done = true;
  } else {
    require(false, "there is no event " + what);
  }
}

bool Record::is_done(std::size_t group, unsigned process) const {
  const std::lock_guard lock(mutex_);
  return groups_.at(group).races.at(process).done;
}

// Competitors for a time do. What only counts can go on where it was.
bool Record::starts_together(std::size_t group, unsigned process) const {
  return plan_.groups.at(group).timed() && !plan_.groups[group].counts_in(process);
}

// Whether it was right in some process, and wrong in none.
bool Record::passed(const GroupRecord& group, const std::string& path) {
  bool passed = false;
  for (const Race& race : group.races) {
    const auto cell = race.cells.find(path);
    if (cell == race.cells.end()) continue;
    if (cell->second.verdict == "fail" || cell->second.verdict == "expected_wrong") return false;
    passed |= cell->second.verdict == "pass";
  }
  return passed;
}

std::vector<std::string> Record::remaining(std::size_t group, unsigned process) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> paths;
  for (const auto& rung : plan_.groups.at(group).rungs) {
    if (groups_[group].losses.contains(rung.path)) continue;
    if (!starts_together(group, process) && groups_[group].races.at(process).cells.contains(rung.path)) continue;
    if (plan_.groups[group].counts_in(process) && !passed(groups_[group], rung.path)) continue;
    paths.push_back(rung.path);
  }
  return paths;
}

bool Record::is_counting_left() const {
  for (std::size_t g = 0; g < plan_.groups.size(); ++g)
    if (const Group& group = plan_.groups[g]; group.counted && !is_done(g, group.effort.processes)) return true;
  return false;
}

bool Record::has_backend(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return limits_.contains(name);
}

}  // namespace ladder
