#include "compare/driver/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "compare/driver/errors.hpp"
#include "reports/strict_json.hpp"

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
  require(lanes(counters.active_lanes, 0) && lanes(counters.atomic_contention, 1), "a warp does not have so many lanes");
  require(!counters.barriers_per_thread || (std::isfinite(*counters.barriers_per_thread) && *counters.barriers_per_thread >= 0),
          "there cannot be so many barriers");
}

}  // namespace

Record::Record(const Plan& plan, Journal& journal) : plan_(plan), journal_(journal), groups_(plan.groups.size()) {
  for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].races.resize(plan.groups[g].processes());
  std::size_t line = 1;
  for (const std::string_view earlier : journal.earlier()) {
    ++line;
    try {
      take(from_line(reports::strict_json(earlier)));
    } catch (const std::invalid_argument& problem) {  // our own words
      throw UsageError(fmt::format("the journal's line {} makes no sense ({}); start afresh with --restart", line, problem.what()));
    } catch (const std::exception&) {  // those of a library
      throw UsageError(
          fmt::format("the journal's line {} makes no sense (a field is missing, or not what it should be); start afresh with --restart", line));
    }
  }
}

void Record::add(const Event& event) {
  const std::lock_guard lock(mutex_);
  take(event);  // first: it refuses what makes no sense
  journal_.append(to_line(event));
}

void Record::take(const Event& event) {
  std::visit([this](const auto& one) { take(one); }, event);
}

void Record::take(const event::Limits& limits) {
  limits_[limits.backend] = limits;
}

void Record::take(const event::Start& start) {
  Race& its = race(start.group, start.process);
  if (starts_together(start.group, start.process)) its = {};
}

void Record::take(const event::Sampled& sampled) {
  require(std::isfinite(sampled.sample.us) && sampled.sample.us > 0, "a sample of no time");
  race(sampled.group, sampled.process).samples[sampled.sample.path].push_back(sampled.sample);
}

void Record::take(const event::Measured& measured) {
  using enum reports::Verdict;
  const protocol::MeasuredCell& cell = measured.cell;
  require(cell.verdict != crashed && cell.verdict != timeout, "a worker does not tell of its own end");
  if (cell.counters) require_possible(*cell.counters);
  race(measured.group, measured.process).cells[cell.path] = cell;
}

void Record::take(const event::Lost& lost) {
  using enum reports::Verdict;
  require(lost.verdict == crashed || lost.verdict == timeout || lost.verdict == fail, fmt::format("there is no loss {}", name_of(lost.verdict)));
  groups_.at(lost.group).losses[lost.path] = lost;
}

void Record::take(const event::Done& done) {
  race(done.group, done.process).done = true;
}

void Record::take(const event::Written& written) {
  written_.insert(written.id);
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
    if (cell->second.verdict == reports::Verdict::fail || cell->second.verdict == reports::Verdict::expected_wrong) return false;
    passed |= cell->second.verdict == reports::Verdict::pass;
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

bool Record::has_limits(reports::Backend backend) const {
  const std::lock_guard lock(mutex_);
  return limits_.contains(backend);
}

}  // namespace ladder
