// Asking a worker program about one rung. Throws where the worker dies, refuses, or says nothing
// for a minute: the message says which.
#pragma once

#include <string>

#include "compare/driver/workers/worker_process.hpp"
#include "compare/protocol.hpp"

namespace ladder::tests {

// how: "verify", "verify replayed", "verify together"
protocol::Answer answer_of(Worker& worker, protocol::VerifyRequest request, const std::string& path,
                           const char* how = "verify");
protocol::MeasuredCell cell_of(Worker& worker, protocol::MeasureRequest request,
                               const std::string& path);

}  // namespace ladder::tests
