#include "compare/driver/dialogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compare/driver/clock.hpp"
#include "compare/driver/interrupt.hpp"

namespace ladder {

nlohmann::json await_reply(WorkerProcess& worker, std::chrono::milliseconds longest_silence) {
  constexpr std::chrono::milliseconds glance{100};  // how long Ctrl-C may go unnoticed
  const auto deadline = driver::now() + longest_silence;
  while (true) {
    interrupt::check();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - driver::now());
    if (const auto reply = worker.receive(std::clamp(left, std::chrono::milliseconds{0}, glance))) {
      if (const auto refusal = reply->find("error"); refusal != reply->end())
        throw WorkerRefused(refusal->is_string() ? refusal->get<std::string>() : refusal->dump());
      if (const auto loss = reply->find("lost"); loss != reply->end()) throw WorkerEnded(loss->is_string() ? loss->get<std::string>() : loss->dump());
      return *reply;
    }
    if (left.count() <= 0) throw WorkerSilent(fmt::format("no sign of life for {:g} s", std::chrono::duration<double>(longest_silence).count()));
  }
}

nlohmann::json ask(WorkerProcess& worker, const char* what, std::chrono::milliseconds longest_silence) {
  worker.send({{"do", what}});
  return await_reply(worker, longest_silence);
}

}  // namespace ladder
