// One running worker program: requests in, replies out, and how it ended. A driver that runs a
// shard is heard in the same way, line by line.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "compare/driver/terminal/places.hpp"
#include "reports/model/fields.hpp"
#include "reports/text/complaint.hpp"

namespace ladder {

using std::chrono::milliseconds;

// The program is gone; the message says how.
struct WorkerEnded : reports::Complaint {
  using Complaint::Complaint;
};

// The program said something that is no reply.
struct MalformedReply : reports::Complaint {
  using Complaint::Complaint;
};

// Who answers requests: a worker program, or several that have one device of a team each
// (worker_group.hpp).
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  virtual ~Worker() = default;

  virtual void send(const json& request) = 0;  // throws WorkerEnded
  // Empty: no reply in time. Throws WorkerEnded, MalformedReply.
  virtual std::optional<json> receive(milliseconds timeout) = 0;
  virtual void kill() = 0;
  virtual void ask_where() {}  // it is: one that knows says {"where": ..}, whatever else it says
  virtual std::string who_is_silent() const { return {}; }  // of several: "rank 1"
};

class WorkerProcess : public Worker {
 public:
  // which of its streams; where its errors are heard, its output is dropped
  enum class Heard { output, errors };

  // launcher: words before the name of the program, such as {"ssh", "host"}. Throws
  // std::system_error where it cannot be started.
  explicit WorkerProcess(const fs::path& program, const std::vector<std::string>& launcher = {});
  WorkerProcess(const std::vector<std::string>& words, Heard heard);  // a program and its arguments
  // ends it, and its group: kindly first, by force after a moment
  ~WorkerProcess() override;

  void send(const json& request) override;
  std::optional<json> receive(milliseconds timeout) override;

  std::optional<std::string> receive_line(milliseconds timeout);  // of any text

  // waits for the end: "killed by signal 11 (Segmentation fault)", "exit code 3"
  std::string how_it_ended();
  int exit_code();   // waits too: 128 + signal where one ended it
  void interrupt();  // as Ctrl-C would
  void kill() override;
  void ask_where() override;

 private:
  bool ends_within(milliseconds time);
  void end_group();
  [[noreturn]] void fail_as_ended();
  std::optional<std::string> take_line();

  std::string name_;
  pid_t pid_ = -1;
  int socket_ = -1;
  std::string received_;  // not yet a whole line
  std::optional<int> status_;
};

}  // namespace ladder
