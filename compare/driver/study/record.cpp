#include "compare/driver/study/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "compare/driver/terminal/errors.hpp"
#include "reports/file/strict_json.hpp"

namespace ladder {
using reports::require;

Record::Record(const Plan& plan, Journal& journal)
    : plan_(plan), journal_(journal), groups_(plan.groups.size()) {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    groups_[g].contests.resize(plan.groups[g].processes());
  std::size_t line = 1;
  for (const std::string_view earlier : journal.earlier()) {
    ++line;
    try {
      const Event event = from_line(reports::strict_json(earlier));
      take(event);
      if (const auto* done = std::get_if<event::Done>(&event))
        for (const std::string& path : untold(done->group, done->process))
          require(false, "there is no outcome of " + path);
    } catch (const std::invalid_argument& problem) {  // our own words
      throw UsageError("the journal's line {} makes no sense ({}); {}", line, problem.what(),
                       journal.way_on_from(line));
    } catch (const std::exception&) {  // those of a library
      throw UsageError(
          "the journal's line {} makes no sense (a field is missing, or not what it should be); {}",
          line, journal.way_on_from(line));
    }
  }
}

void Record::add(const Event& event) {
  const std::lock_guard lock(mutex_);
  const json line = to_line(event);
  require_fit(line);
  take(event);  // first: it refuses what makes no sense
  journal_.append(line);
}

void Record::take(const Event& event) {
  std::visit([this](const auto& one) { take(one); }, event);
}

void Record::take(const event::Limits& limits) {
  const auto is_its = [&](const auto& one) { return one.backend == limits.backend; };
  require(std::ranges::any_of(plan_.groups,
                              [&](const Group& group) { return group.timed() && is_its(group); }) &&
              std::ranges::all_of(limits.ceilings, is_its) &&
              std::ranges::all_of(limits.overheads, is_its),
          "ceilings or overheads of another backend");
  require(limits.ceilings.empty() == limits.overheads.empty(),
          "ceilings and overheads are measured together, and one is there without the other");
  limits_[limits.backend] = limits;
}

void Record::take(const event::Start& start) {
  Contest& its = contest(start.group, start.process);
  if (starts_together(start.group, start.process)) its = {};
}

void Record::take(const event::Sampled& sampled) {
  const protocol::Sample& sample = sampled.sample;
  Contest& its = contest(sampled.group, sampled.process);
  require_its(sampled.group, sample.path);
  require(starts_together(sampled.group, sampled.process), "a sample where nothing is timed");
  require(sample.process == sampled.process, "a sample of another process");
  require(sample.order == its.taken, "not the next sample of its group");
  auto& of_rung = its.samples[sample.path];
  require(of_rung.size() < plan_.groups[sampled.group].effort.max_samples,
          fmt::format("more samples of {} than its rule allows", sample.path));
  of_rung.push_back(sample);
  ++its.taken;
}

void Record::take(const event::Measured& measured) {
  using enum reports::Verdict;
  const protocol::MeasuredCell& cell = measured.cell;
  require(cell.verdict != crashed && cell.verdict != timeout,
          "a worker does not tell of its own end");
  Contest& its = contest(measured.group, measured.process);
  require_its(measured.group, cell.path);
  require(cell.verdict == pass || cell.lost_counts || !cell.reason.empty(),
          fmt::format("its verdict is {} and nothing says why", name_of(cell.verdict)));
  if (cell.verdict == pass && starts_together(measured.group, measured.process))
    require(its.samples.contains(cell.path), "it passed, and there is no sample of it");
  its.cells[cell.path] = cell;
}

void Record::take(const event::Lost& lost) {
  using enum reports::Verdict;
  require(lost.verdict == crashed || lost.verdict == timeout || lost.verdict == fail,
          fmt::format("there is no loss {}", name_of(lost.verdict)));
  require_its(lost.group, lost.path);
  require(!lost.reason.empty(), "a loss for which there is no reason");
  groups_.at(lost.group).losses[lost.path] = lost;
}

void Record::take(const event::Done& done) {
  contest(done.group, done.process).done = true;
}

void Record::take(const event::Written& written) {
  written_.insert(written.id);
}

bool Record::is_done(std::size_t group, unsigned process) const {
  const std::lock_guard lock(mutex_);
  return groups_.at(group).contests.at(process).done;
}

// Competitors for a time do. What only counts can go on where it was.
bool Record::starts_together(std::size_t group, unsigned process) const {
  return plan_.groups.at(group).timed() && !plan_.groups[group].counts_in(process);
}

// Whether it was right in some process, and wrong in none.
bool Record::passed(const GroupRecord& group, const std::string& path) {
  bool passed = false;
  for (const Contest& contest : group.contests) {
    const auto cell = contest.cells.find(path);
    if (cell == contest.cells.end()) continue;
    if (cell->second.verdict == reports::Verdict::fail ||
        cell->second.verdict == reports::Verdict::expected_wrong)
      return false;
    passed |= cell->second.verdict == reports::Verdict::pass;
  }
  return passed;
}

std::vector<std::string> Record::remaining(std::size_t group, unsigned process) const {
  const std::lock_guard lock(mutex_);
  return rungs_left(group, process, starts_together(group, process));
}

std::vector<std::string> Record::untold(std::size_t group, unsigned process) const {
  const std::lock_guard lock(mutex_);
  return rungs_left(group, process, false);
}

void Record::require_its(std::size_t group, const std::string& path) const {
  require(std::ranges::count(plan_.groups.at(group).rungs, path, &protocol::Listing::path) > 0,
          path + " is not of its group");
}

std::vector<std::string> Record::rungs_left(std::size_t group, unsigned process,
                                            bool told_too) const {
  const auto& [contests, losses] = groups_.at(group);
  std::vector<std::string> paths;
  for (const auto& rung : plan_.groups[group].rungs)
    if (!losses.contains(rung.path) &&
        (told_too || !contests.at(process).cells.contains(rung.path)) &&
        (!plan_.groups[group].counts_in(process) || passed(groups_[group], rung.path)))
      paths.push_back(rung.path);
  return paths;
}

bool Record::is_counting_left() const {
  for (std::size_t g = 0; g < plan_.groups.size(); ++g)
    if (const Group& group = plan_.groups[g]; group.counted && !is_done(g, group.effort.processes))
      return true;
  return false;
}

bool Record::has_limits(reports::Backend backend) const {
  const std::lock_guard lock(mutex_);
  return limits_.contains(backend);
}

}  // namespace ladder
