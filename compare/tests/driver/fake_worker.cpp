// A worker of straw. It speaks the protocol and measures nothing: each rung does what its name
// says. Called worker_host or worker_cuda it "times", called worker_emulated it "counts".
// Environment: FAKE_LOG, a file that gets a line for each rung begun; FAKE_BASE_FOLLOWS, the rung
// that "base" follows; FAKE_EXPECTED_WRONG, the rung that is wrong on purpose; FAKE_DIES, the name
// of a worker that does at start; FAKE_COUNTERS, why it has no hardware counters ("none": it has);
// FAKE_UNCOUNTED, the rung that crashes when it is counted; FAKE_MISCOUNTED, the one whose counts
// cannot be; FAKE_FORGOTTEN, the one of which it says nothing; FAKE_REFUSED, a file that does not
// compile; FAKE_CLOCKED, the one that has a GPU's clock wherever it runs; FAKE_HOLD, a file: while
// it is there, "held" waits at n = 2000; FAKE_SILENCE, the folder of compare/tests/straw_clock.cpp;
// FAKE_REACH: findings reach as far as n; FAKE_WRONG_ANSWER: every answer is wrong, and "wrong" has
// a fault; FAKE_WHERE: "hangs" says where it is, "before" it does or when "asked"; FAKE_CARD, the
// UUID of its GPU
// ("visible": as CUDA_VISIBLE_DEVICES says); FAKE_REED, a GPU of another model; FAKE_CEILING, its
// ceiling in GB/s, 1 if empty; FAKE_DEVICES, how many devices any but worker_host has: then it has
// rungs over devices too; FAKE_RANK_DIES, FAKE_RANK_HANGS, FAKE_RANK_REFUSES, FAKE_RANK_LOSES (its
// device): the rung at which rank 1 does, and rank 0 waits for it.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "compare/protocol.hpp"

using namespace ladder;
using nlohmann::json;

namespace {

int rank = -1;  // in a group

struct FakeRung {
  const char *path, *follows;
  double us;  // what it "takes"
};

const FakeRung rungs[] = {
    {"handwritten/reduce/base", "", 800},
    {"handwritten/reduce/better", "base", 400},
    {"handwritten/reduce/best", "better", 100},
    {"handwritten/reduce/crashes", "base", 1},
    {"handwritten/reduce/crashes_later", "base", 1},
    {"handwritten/reduce/exits", "base", 1},
    {"handwritten/reduce/hangs", "base", 1},
    {"handwritten/reduce/rubbish", "base", 1},
    {"handwritten/reduce/misshapen", "base", 1},
    {"handwritten/reduce/impostor", "base", 1},
    {"handwritten/reduce/wrong", "base", 1},
    {"handwritten/reduce/held", "base", 1},
    {"handwritten/reduce/refused", "base", 1},
    {"handwritten/reduce/small", "base", 1},
    {"handwritten/reduce/loses_device", "base", 1},
    {"vendor/reduce/std_fast", "", 50},
    {"vendor/reduce/std_even", "", 100},
};

const FakeRung limit{"limit/reduce/read", "", 20};

const FakeRung rungs_over_devices[] = {
    {"handwritten/reduce/team/peer_copy", "best", 50},
    {"handwritten/reduce/team/together", "peer_copy", 25},
    {"handwritten/reduce/team/pair_of_two", "peer_copy", 50},  // of f64 alone
    {"vendor/reduce/team/std_team", "", 40},
};

bool is_over_devices(const std::string& path) {
  return path.find("/team/") != path.npos;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void reply(const json& line) {
  std::cout << line.dump() << std::endl;
}

std::string rung_of_path(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Of this backend.
std::vector<FakeRung> rungs_of(unsigned devices) {
  std::vector<FakeRung> all(std::begin(rungs), std::end(rungs));
  if (devices > 1)
    all.insert(all.end(), std::begin(rungs_over_devices), std::end(rungs_over_devices));
  return all;
}

json list(reports::Backend backend) {
  json implementations = json::array(), kinds = json::array();
  const std::string several = backend == reports::Backend::host ? "" : variable("FAKE_DEVICES");
  const unsigned devices = several.empty() ? 1 : static_cast<unsigned>(std::stoul(several));
  for (const FakeRung& rung : rungs_of(devices)) {
    protocol::Listing one;
    one.operation = "reduce";
    one.operators = {"sum", "min"};
    one.path = rung.path;
    one.rung = rung_of_path(rung.path);
    one.provider = one.path.starts_with("vendor") ? "std" : "handwritten";
    one.idea = "Straw.";
    one.follows = one.rung == "base" ? variable("FAKE_BASE_FOLLOWS") : rung.follows;
    one.dtypes = {"i32", "f64"};
    one.over_devices = is_over_devices(rung.path);
    one.collective = one.over_devices && one.rung != "peer_copy";
    if (one.rung == "pair_of_two") one.dtypes = {"f64"};
    one.backends = {backend};
    one.expected_wrong = one.rung == variable("FAKE_EXPECTED_WRONG");
    one.contracts = {Contract::device_result, Contract::host_result};
    one.max_elements = one.rung == "small" ? 100 : std::numeric_limits<std::uint64_t>::max();
    one.max_reason = one.rung == "small" ? "it is small" : "";
    implementations.push_back(one);
  }
  for (const char* op : {"sum", "min"})
    for (const char* dtype : {"i32", "f64"})
      kinds.push_back(protocol::OperationListing{"reduce", op, dtype, {"random", "dyadic"}, 0});
  const reports::Operation reduce{
      .name = "reduce", .operators = {"sum", "min"}, .usual_inputs = {"random"}};
  std::vector<Contract> contracts;
  if (backend != reports::Backend::emulated) contracts.push_back(Contract::host_result);
  if (backend == reports::Backend::cuda) contracts.push_back(Contract::device_result);
  nlohmann::json left_out = nlohmann::json::array();
  if (const std::string file = variable("FAKE_REFUSED"); !file.empty())
    left_out.push_back({{"file", file}, {"reason", "no such name"}, {"is_error", true}});
  if (const std::string file = variable("FAKE_WANTING"); !file.empty())
    left_out.push_back({{"file", file}, {"reason", "it needs NCCL"}, {"is_error", false}});
  return {{"implementations", implementations},
          {"left_out", left_out},
          {"operations", {reduce}},
          {"kinds", kinds},
          {"contracts", contracts},
          {"has_limit", backend == reports::Backend::cuda && !variable("FAKE_LIMIT").empty()},
          {"devices", devices}};
}

// Asked where it is, a worker of straw says so, and dies.
void answer_where(int) {
  reply({{"where", "straw.cu:7"}});
  std::_Exit(3);
}

[[noreturn]] void hang() {
  if (variable("FAKE_WHERE") == "before") reply({{"where", "straw.cu:6"}});
  if (variable("FAKE_WHERE") == "asked") std::signal(SIGURG, answer_where);
  if (const std::string folder = variable("FAKE_SILENCE"); !folder.empty())
    std::ofstream(folder + '/' + std::to_string(getpid()));
  while (true) pause();
}

[[noreturn]] void hang_unseen() {
  while (true) pause();
}

void measure(const protocol::MeasureRequest& request, reports::Backend backend) {
  if (request.problem.n == 666) std::raise(SIGKILL);  // no input of this size can be posed
  unsigned order = 0;
  for (const std::string& path : request.rungs) {
    const std::string rung = rung_of_path(path);
    std::ofstream(variable("FAKE_LOG"), std::ios::app)
        << request.problem.dtype << ' ' << request.problem.n << ' ' << rung << ' '
        << request.process << ' ' << getpid() << std::endl;
    if (rank == 1 && rung == variable("FAKE_RANK_HANGS")) hang_unseen();
    for (const char* end : {"FAKE_RANK_DIES", "FAKE_RANK_REFUSES", "FAKE_RANK_LOSES"})
      if (rank == 0 && rung == variable(end)) hang_unseen();
    reply({{"begin", path}});
    if (rank == 1 && rung == variable("FAKE_RANK_DIES")) std::raise(SIGKILL);
    if (rank == 0 && rung == variable("FAKE_RANK_HANGS")) hang();
    if (rung == "crashes" || (rung == "crashes_later" && request.process == 1)) std::raise(SIGSEGV);
    if (rung == "exits") std::_Exit(3);
    if (rung == variable("FAKE_UNCOUNTED") && request.counters) std::raise(SIGSEGV);
    if (rung == "hangs") hang();
    if (rung == "rubbish") std::cout << "Hello from a kernel! \xff" << std::endl;
    if (rung == "misshapen") reply({{"cell", {{"path", path}}}});
    if (rung == "impostor") reply({{"begin", "handwritten/reduce/nobody"}});
    while (rung == "held" && request.problem.n == 2000 &&
           std::filesystem::exists(variable("FAKE_HOLD")))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (rung == "loses_device" || (rank == 1 && rung == variable("FAKE_RANK_LOSES"))) {
      reply({{"lost", "an illegal address, says the straw"}});
      std::_Exit(3);
    }
    if (rung == "refused" || (rank == 1 && rung == variable("FAKE_RANK_REFUSES"))) {
      reply({{"error", "this cannot be asked of straw"}});
      return;
    }
    protocol::MeasuredCell cell;
    cell.path = path;
    cell.verdict = rung == "wrong" ? reports::Verdict::fail : reports::Verdict::pass;
    cell.reason = rung == "wrong" ? "out[0] is 1, should be 2" : "";
    const std::uint64_t element = request.problem.dtype == "f64" ? 8 : 4;
    const unsigned devices = is_over_devices(path) ? request.problem.devices : 0;
    if (is_over_devices(path) && devices == 0)
      cell.verdict = reports::Verdict::fail, cell.reason = "nobody spread its data";
    cell.minimum_bytes = {element * request.problem.n, element * std::max(devices, 1U)};
    cell.error = reports::Error{0, 0, 0};
    if (rung == variable("FAKE_FORGOTTEN")) continue;
    if (backend == reports::Backend::cuda || rung == variable("FAKE_CLOCKED"))
      cell.clocks = reports::Clocks{1500, 1980, {}};
    if (backend != reports::Backend::emulated && !request.counters) {
      auto all = rungs_of(64);
      all.push_back(limit);
      const auto fake =
          std::ranges::find_if(all, [&](const FakeRung& r) { return r.path == path; });
      if (request.contract == Contract::device_result)  // the last is done last
        for (unsigned device = 1; device <= devices; ++device)
          cell.devices_us.push_back(fake->us * (1 + 0.01 * request.process) * device / devices);
      for (unsigned i = 0; i < 9; ++i)  // what a process shares is the same for all its rungs
        reply({{"sample",
                protocol::Sample{path, fake->us * (1 + 0.01 * request.process) * (1 + 0.001 * i),
                                 order++, request.process}}});
    } else {
      reports::Counters counters;
      counters.global_load_bytes = element * request.problem.n;
      if (devices > 0)
        counters.peer_load_bytes = element * (devices - 1), counters.peer_store_bytes = 0;
      if (rung == variable("FAKE_MISCOUNTED")) counters.global_load_bytes = std::uint64_t{1} << 63;
      cell.counters = counters;
    }
    reply({{"cell", cell}});
  }
  reply({{"done", true}});
}

void check(const protocol::CheckRequest& request) {
  for (const std::string& path : request.rungs) {
    const std::string rung = rung_of_path(path);
    reply({{"begin", path}});
    if (rung == "crashes") std::raise(SIGSEGV);
    if (rung == "hangs") hang();
    protocol::Checked checked{path,
                              rung == "small" && request.problem.n > 100,
                              rung == "small" ? "takes at most 100 elements" : "",
                              {},
                              {}};
    if (rung == variable("FAKE_UNSUPPORTED")) {
      checked.skipped = checked.unsupported = true;
      checked.reason = "launches a kernel in a kernel";
    }
    const std::uint64_t n = request.problem.n;
    if (!variable("FAKE_WRONG_ANSWER").empty())
      checked.findings = {{"wrong answer", {}, {}, {}, "is straw", "Look at it.", 1}};
    if (!variable("FAKE_WRONG_ANSWER").empty() && rung == "wrong")
      checked.findings.push_back({"fault", {}, {}, {}, "A straw breaks.", "Bend it.", 1});
    if (rung == "wrong" && variable("FAKE_REACH").empty())
      checked.findings.push_back(
          {"race", "straw_kernel", "a.cu:1", "a.cu:2", "Two straws meet.", "Keep them apart.", n});
    else if (rung == "wrong")
      checked.findings.push_back({"race", "straw_kernel", n > 500 ? "a.cu:1" : "a.cu:2",
                                  n > 500 ? "a.cu:2" : "a.cu:1",
                                  "Two straws meet at " + std::to_string(n) + '.',
                                  "Keep them apart.", n, static_cast<unsigned>(n)});
    if (const char* places = std::getenv("FAKE_PLACES"))
      for (int k = 1; k <= std::atoi(places); ++k)
        checked.findings.push_back({"race", "straw_kernel", "b.cu:" + std::to_string(k), "b.cu:9",
                                    "Straw " + std::to_string(k) + ".", "Apart.", 1});
    static std::uint64_t remembered = 0;  // what a kernel leaves in a variable of its program
    if (rung == "better") {
      remembered += variable("FAKE_REMEMBERS").empty() ? 0 : 1;
      checked.remarks.push_back({"barrier without all threads",
                                 "straw_kernel",
                                 "a.cu:3",
                                 {},
                                 "One has exited.",
                                 {},
                                 1 + remembered});
    }
    std::ofstream(variable("FAKE_LOG"), std::ios::app)
        << request.problem.op << ' ' << request.problem.dtype << ' ' << request.problem.n << ' '
        << request.problem.distribution << ' ' << request.problem.offset << ' '
        << request.schedules.size() << " on " << request.multiprocessors
        << (request.problem.devices > 0 ? " over " + std::to_string(request.problem.devices) : "")
        << std::endl;
    checked.accesses = request.problem.n;
    reply({{"checked", checked}});
  }
  reply({{"done", true}});
}

}  // namespace

int main(int, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).filename();
  if (variable("FAKE_DIES") == name) std::raise(SIGABRT);
  const auto backend = reports::named<reports::Backend>(name.substr(name.find('_') + 1));
  const bool timed = backend != reports::Backend::emulated;
  for (std::string line; std::getline(std::cin, line);) {
    const json request = json::parse(line);
    if (request["do"] == "list") reply(list(backend));
    if (request["do"] == "new group") reply({{"group", "straw"}});
    if (request["do"] == "join") {
      rank = request["rank"].get<int>();
      reply({{"joined", true}});
    }
    if (request["do"] == "counters")
      reply(
          {{"unavailable", variable("FAKE_COUNTERS") == "none" ? "" : variable("FAKE_COUNTERS")}});
    if (request["do"] == "describe") {
      reports::Machine machine;
      reports::Software software;
      if (!timed) software.emulated_compiler = "straw compiler";
      if (backend == reports::Backend::cuda) {
        const std::string visible = variable("CUDA_VISIBLE_DEVICES");
        machine.gpu.emplace().name =
            !visible.empty() && visible == variable("FAKE_REED") ? "reed" : "straw";
        machine.gpu->uuid = variable("FAKE_CARD") == "visible" ? visible : variable("FAKE_CARD");
        const std::string devices = variable("FAKE_DEVICES");
        for (unsigned from = 0; !devices.empty() && from < std::stoul(devices); ++from) {
          if (from > 0)
            machine.further_gpus.push_back({"straw", "straw " + std::to_string(from), "address"});
          for (unsigned to = 0; to < std::stoul(devices); ++to)
            if (to != from) machine.links.push_back({from, to, true, from + to != 3, {}});
        }
      }
      reply({{"machine", machine}, {"software", software}});
    }
    if (request["do"] == "limits") {
      json ceilings = json::array(), overheads = json::array();
      const std::string ceiling = variable("FAKE_CEILING");
      if (timed)
        ceilings.push_back(reports::Ceiling{backend, reports::Access::read, reports::Memory::dram,
                                            1 << 20, ceiling.empty() ? 1 : std::stod(ceiling)});
      if (backend == reports::Backend::host)
        overheads.push_back(reports::Overhead{backend, Contract::host_result, "no kernel", 0.02});
      if (backend == reports::Backend::cuda)
        overheads = {reports::Overhead{backend, Contract::device_result, "no kernel", 1},
                     reports::Overhead{backend, Contract::device_result, "an empty kernel", 2},
                     reports::Overhead{backend, Contract::host_result, "an empty kernel", 9}};
      if (backend == reports::Backend::cuda && request["devices"] > 1U) {
        ceilings.push_back(
            reports::Ceiling{backend, reports::Access::read, reports::Memory::peer, 1 << 20, 0.5});
        overheads.push_back(
            reports::Overhead{backend, Contract::device_result, "a flag to another device", 1.5});
      }
      reply({{"ceilings", ceilings}, {"overheads", overheads}});
    }
    if (request["do"] == "check") check(request.get<protocol::CheckRequest>());
    if (request["do"] == "measure") measure(request.get<protocol::MeasureRequest>(), backend);
  }
}
