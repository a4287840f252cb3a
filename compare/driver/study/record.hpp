// What is known so far, event by event. Every event is in the journal too, from where a resumed run
// takes it again.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "compare/driver/plan/plan.hpp"
#include "compare/driver/study/journal.hpp"
#include "compare/driver/study/journal_event.hpp"

namespace ladder {

// One group measured in one worker process.
struct Contest {
  bool done = false;
  unsigned taken = 0;                                            // samples, of all its rungs
  std::map<std::string, protocol::MeasuredCell> cells;           // by path
  std::map<std::string, std::vector<protocol::Sample>> samples;  // by path
};

class Record {
 public:
  // takes in what the journal holds from earlier. Throws UsageError where that makes no sense.
  Record(const Plan& plan, Journal& journal);

  // Takes in what happened, and writes it down. Safe to call from several threads. Throws
  // std::invalid_argument for what cannot be, std::system_error where the journal cannot be
  // written. A Start voids an earlier attempt at a timed group in this process.
  void add(const Event& event);

  bool is_done(std::size_t group, unsigned process) const;
  // paths still to be run there
  std::vector<std::string> remaining(std::size_t group, unsigned process) const;
  // paths of which nothing was told there, and that are not lost
  std::vector<std::string> untold(std::size_t group, unsigned process) const;
  bool has_limits(reports::Backend backend) const;
  bool wrote(const std::string& id) const { return written_.contains(id); }  // the set of this id
  // by the hardware's counters
  bool is_counting_left() const;

  // What was recorded; read when all is over.
  const Plan& plan() const { return plan_; }
  // by process
  const std::vector<Contest>& contests(std::size_t group) const {
    return groups_.at(group).contests;
  }
  // by path
  const std::map<std::string, event::Lost>& losses(std::size_t group) const {
    return groups_.at(group).losses;
  }
  const std::map<reports::Backend, event::Limits>& limits() const { return limits_; }

 private:
  struct GroupRecord {
    std::vector<Contest> contests;
    std::map<std::string, event::Lost> losses;
  };

  // told_too: a rung counts as left although its outcome was told
  std::vector<std::string> rungs_left(std::size_t group, unsigned process, bool told_too) const;
  void require_its(std::size_t group, const std::string& path) const;
  bool starts_together(std::size_t group, unsigned process) const;
  static bool passed(const GroupRecord& group, const std::string& path);
  void take(const Event& event);
  void take(const event::Limits& limits);
  void take(const event::Start& start);
  void take(const event::Sampled& sampled);
  void take(const event::Measured& measured);
  void take(const event::Lost& lost);
  void take(const event::Done& done);
  void take(const event::Written& written);
  Contest& contest(std::size_t group, unsigned process) {
    return groups_.at(group).contests.at(process);
  }

  const Plan& plan_;
  Journal& journal_;
  mutable std::mutex mutex_;
  std::vector<GroupRecord> groups_;
  std::map<reports::Backend, event::Limits> limits_;
  std::set<std::string> written_;
};

}  // namespace ladder
