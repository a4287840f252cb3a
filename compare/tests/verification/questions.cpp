#include "compare/tests/verification/questions.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>

#include "compare/driver/workers/dialogue.hpp"

namespace ladder::tests {

namespace {

// What a worker replies to a request about one rung: an object under the name `wanted`.
template <class Reply, class Request>
Reply reply_to(Worker& worker, const char* request_name, Request request, const char* wanted,
               const std::string& path) {
  // for what hangs: the slowest answer takes less than a second
  constexpr std::chrono::minutes longest_silence{10};
  request.rungs = {path};
  std::optional<Reply> found;
  converse(worker, request_name, request, longest_silence,
           [&](const std::string& name, const nlohmann::json& content) {
             if (name == wanted) found = content.get<Reply>();
             return true;
           });
  if (!found) throw std::runtime_error("the worker gave no answer of " + path);
  return *found;
}

}  // namespace

protocol::Answer answer_of(Worker& worker, protocol::VerifyRequest request, const std::string& path,
                           const char* how) {
  return reply_to<protocol::Answer>(worker, how, std::move(request), "answer", path);
}

protocol::MeasuredCell cell_of(Worker& worker, protocol::MeasureRequest request,
                               const std::string& path) {
  return reply_to<protocol::MeasuredCell>(worker, "measure", std::move(request), "cell", path);
}

}  // namespace ladder::tests
