// One running worker program: requests in, replies out, and how it ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

namespace ladder {

// The program is gone; the message says how.
struct WorkerEnded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// It said something that is no reply.
struct MalformedReply : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class WorkerProcess {
 public:
  explicit WorkerProcess(const std::filesystem::path& program);  // throws std::system_error where it cannot be started
  ~WorkerProcess();                                              // ends it: kindly first, by force after a moment
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  void send(const nlohmann::json& request);                                  // throws WorkerEnded
  std::optional<nlohmann::json> receive(std::chrono::milliseconds timeout);  // nothing: no reply in time. Throws WorkerEnded, MalformedReply

  bool ended();
  std::string how_it_ended();  // waits for the end: "killed by signal 11 (Segmentation fault)", "exit code 3"
  void kill();

 private:
  bool ends_within(std::chrono::milliseconds time);
  [[noreturn]] void fail_as_ended();
  std::optional<nlohmann::json> take_line();

  std::string name_;
  pid_t pid_ = -1;
  int socket_ = -1;
  std::string received_;  // not yet a whole line
  std::optional<int> status_;
};

}  // namespace ladder
