#include "compare/tests/verification/questions.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>

#include "compare/driver/dialogue.hpp"

namespace ladder::tests {

protocol::Answer answer_of(WorkerProcess& worker, protocol::VerifyRequest request, const std::string& path) {
  constexpr std::chrono::seconds longest_silence{60};  // the slowest answer takes less than one, also on a busy machine
  request.rungs = {path};
  nlohmann::json line = request;
  line["do"] = "verify";
  worker.send(line);

  std::optional<protocol::Answer> answer;
  while (true) {
    const auto reply = await_reply(worker, longest_silence);
    if (reply.contains("answer")) answer = reply["answer"].get<protocol::Answer>();
    if (!reply.contains("done")) continue;
    if (!answer || answer->path != path) throw std::runtime_error("the worker gave no answer of " + path);
    return *answer;
  }
}

}  // namespace ladder::tests
