#include "compare/tests/cuda/sanitizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "compare/driver/temporary_folder.hpp"

namespace ladder::tests {
namespace {

bool takes(const protocol::Listing& rung, const protocol::OperationListing& kind, reports::Contract contract, std::uint64_t n) {
  if (rung.operation != kind.operation || (!kind.op.empty() && kind.op != rung.operators.front())) return false;
  return std::ranges::count(rung.dtypes, kind.dtype) != 0 && std::ranges::count(rung.contracts, contract) != 0 && n <= rung.max_elements;
}

// Counts the answers that it asks for.
std::string requests(const Backend& backend, std::span<const protocol::Listing> rungs, std::size_t& answers) {
  std::string lines;
  for (const auto& kind : backend.kinds) {
    for (const reports::Contract contract : {reports::Contract::device_result, reports::Contract::host_result}) {
      for (const std::uint64_t n : {0, 1, 33, 1009, 4099, 70'001}) {
        protocol::VerifyRequest request;
        for (const auto& rung : rungs)
          if (takes(rung, kind, contract, n)) request.rungs.push_back(rung.path);
        if (request.rungs.empty()) continue;
        answers += request.rungs.size();
        request.problem.operation = kind.operation;
        request.problem.op = kind.op;
        request.problem.dtype = kind.dtype;
        request.problem.n = n;
        request.problem.devices = rungs.front().over_devices ? 1 : 0;
        request.problem.bins = kind.usual_bins;
        request.problem.distribution = kind.distributions.front();
        request.contract = contract;
        nlohmann::json line = request;
        line["do"] = "verify";
        lines += line.dump() + '\n';
      }
    }
  }
  return lines;
}

}  // namespace

bool is_asked(const Backend& backend, const protocol::Listing& rung) {
  std::size_t answers = 0;
  requests(backend, {&rung, 1}, answers);
  return answers > 0;
}

std::string sanitizer(std::string_view tool) {
  const char* const program = std::filesystem::exists(COMPUTE_SANITIZER) ? COMPUTE_SANITIZER : "compute-sanitizer";
  return fmt::format("'{}' --tool {} --error-exitcode 99 --print-limit 3", program, tool);
}

Sanitized sanitized(std::string_view tool, const Backend& backend, std::span<const protocol::Listing> rungs) {
  const TemporaryFolder folder;
  Sanitized run;
  std::ofstream(folder / "requests") << requests(backend, rungs, run.answers);
  // NCCL asks the driver for kernels that a GPU may not have. The call that fails is no error of a rung.
  const bool asks_in_vain = rungs.front().collective && tool == "memcheck";
  run.said = captured(fmt::format("LADDER_WITHOUT_GUARDS=1 {}{} '{}' < '{}'", sanitizer(tool), asks_in_vain ? " --report-api-errors no" : "",
                                  backend.program.string(), (folder / "requests").string()));
  return run;
}

std::string Sanitized::complaints() const {
  std::istringstream lines(said.text);
  std::string all;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(R"({"answer")") || line.find(R"("pass":false)") != std::string::npos) all += line + '\n';
  return all;
}

bool is_clean(const Sanitized& run) {
  const std::string left = run.complaints();
  const auto lines = [](const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); };
  const auto says = [&](std::string_view what) { return run.said.text.find(what) != std::string::npos; };
  const bool all_right = run.answers > 0 && lines(run.said.text) - lines(left) == run.answers && !says(R"("pass":false)");
  const bool no_errors = says("ERROR SUMMARY: 0 errors") || says("RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)");
  return run.said.exit_code == 0 && all_right && no_errors;
}

bool is_clean_but_for(std::string_view barrier, const Sanitized& run) {
  std::istringstream text(run.said.text);
  unsigned errors = 0, expected = 0;
  for (std::string line, before; std::getline(text, line); before = line) {
    if (line.find("Barrier error detected") != std::string::npos) ++errors;
    if (before.ends_with("Barrier error detected. Divergent thread(s) in block.") && line.find(barrier) != std::string::npos) ++expected;
  }
  return is_clean(run) || (errors > 0 && errors == expected);
}

}  // namespace ladder::tests
