// What is known so far, event by event. Every event is in the journal too, from where a resumed run takes it again.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "compare/driver/journal.hpp"
#include "compare/driver/plan.hpp"

namespace ladder {

// One group measured in one worker process.
struct Race {
  bool done = false;
  std::map<std::string, protocol::MeasuredCell> cells;           // by path
  std::map<std::string, std::vector<protocol::Sample>> samples;  // by path
};

// A rung that took its worker down, or never came back.
struct Loss {
  std::string verdict;  // crashed or timeout
  std::string reason;
};

class Record {
 public:
  Record(const Plan& plan, Journal& journal);  // takes in what the journal holds from earlier. Throws UsageError where that makes no sense.

  // Events. Safe to call from several threads. Throws std::invalid_argument for what cannot be, std::system_error where the journal is full.
  void backend(const std::string& name, const nlohmann::json& limits);
  void start(std::size_t group, unsigned process);  // the competitors of a timed group start together: what an earlier attempt measured is void
  void sample(std::size_t group, unsigned process, const protocol::Sample& sample);
  void cell(std::size_t group, unsigned process, const protocol::MeasuredCell& cell);
  void lost(std::size_t group, const std::string& path, const Loss& loss);
  void done(std::size_t group, unsigned process);

  bool is_done(std::size_t group, unsigned process) const;
  std::vector<std::string> remaining(std::size_t group, unsigned process) const;  // paths still to be run there
  bool has_backend(const std::string& name) const;
  bool is_counting_left() const;  // by the hardware's counters

  // For when all is over.
  const Plan& plan() const { return plan_; }
  const std::vector<Race>& races(std::size_t group) const { return groups_.at(group).races; }  // by process
  const std::map<std::string, Loss>& losses(std::size_t group) const { return groups_.at(group).losses; }
  const std::map<std::string, nlohmann::json>& limits() const { return limits_; }  // by backend: its ceilings and overheads

 private:
  struct GroupRecord {
    std::vector<Race> races;
    std::map<std::string, Loss> losses;
  };

  bool starts_together(std::size_t group, unsigned process) const;
  static bool passed(const GroupRecord& group, const std::string& path);
  void happen(const nlohmann::json& event);
  void take(const nlohmann::json& event);

  const Plan& plan_;
  Journal& journal_;
  mutable std::mutex mutex_;
  std::vector<GroupRecord> groups_;
  std::map<std::string, nlohmann::json> limits_;
};

}  // namespace ladder
