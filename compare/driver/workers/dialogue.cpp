#include "compare/driver/workers/dialogue.hpp"

#include <algorithm>
#include <utility>

#include "compare/driver/terminal/interrupt.hpp"
#include "compare/driver/workers/clock.hpp"
#include "reports/text/lists.hpp"

namespace ladder {

std::string sentence(const json& said) {
  return said.is_string() ? said.get<std::string>() : said.dump();
}

json await_reply(Worker& worker, milliseconds longest_silence, const OnSilence& on_silence) {
  constexpr milliseconds glance{100};  // how long Ctrl-C may go unnoticed
  const auto deadline = driver::now() + longest_silence;
  bool is_silent = false;  // for long
  std::string where;
  while (true) {
    interrupt::check();
    const auto left = std::chrono::ceil<milliseconds>(deadline - driver::now());
    if (on_silence && !is_silent && left.count() > 0 && longest_silence - left >= long_silence) {
      is_silent = true;
      on_silence(where);
      worker.ask_where();
    }
    if (const auto reply = worker.receive(std::clamp(left, milliseconds{0}, glance))) {
      if (reply->contains("error")) throw WorkerRefused(sentence(reply->at("error")));
      if (reply->contains("lost")) throw WorkerEnded(sentence(reply->at("lost")));
      if (!reply->contains("where")) return *reply;
      where = sentence(reply->at("where"));
      if (is_silent) on_silence(where);
      continue;
    }
    if (left.count() > 0) continue;
    const std::string who = worker.who_is_silent();
    throw WorkerSilent("{} {:g} s{}", who.empty() ? "no reply for" : who + " did not answer within",
                       std::chrono::duration<double>(longest_silence).count(),
                       where.empty() ? "" : ", by " + where);
  }
}

namespace {

// One field: what it is about.
void take(const json& reply, const json& rungs, const OnReply& on_reply, std::string* in_flight) {
  if (reply.size() != 1) throw MalformedReply("the worker sent an unknown reply");
  const auto field = reply.begin();
  const std::string& name = field.key();
  const json& content = field.value();
  const auto path = (name == "begin" ? content : content.at("path")).get<std::string>();
  if (!rungs.empty() && !reports::has(rungs, json(path)))
    throw MalformedReply("the worker reports " + path + ", which it was not asked to run");
  if (name != "begin") {
    if (!on_reply(name, content)) throw MalformedReply("the worker sent an unknown reply");
  } else if (in_flight != nullptr) {
    *in_flight = path;
  }
}

}  // namespace

json ask(Worker& worker, const json& request, milliseconds longest_silence) {
  worker.send(request);
  return await_reply(worker, longest_silence);
}

json ask(Worker& worker, const char* what, milliseconds longest_silence) {
  return ask(worker, json{{"do", what}}, longest_silence);
}

void converse(Worker& worker, const char* what, json request, milliseconds longest_silence,
              const OnReply& on_reply, std::string* in_flight, const OnSilence& on_silence) {
  request["do"] = what;
  worker.send(request);
  while (true) {
    const auto reply = await_reply(worker, longest_silence, on_silence);
    if (reply.contains("done")) return;
    try {
      take(reply, request["rungs"], on_reply, in_flight);
    } catch (const std::invalid_argument& problem) {
      throw MalformedReply("the worker sent a reply that does not fit: {}", problem.what());
    } catch (const json::exception& problem) {
      throw MalformedReply("the worker sent a reply that does not fit: {}", problem.what());
    }
  }
}

}  // namespace ladder
