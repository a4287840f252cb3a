#include "compare/driver/workers/worker_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "compare/driver/workers/dialogue.hpp"

namespace ladder {
namespace {

using namespace std::chrono_literals;
// What ends the replies to a request. The others say how far it is.
bool is_last(const json& reply) {
  for (const char* name : {"begin", "sample", "cell", "answer", "checked"})
    if (reply.contains(name)) return false;
  return true;
}

}  // namespace

WorkerGroup::WorkerGroup(const fs::path& program, const std::vector<std::string>& launcher,
                         unsigned ranks, milliseconds longest_silence) {
  for (unsigned rank = 0; rank < ranks; ++rank)
    ranks_.push_back({std::make_unique<WorkerProcess>(program, launcher)});
  const json reply = ask(*ranks_.front().process, "new group", longest_silence);
  const auto group = reply.find("group");
  if (group == reply.end())
    throw MalformedReply("{} does not name the group that it began, but said {:.80}",
                         program.filename().string(), reply.dump());
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

// If that rank had begun a later rung than rank 0, the begin of that rung comes first.
void WorkerGroup::tell_end(std::size_t rank, const char* name, const std::string& what) {
  if (ranks_[rank].begun > ranks_[0].begun) to_tell_.push_back({{"begin", ranks_[rank].in_flight}});
  to_tell_.push_back({{name, fmt::format("rank {}{}", rank, what)}});
}

void WorkerGroup::end(std::size_t rank) {
  kill();  // they would wait for it
  tell_end(rank, "lost", " died: " + ranks_[rank].process->how_it_ended());
}

// Empty: it says nothing more in this time.
std::optional<json> WorkerGroup::hear(std::size_t rank, milliseconds timeout) try {
  Rank& one = ranks_[rank];
  auto reply = one.process->receive(timeout);
  if (!reply) return {};
  ++one.replies;
  one.done = is_last(*reply);
  if (const auto begin = reply->find("begin"); begin != reply->end() && begin->is_string()) {
    ++one.begun;
    one.in_flight = begin->get<std::string>();
  }
  for (const char* end : {"error", "lost"})
    if (rank > 0 && reply->contains(end)) tell_end(rank, end, ": " + sentence(reply->at(end)));
  return reply;
} catch (const WorkerEnded&) {
  end(rank);
  return {};
}

std::optional<json> WorkerGroup::receive(milliseconds timeout) {
  constexpr auto turn = 20ms;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    for (std::size_t rank = 1; rank < ranks_.size() && to_tell_.empty(); ++rank)
      while (hear(rank, 0ms)) {
      }
    if (!to_tell_.empty()) {
      std::optional<json> first(std::in_place, std::move(to_tell_.front()));
      to_tell_.pop_front();
      return first;
    }
    const auto waiting = std::ranges::find(ranks_, false, &Rank::done);
    if (waiting == ranks_.end()) return std::exchange(last_reply_, {});
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    const auto rank = static_cast<std::size_t>(waiting - ranks_.begin());
    auto reply = hear(rank, std::clamp<milliseconds>(left, 0ms, turn));
    if (!reply && left <= 0ms && to_tell_.empty()) return {};
    if (!reply || rank > 0) continue;
    if (!ranks_[0].done) return reply;
    last_reply_ = std::move(reply);
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
