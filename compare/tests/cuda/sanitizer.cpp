#include "compare/tests/cuda/sanitizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "compare/driver/disk/temporary_folder.hpp"

namespace ladder::tests {
namespace {

bool takes(const protocol::Listing& rung, const protocol::OperationListing& kind,
           reports::Contract contract, std::uint64_t n) {
  if (rung.operation != kind.operation || (!kind.op.empty() && kind.op != rung.operators.front()))
    return false;
  return std::ranges::count(rung.dtypes, kind.dtype) != 0 &&
         std::ranges::count(rung.contracts, contract) != 0 && n <= rung.max_elements;
}

// From many_tiles on a block of an H200 that stays takes five tiles: with the small tiles of
// `waves` for 8 bytes, then for 4, and with its large tiles.
constexpr std::uint64_t many_tiles = 2'900'017;
constexpr std::array<std::uint64_t, 9> sizes{0,      1,          33,        1009,      4099,
                                             70'001, many_tiles, 5'900'017, 10'000'019};

// Counts the answers that it asks for. A rung that runs alone also sums inputs of many tiles for
// each block. devices: of a rung over devices.
std::string requests(const Backend& backend, std::span<const protocol::Listing> rungs,
                     unsigned devices, std::size_t& answers) {
  std::string lines;
  for (const auto& kind : backend.kinds) {
    for (const reports::Contract contract :
         {reports::Contract::device_result, reports::Contract::host_result}) {
      for (const std::uint64_t n : sizes) {
        if (n >= many_tiles && (rungs.size() > 1 || kind.op != "sum")) continue;
        protocol::VerifyRequest request;
        for (const auto& rung : rungs)
          if (takes(rung, kind, contract, n)) request.rungs.push_back(rung.path);
        if (request.rungs.empty()) continue;
        answers += request.rungs.size();
        request.problem.operation = kind.operation;
        request.problem.op = kind.op;
        request.problem.dtype = kind.dtype;
        request.problem.n = n;
        request.problem.devices = rungs.front().over_devices ? devices : 0;
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
  requests(backend, {&rung, 1}, 1, answers);
  return answers > 0;
}

std::string sanitizer(std::string_view tool) {
  const char* const program =
      std::filesystem::exists(COMPUTE_SANITIZER) ? COMPUTE_SANITIZER : "compute-sanitizer";
  return fmt::format("'{}' --tool {} --error-exitcode 99 --print-limit 1000", program, tool);
}

Sanitized sanitized(std::string_view tool, const Backend& backend,
                    std::span<const protocol::Listing> rungs) {
  const TemporaryFolder folder;
  Sanitized run;
  // Over two devices memcheck alone: kernels that wait for each other run side by side under it.
  const unsigned devices = tool == "memcheck" ? std::min(2U, backend.devices) : 1;
  std::ofstream(folder / "requests") << requests(backend, rungs, devices, run.answers);
  // NCCL asks the driver for kernels that a GPU may not have. The call that fails is no error of a
  // rung.
  const bool asks_in_vain = rungs.front().collective && tool == "memcheck";
  run.said = captured(fmt::format("LADDER_WITHOUT_GUARDS=1 {}{} '{}' < '{}'", sanitizer(tool),
                                  asks_in_vain ? " --report-api-errors no" : "",
                                  backend.program.string(), (folder / "requests").string()));
  return run;
}

std::string Sanitized::complaints() const {
  std::istringstream lines(said.text);
  std::string all;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(R"({"answer")") || line.find(R"("pass":false)") != std::string::npos)
      all += line + '\n';
  return all;
}

namespace {

bool says(const Sanitized& run, std::string_view what) {
  return run.said.text.find(what) != std::string::npos;
}

bool is_answered(const Sanitized& run) {
  const auto lines = [](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  };
  return run.answers > 0 && lines(run.said.text) - lines(run.complaints()) == run.answers &&
         !says(run, R"("pass":false)");
}

}  // namespace

bool is_clean(const Sanitized& run) {
  const bool no_errors = says(run, "ERROR SUMMARY: 0 errors") ||
                         says(run, "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)");
  return run.said.exit_code == 0 && is_answered(run) && no_errors;
}

bool is_clean_but_for(const std::string& functions, const Sanitized& run) {
  const std::regex one_of_them(functions);
  const auto names_one = [&](const std::string& line) {
    return std::regex_search(line, one_of_them);
  };
  std::istringstream text(run.said.text);
  std::size_t expected = 0;
  for (std::string line, before; std::getline(text, line); before = line) {
    const bool is_barrier =
        before.ends_with("Barrier error detected. Divergent thread(s) in block.");
    const bool is_race =
        before.starts_with("========= Warning: Race reported") && names_one(before);
    if ((is_barrier || is_race) && names_one(line)) ++expected;
  }
  if (expected == 0) return is_clean(run);
  if (run.said.exit_code != 0 && run.said.exit_code != 99) return false;
  // synccheck ends the process with the first kernel that it reports, so answers are missing.
  if (says(run, "ERROR SUMMARY:"))
    return says(run, fmt::format("ERROR SUMMARY: {} error", expected)) &&
           !says(run, R"("pass":false)");
  return is_answered(run) && says(run, fmt::format("RACECHECK SUMMARY: {} hazard", expected)) &&
         says(run, fmt::format("(0 errors, {} warning", expected));
}

}  // namespace ladder::tests
