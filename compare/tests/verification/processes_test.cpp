// One device of each of several processes: real workers of the emulated backend, each of which has
// its own part of the data and looks at its own part of the answer.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/workers/dialogue.hpp"
#include "compare/driver/workers/worker_group.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/verification/plan.hpp"
#include "compare/tests/verification/questions.hpp"
#include "compare/tests/whole.hpp"

using namespace ladder;

namespace {

constexpr std::chrono::minutes longest_silence{10};  // for what hangs

WorkerGroup started(unsigned ranks) {
  return WorkerGroup(workers_folder() / "worker_emulated", {"env"}, ranks, longest_silence);
}

}  // namespace

TEST_CASE("emulated: devices of several processes give the right answers together",
          "[emulated][processes]") {
  const Catalogue catalogue = read_catalogue(workers_folder(), Tells::list);
  const Backend& emulated = catalogue.backend(reports::Backend::emulated);
  const unsigned ranks = GENERATE(1U, 2U, 3U);
  if (ranks == 2 && !tests::run_whole()) return;
  WorkerGroup group = started(ranks);
  std::set<std::string> answered;
  for (const auto& kind : emulated.kinds) {
    for (auto& request : tests::devices_plan(kind, ranks)) {
      INFO(tests::in_words(request.problem));
      for (const auto& rung : emulated.implementations)
        if (rung.collective && rung.operation == kind.operation &&
            std::ranges::count(rung.dtypes, kind.dtype) > 0 &&
            (kind.op.empty() || std::ranges::count(rung.operators, kind.op) > 0))
          request.rungs.push_back(rung.path);
      if (request.rungs.empty()) continue;
      converse(group, "verify", request, longest_silence,
               [&](const std::string& name, const nlohmann::json& content) {
                 if (name != "answer") return true;
                 const auto answer = content.get<protocol::Answer>();
                 INFO(answer.path << ": " << answer.reason);
                 CHECK(answer.pass);
                 CHECK(answer.same_bits);
                 answered.insert(kind.operation + answer.path);
                 return true;
               });
    }
  }
  CHECK(answered.size() == 4 + 3 + 2);  // nccl_allreduce, allgather_fold, allgather_totals
}

TEST_CASE(
    "emulated: what needs the memory of other devices is refused where they are of other processes",
    "[emulated][processes]") {
  WorkerGroup group = started(2);
  protocol::VerifyRequest request;
  request.problem = {.operation = "reduce",
                     .op = "sum",
                     .dtype = "i32",
                     .n = 100,
                     .distribution = "uniform",
                     .devices = 2};
  request.rungs = {"handwritten/team/peer_copy"};
  const auto none = [](const std::string&, const nlohmann::json&) { return false; };
  CHECK_THROWS_AS(converse(group, "verify", request, longest_silence, none), WorkerRefused);
  WorkerGroup another = started(2);  // of the first the other rank may refuse later
  request.rungs = {"handwritten/team/nccl_allreduce"};
  request.contract = reports::Contract::host_result;
  CHECK_THROWS_AS(converse(another, "verify", request, longest_silence, none), WorkerRefused);
}

// As where the driver was killed, and a launcher keeps the worker's standard input open.
TEST_CASE("a worker that nobody hears any more ends, whatever it waits for",
          "[emulated][processes]") {
  std::array<int, 2> requests{}, replies{};
  REQUIRE(pipe2(requests.data(), O_CLOEXEC) == 0);
  REQUIRE(pipe2(replies.data(), O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, requests[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, replies[1], STDOUT_FILENO);
  std::string program = workers_folder() / "worker_emulated";
  std::array<char*, 2> arguments{program.data(), nullptr};
  pid_t id = 0;
  REQUIRE(posix_spawn(&id, program.c_str(), &actions, nullptr, arguments.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  for (const int descriptor : {requests[0], replies[1], replies[0]}) close(descriptor);
  CHECK(waitpid(id, nullptr, 0) == id);  // ctest ends what hangs
  close(requests[1]);
}

TEST_CASE("emulated: devices of several processes count together what those of one process do",
          "[emulated][processes]") {
  for (const unsigned ranks : {1U, 2U, 3U}) {
    WorkerGroup group = started(ranks);
    WorkerProcess one(workers_folder() / "worker_emulated");
    protocol::MeasureRequest request;
    request.problem = {.operation = "reduce",
                       .op = "sum",
                       .dtype = "i64",
                       .n = 1000,
                       .distribution = "uniform",
                       .devices = ranks};
    for (const char* path : {"handwritten/team/nccl_allreduce", "handwritten/team/allgather_fold",
                             "handwritten/reduce/gather"}) {
      INFO(path << ", " << ranks << " processes");
      auto of_group = tests::cell_of(group, request, path),
           of_one = tests::cell_of(one, request, path);
      REQUIRE(of_group.counters);
      REQUIRE(of_one.counters);
      of_one.counters->steps = of_group.counters->steps,
      // those of a tree, which no process has whole
          of_one.counters->work = of_group.counters->work;
      CHECK(nlohmann::json(of_group) == nlohmann::json(of_one));
    }
  }
}
