// The programs of straw that `ladder prove-clock` talks to: called specimens it is the program of
// known kernels, called worker_cuda it is a worker. Its clock shows FAKE_SCALE times the truth, and
// FAKE_DIES is the name of a program that does at start.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "compare/proof/series.hpp"
#include "compare/protocol.hpp"

using namespace ladder;
using nlohmann::json;

namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

double shown(double us) {
  return us * std::stod(variable("FAKE_SCALE", "1"));
}

void reply(const json& line) {
  std::cout << line.dump() << std::endl;
}

double true_us(const std::string& specimen, double amount) {
  return specimen == "spin" ? amount : specimen == "repeat" ? 100 * amount : 0.2 * amount;
}

json series(const proof::SeriesRequest& request) {
  std::vector<proof::Series> all;
  for (const double amount : request.amounts) {
    proof::Series& one = all.emplace_back(proof::Series{amount, {}, {}});
    for (unsigned sample = 0; sample < request.samples; ++sample) {
      const double us = true_us(request.specimen, amount) + 0.032 * (sample % 2);
      one.clock_us.push_back(shown(us) + 1.5);
      if (request.specimen != "launch") one.other_us.push_back(us);
    }
  }
  return {{"series", all}};
}

// What a process shares is the same for all its rungs; a slower one takes 2 % more.
void measure(const protocol::MeasureRequest& request) {
  unsigned order = 0;
  for (const std::string& path : request.rungs) {
    const double us = 1e-6 * static_cast<double>(request.problem.n) *
                      (path.find("slower") == path.npos ? 1 : 1.02) * (1 + 0.01 * request.process);
    for (unsigned i = 0; i < request.min_samples; ++i)
      reply({{"sample", protocol::Sample{path, shown(us), order++, request.process}}});
    protocol::MeasuredCell cell;
    cell.path = path;
    cell.verdict = reports::Verdict::pass;
    cell.minimum_bytes.read = 4 * request.problem.n;
    reply({{"cell", cell}});
  }
  reply({{"done", true}});
}

json description() {
  reports::Machine machine;
  machine.gpu.emplace().name = "straw";
  return {{"machine", machine}, {"software", reports::Software{}}};
}

}  // namespace

int main(int, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).filename();
  if (variable("FAKE_DIES", "") == name) std::raise(SIGABRT);
  for (std::string line; std::getline(std::cin, line);) {
    const json request = json::parse(line);
    if (name == "specimens") reply(series(request.get<proof::SeriesRequest>()));
    else if (request["do"] == "list")
      reply({{"implementations", json::array()},
             {"left_out", json::array()},
             {"operations", json::array()},
             {"kinds", json::array()},
             {"contracts", {"device_result"}},
             {"has_limit", false},
             {"devices", 1}});
    else if (request["do"] == "describe") reply(description());
    else if (request["do"] == "measure") measure(request.get<protocol::MeasureRequest>());
  }
}
