// Several worker programs, each with one device of a team. To the driver they are one: every
// request goes to all, and the replies are those of rank 0.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compare/driver/workers/worker_process.hpp"

namespace ladder {

class WorkerGroup : public Worker {
 public:
  // Starts them by the words of the launcher, and has them join. Throws what ask() throws.
  WorkerGroup(const fs::path& program, const std::vector<std::string>& launcher, unsigned ranks,
              milliseconds longest_silence);

  void send(const json& request) override;
  // What a request was asked for last comes when all have answered it. Where one ends, so do the
  // others; WorkerEnded names it.
  std::optional<json> receive(milliseconds timeout) override;
  void kill() override;
  std::string who_is_silent() const override;  // who has said the least

 private:
  struct Rank {
    std::unique_ptr<WorkerProcess> process;
    bool done = false;
    std::size_t replies = 0, begun = 0;  // to the last request
    std::string in_flight = {};          // begun last
  };

  std::optional<json> hear(std::size_t rank, milliseconds timeout);
  void end(std::size_t rank);
  void tell_end(std::size_t rank, const char* name, const std::string& what);

  std::vector<Rank> ranks_;
  std::optional<json> last_reply_;  // of rank 0, for when all are done
  std::deque<json> to_tell_;        // before all else: the refusal or the end of a rank
};

}  // namespace ladder
