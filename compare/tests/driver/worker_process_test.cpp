// One worker process: what it says, how it ends.
#include "compare/driver/workers/worker_process.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <utility>

#include "compare/driver/workers/dialogue.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"

using namespace ladder;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr std::chrono::milliseconds forever = 24h;

}  // namespace

TEST_CASE("a worker hears requests and is heard line by line") {
  Workshop workshop;
  WorkerProcess worker(
      workshop.script("printf '{\"a\":1}\\n{\"b\"'; sleep 0.05; printf ':2}\\n'; cat"));
  CHECK(worker.receive(forever) == json{{"a", 1}});
  CHECK(worker.receive(forever) == json{{"b", 2}});
  CHECK(!worker.receive(10ms));
  worker.send({{"c", 3}});
  CHECK(worker.receive(forever) == json{{"c", 3}});
  CHECK(!worker.receive(10ms));  // and goes on
}

TEST_CASE("whatever the environment was, NCCL has no NVLink multicast in a worker") {
  Workshop workshop;
  setenv("NCCL_NVLS_ENABLE", "1", 1);
  WorkerProcess worker(
      workshop.script("echo \"{\\\"multicast\\\":\\\"$NCCL_NVLS_ENABLE\\\"}\"; cat"));
  CHECK(worker.receive(forever) == json{{"multicast", "0"}});
}

TEST_CASE("what a worker said before it ended is still heard") {
  Workshop workshop;
  WorkerProcess worker(workshop.script("echo '{\"last\":1}'; exit 3"));
  CHECK(worker.receive(forever) == json{{"last", 1}});
  CHECK_THROWS_AS(worker.receive(forever), WorkerEnded);
  CHECK(worker.how_it_ended() == "exit code 3");
  CHECK_THROWS_AS(worker.send({{"do", "list"}}), WorkerEnded);
}

TEST_CASE("a signal is called by its number and name") {
  Workshop workshop;
  WorkerProcess worker(workshop.script("kill -SEGV $$"));
  CHECK_THROWS_WITH(worker.receive(forever),
                    Catch::Matchers::ContainsSubstring("killed by signal 11 (Segmentation fault)"));
}

TEST_CASE("half a line at the end is no reply") {
  Workshop workshop;
  WorkerProcess worker(workshop.script("printf '{\"a\":1}'"));
  CHECK_THROWS_AS(worker.receive(forever), WorkerEnded);
}

TEST_CASE("a line that is no JSON object is malformed") {
  Workshop workshop;
  const std::string line = GENERATE("hello", "[1]", "17", "", "{\"a\":1}{\"b\":2}", "\\377\\376");
  WorkerProcess worker(workshop.script("printf '" + line + "\\n'; cat"));
  CHECK_THROWS_AS(worker.receive(forever), MalformedReply);
}

TEST_CASE("a worker that closes its output but stays is ended") {
  Workshop workshop;
  const auto [ignored, signal] =
      GENERATE(std::pair("", "15 (Terminated)"), std::pair("trap '' TERM; ", "9 (Killed)"));
  WorkerProcess worker(workshop.script(std::string(ignored) + "exec >&- <&-; sleep infinity"));
  CHECK_THROWS_WITH(worker.receive(forever), "script closed its output and went on running");
  CHECK(worker.how_it_ended() == "killed by signal " + std::string(signal));
}

TEST_CASE("a worker that does not end by itself does not outlive its process object") {
  Workshop workshop;
  pid_t id = 0;
  {
    WorkerProcess worker(
        workshop.script("echo \"{\\\"id\\\":$$}\"; trap '' TERM; exec sleep infinity"));
    id = worker.receive(forever).value().at("id");
    REQUIRE(kill(id, 0) == 0);
  }
  CHECK(kill(id, 0) != 0);
}

// Orphans become children of this process, so that it learns which signal ended each. One that
// nothing has ended is ended here.
TEST_CASE("what a launcher starts beside the worker ends with it, kindly where it can") {
  Workshop workshop;
  const std::string ignored = GENERATE("", "trap '' TERM; ");
  // ends by itself, at the end of its input, by force
  const std::string then = GENERATE("exit 3", "cat", "exec sleep infinity");
  CAPTURE(ignored, then);
  REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  pid_t beside = 0;
  {
    WorkerProcess worker(
        workshop.script(ignored + "sleep infinity <&- >&- & echo \"{\\\"id\\\":$!}\"; " + then));
    beside = worker.receive(forever).value().at("id");
    if (then == "exit 3") CHECK_THROWS_AS(worker.receive(forever), WorkerEnded);
  }
  kill(beside, SIGUSR1);
  int status = 0;
  REQUIRE(waitpid(beside, &status, 0) == beside);
  REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 0) == 0);
  CHECK(WTERMSIG(status) == (ignored.empty() ? SIGTERM : SIGKILL));
}

TEST_CASE("a worker that says nothing is given up, by the clock on the wall") {
  Workshop workshop;
  WorkerProcess worker(workshop.script("exec sleep infinity"));
  CHECK_THROWS_WITH(ask(worker, "list", 20ms), "no reply for 0.02 s");
}

TEST_CASE("a program that is not there or cannot be run is an error at start") {
  Workshop workshop;
  CHECK_THROWS_AS(WorkerProcess(workshop.path("nowhere")), std::system_error);
  std::ofstream(workshop.path("no_program")) << "text";
  CHECK_THROWS_AS(WorkerProcess(workshop.path("no_program")), std::system_error);
}
