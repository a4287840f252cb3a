// Asking a worker program for one answer.
#pragma once

#include <string>

#include "compare/driver/worker_process.hpp"
#include "compare/protocol.hpp"

namespace ladder::tests {

// The answer of one rung. Throws where the worker dies, refuses, or says nothing for a minute: the message says which.
protocol::Answer answer_of(WorkerProcess& worker, protocol::VerifyRequest request, const std::string& path);

}  // namespace ladder::tests
