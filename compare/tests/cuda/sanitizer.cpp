#include "compare/tests/cuda/sanitizer.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "compare/driver/temporary_folder.hpp"

namespace ladder::tests {
namespace {

std::string requests(const Backend& backend, const protocol::Listing& rung) {
  std::string lines;
  for (const auto& operation : backend.kinds) {
    const bool has_type = std::ranges::count(rung.dtypes, operation.dtype) != 0;
    if (operation.operation != rung.operation || (!operation.op.empty() && operation.op != rung.operators.front()) || !has_type) continue;
    for (const reports::Contract contract : rung.contracts) {
      for (const std::uint64_t n : {0, 1, 33, 1009, 4099, 70'001}) {
        if (n > rung.max_elements) continue;
        protocol::VerifyRequest request;
        request.problem.operation = operation.operation;
        request.problem.op = operation.op;
        request.problem.dtype = operation.dtype;
        request.problem.n = n;
        request.problem.devices = rung.over_devices ? 1 : 0;
        request.problem.bins = operation.usual_bins;
        request.problem.distribution = operation.distributions.front();
        request.contract = contract;
        request.rungs = {rung.path};
        nlohmann::json line = request;
        line["do"] = "verify";
        lines += line.dump() + '\n';
      }
    }
  }
  return lines;
}

}  // namespace

std::string sanitizer(std::string_view tool) {
  const char* const program = std::filesystem::exists(COMPUTE_SANITIZER) ? COMPUTE_SANITIZER : "compute-sanitizer";
  return fmt::format("'{}' --tool {} --error-exitcode 99 --print-limit 3", program, tool);
}

Said sanitized(const char* tool, const Backend& backend, const protocol::Listing& rung) {
  const TemporaryFolder folder;
  std::ofstream(folder / "requests") << requests(backend, rung);
  return captured(fmt::format("LADDER_WITHOUT_GUARDS=1 {} '{}' < '{}'", sanitizer(tool), backend.program.string(), (folder / "requests").string()));
}

bool is_clean(const Said& said) {
  static const std::regex summary(R"(ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards displayed \(0 errors, 0 warnings\))");
  const bool right_answers = said.text.find("\"answer\"") != std::string::npos && said.text.find("\"pass\":false") == std::string::npos;
  return said.exit_code == 0 && right_answers && std::regex_search(said.text, summary);
}

bool is_clean_but_for_meet(const Said& said) {
  static const std::regex error("Barrier error detected"),
      at_meet(R"(Barrier error detected\. Divergent thread\(s\) in block\.\n=+ +at void ladder::meet<)");
  const auto count = [&](const std::regex& what) { return std::distance(std::sregex_iterator(said.text.begin(), said.text.end(), what), {}); };
  return is_clean(said) || (count(error) > 0 && count(error) == count(at_meet));
}

}  // namespace ladder::tests
