// Waiting for a worker's reply: not for ever, and not deaf to Ctrl-C.
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "compare/driver/worker_process.hpp"

namespace ladder {

// No reply within the time allowed.
struct WorkerSilent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// It answered {"error": sentence}; the message is the sentence.
struct WorkerRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The next reply. Throws WorkerSilent, WorkerRefused, WorkerEnded, MalformedReply or Interrupted.
nlohmann::json await_reply(WorkerProcess& worker, std::chrono::milliseconds longest_silence);

// One question with one reply.
nlohmann::json ask(WorkerProcess& worker, const char* what, std::chrono::milliseconds longest_silence);

}  // namespace ladder
