#include "compare/driver/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "compare/driver/errors.hpp"

namespace ladder {
namespace {

void require(bool condition, const std::string& complaint) {
  if (!condition) throw std::invalid_argument(complaint);
}

}  // namespace

Record::Record(const Plan& plan, Journal& journal) : plan_(plan), journal_(journal), groups_(plan.groups.size()) {
  for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].races.resize(plan.groups[g].processes());
  std::size_t line = 1;
  for (const auto& event : journal.earlier()) {
    ++line;
    try {
      take(event);
    } catch (const std::exception& problem) {
      throw UsageError(fmt::format("the journal's line {} makes no sense ({}); start afresh without --resume", line, problem.what()));
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
    if (plan_.groups[index].timed()) race = {};
  } else if (what == "sample") {
    auto sample = event.at("sample").get<protocol::Sample>();
    require(std::isfinite(sample.us) && sample.us > 0, "a sample of no time");
    race.samples[sample.path].push_back(sample);
  } else if (what == "cell") {
    auto cell = event.at("cell").get<protocol::MeasuredCell>();
    constexpr std::array<std::string_view, 4> verdicts{"pass", "fail", "expected_wrong", "skipped"};
    require(std::ranges::find(verdicts, cell.verdict) != verdicts.end(), "there is no verdict " + cell.verdict);
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

std::vector<std::string> Record::remaining(std::size_t group, unsigned process) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> paths;
  for (const auto& rung : plan_.groups.at(group).rungs) {
    if (groups_[group].losses.contains(rung.path)) continue;
    if (!plan_.groups[group].timed() && groups_[group].races.at(process).cells.contains(rung.path)) continue;
    paths.push_back(rung.path);
  }
  return paths;
}

bool Record::has_backend(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return limits_.contains(name);
}

}  // namespace ladder
