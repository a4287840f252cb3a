#include "compare/driver/workers/worker_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "compare/driver/workers/dialogue.hpp"

namespace ladder {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

// What ends the replies to a request. The others say how far it is.
bool is_last(const json& reply) {
  for (const char* name : {"begin", "sample", "cell", "answer", "checked"})
    if (reply.contains(name)) return false;
  return true;
}

std::optional<json> reply_of(const char* name, const std::string& content) {
  return std::optional<json>(std::in_place, json{{name, content}});
}

}  // namespace

WorkerGroup::WorkerGroup(const std::filesystem::path& program,
                         const std::vector<std::string>& launcher, unsigned ranks,
                         std::chrono::milliseconds longest_silence) {
  for (unsigned rank = 0; rank < ranks; ++rank)
    ranks_.push_back({std::make_unique<WorkerProcess>(program, launcher)});
  const json reply = ask(*ranks_.front().process, "new group", longest_silence);
  const auto group = reply.find("group");
  if (group == reply.end())
    throw MalformedReply(fmt::format("{} does not name the group that it began, but said {:.80}",
                                     program.filename().string(), reply.dump()));
  for (unsigned rank = 0; rank < ranks; ++rank)
    ranks_[rank].process->send(
        {{"do", "join"}, {"group", *group}, {"rank", rank}, {"ranks", ranks}});
  static_cast<void>(await_reply(*this, longest_silence));
}

void WorkerGroup::send(const json& request) {
  last_reply_.reset();
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    Rank& one = ranks_[rank];
    one.done = false;
    one.replies = one.begun = 0;
    one.in_flight.clear();
    try {
      one.process->send(request);
    } catch (const WorkerEnded&) {
      end(rank);
    }
  }
}

void WorkerGroup::end(std::size_t rank) {
  kill();  // they would wait for it
  throw WorkerEnded(fmt::format("rank {} died: {}", rank, ranks_[rank].process->how_it_ended()));
}

std::optional<json> WorkerGroup::hear(std::size_t rank, std::chrono::milliseconds timeout) {
  Rank& one = ranks_[rank];
  auto reply = one.process->receive(timeout);
  if (!reply) return {};
  ++one.replies;
  one.done = is_last(*reply);
  if (const auto begin = reply->find("begin"); begin != reply->end() && begin->is_string()) {
    ++one.begun;
    one.in_flight = begin->get<std::string>();
  }
  return reply;
}

// Notes the refusal or the end of a rank. If that rank had begun a later rung than rank 0, returns
// the begin of that rung first.
std::optional<json> WorkerGroup::hear_others() {
  for (std::size_t rank = 1; rank < ranks_.size(); ++rank) {
    try {
      while (const auto reply = hear(rank, 0ms))
        for (const char* end : {"error", "lost"})
          if (reply->contains(end))
            refusal_ = reply_of(end, fmt::format("rank {}: {}", rank, sentence(reply->at(end))));
    } catch (const WorkerEnded&) {
      dead_ = rank;
    }
    if (!refusal_ && !dead_) continue;
    if (ranks_[rank].begun > ranks_[0].begun) return reply_of("begin", ranks_[rank].in_flight);
    return {};
  }
  return {};
}

std::optional<json> WorkerGroup::receive(std::chrono::milliseconds timeout) {
  constexpr auto turn = 20ms;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    if (refusal_) return std::exchange(refusal_, {});
    if (dead_) end(*std::exchange(dead_, {}));
    if (auto reply = hear_others()) return reply;
    if (refusal_ || dead_) continue;
    const auto waiting = std::ranges::find(ranks_, false, &Rank::done);
    if (waiting == ranks_.end()) return std::exchange(last_reply_, {});
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const auto rank = static_cast<std::size_t>(waiting - ranks_.begin());
    try {
      auto reply = hear(rank, std::clamp<std::chrono::milliseconds>(left, 0ms, turn));
      if (!reply && left <= 0ms) return {};
      if (!reply || rank > 0) continue;
      if (!ranks_[0].done) return reply;
      last_reply_ = std::move(reply);
    } catch (const WorkerEnded&) {
      dead_ = rank;
    }
  }
}

void WorkerGroup::kill() {
  for (const Rank& one : ranks_) one.process->kill();
}

std::string WorkerGroup::who_is_silent() const {
  std::size_t least = ~std::size_t{0};
  for (const Rank& one : ranks_)
    if (!one.done) least = std::min(least, one.replies);
  std::vector<std::size_t> silent;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
    if (!ranks_[rank].done && ranks_[rank].replies == least) silent.push_back(rank);
  return fmt::format("rank{} {}", silent.size() == 1 ? "" : "s", fmt::join(silent, ", "));
}

}  // namespace ladder
