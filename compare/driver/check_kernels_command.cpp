#include "compare/driver/check_kernels_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>

#include "compare/driver/catalogue.hpp"
#include "compare/driver/dialogue.hpp"
#include "compare/driver/errors.hpp"
#include "compare/driver/interrupt.hpp"
#include "compare/driver/worker_process.hpp"
#include "reports/text.hpp"

namespace ladder {
namespace {

using protocol::Checked, protocol::Finding, protocol::Listing;
using Clock = std::chrono::steady_clock;

constexpr const char* advice_to_the_silent =
    "Look for a loop without end, or for recursion, a division by zero, or an array of a thread's own that is too large or overrun. If the "
    "work is only long, raise --timeout.";

// One thread's work; a few blocks or part of one; several blocks of every rung, and more; all of them ragged at the end.
const std::vector<std::uint64_t> usual_sizes{1, 1'000, 10'007, 40'009};

// One rung, on the operation as it is asked for.
struct Subject {
  const Listing* rung;
  std::vector<ProblemSpec> problems;
};

struct Result {
  const Listing* rung;
  Checked checked;
  bool as_expected() const { return rung->expected_wrong != checked.findings.empty(); }
};

// i32 and the operation's default operator, or what was asked for of what there is.
std::vector<ProblemSpec> problems_of(const Listing& rung, const Backend& backend, const Selection& selection) {
  std::vector<ProblemSpec> problems;
  for (const auto& kind : backend.kinds) {
    if (kind.operation != rung.operation) continue;
    const bool is_its_own = chosen(rung.dtypes, kind.dtype) && chosen(rung.operators, kind.op);
    if (!is_its_own || !chosen(selection.dtypes, kind.dtype) || !chosen(selection.operators, kind.op)) continue;
    for (const std::uint64_t n : selection.sizes.empty() ? usual_sizes : selection.sizes)
      problems.push_back({kind.operation, kind.op, kind.dtype, n, kind.distributions.front(), kind.usual_bins, selection.seed, 0});
  }
  const auto keep_one = [&](auto member, const auto& best) {
    std::erase_if(problems, [&, wanted = best](const ProblemSpec& problem) { return problem.*member != wanted; });
  };
  if (problems.empty()) return problems;
  if (selection.operators.empty()) keep_one(&ProblemSpec::op, problems.front().op);
  const bool has_i32 = std::ranges::any_of(problems, [](const ProblemSpec& problem) { return problem.dtype == "i32"; });
  if (selection.dtypes.empty()) keep_one(&ProblemSpec::dtype, has_i32 ? "i32" : problems.front().dtype);
  return problems;
}

std::vector<Subject> subjects(const Backend& backend, const Selection& selection) {
  std::vector<Subject> all;
  for (const Listing& rung : backend.implementations) {
    if (!chosen(selection.operations, rung.operation) || !chosen(selection.rungs, rung.rung)) continue;
    if (auto problems = problems_of(rung, backend, selection); !problems.empty()) all.push_back({&rung, std::move(problems)});
  }
  if (all.empty()) throw UsageError("no rung of the emulated backend fits this choice; ./ladder list shows what runs where");
  return all;
}

// The worker, started anew where a kernel has ended it.
class Inspector {
 public:
  Inspector(std::filesystem::path program, unsigned seeds, std::chrono::milliseconds longest_silence)
      : program_(std::move(program)), schedules_(seeds + 1), longest_silence_(longest_silence) {
    std::iota(schedules_.begin(), schedules_.end(), std::uint64_t{0});
  }

  Checked check(const Subject& subject) {
    Checked all{subject.rung->path, false, {}, {}};
    for (const ProblemSpec& problem : subject.problems) {
      const Checked one = check(problem, subject.rung->path);
      if (one.skipped) all.reason = one.reason;
      for (const Finding& finding : one.findings) add(finding, all.findings);
      if (!worker_) break;  // it would crash or fall silent again
    }
    return all;
  }

 private:
  // Once for each pair of lines, whatever the size it was found at.
  static void add(const Finding& finding, std::vector<Finding>& findings) {
    const auto same = [&](const Finding& other) {
      return std::tie(other.kind, other.line, other.other_line) == std::tie(finding.kind, finding.line, finding.other_line);
    };
    const auto known = std::ranges::find_if(findings, same);
    if (known == findings.end()) findings.push_back(finding);
    else known->times += finding.times;
  }

  Checked check(const ProblemSpec& problem, const std::string& path) {
    try {
      if (!worker_) worker_.emplace(program_);
      Checked checked;
      converse(*worker_, "check", protocol::CheckRequest{problem, {path}, schedules_}, longest_silence_,
               [&](const std::string& name, const nlohmann::json& content) {
                 if (name != "checked") return false;
                 checked = content.get<Checked>();
                 return true;
               });
      return checked;
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& end) {  // it crashed, fell silent, refused or talks rubbish
      return given_up(path, end.what());
    }
  }

  Checked given_up(const std::string& path, const char* why) {
    worker_.reset();
    return {path, false, {}, {{"no answer", {}, {}, {}, why, advice_to_the_silent, 1}}};
  }

  std::filesystem::path program_;
  std::vector<std::uint64_t> schedules_;
  std::chrono::milliseconds longest_silence_;
  std::optional<WorkerProcess> worker_;
};

std::string as_text(const Finding& finding) {
  std::string text = fmt::format("    {}", finding.kind);
  if (!finding.kernel.empty()) text += fmt::format(" in {}", finding.kernel);
  if (finding.times > 1) text += fmt::format(", seen {} times", reports::grouped(finding.times));
  text += fmt::format("\n      {}\n", finding.message);
  if (!finding.advice.empty()) text += fmt::format("      {}\n", finding.advice);
  return text;
}

std::string verdict(const Result& result) {
  const std::size_t count = result.checked.findings.size();
  if (count == 0 && result.rung->expected_wrong) return "NOT FOUND: it is wrong on purpose, and came out clean";
  if (count == 0) return result.checked.reason.empty() ? "clean" : "clean; not at every size: it " + result.checked.reason;
  return reports::counted(count, "finding", "findings") + (result.rung->expected_wrong ? ", expected: it is wrong on purpose" : "");
}

std::string as_text(const Result& result) {
  std::string text = fmt::format("  {:<42}  {}\n", result.rung->operation + ' ' + result.rung->rung, verdict(result));
  for (const Finding& finding : result.checked.findings) text += as_text(finding);
  return text;
}

std::string closing_line(const std::vector<Result>& results, double seconds) {
  std::size_t expected = 0, unexpected = 0;
  for (const Result& result : results) (result.rung->expected_wrong ? expected : unexpected) += result.checked.findings.size();
  std::string text = reports::counted(results.size(), "rung", "rungs") + ", ";
  text += unexpected + expected == 0 ? "no findings" : reports::counted(unexpected + expected, "finding", "findings");
  if (expected > 0) text += unexpected == 0 ? ", expected" : fmt::format(", {} of them expected", expected);
  const auto missed = std::ranges::count_if(results, [](const Result& r) { return r.rung->expected_wrong && r.checked.findings.empty(); });
  if (missed > 0) text += fmt::format(", {} expected and not found", missed);
  return fmt::format("{}; {:.0f} s\n", text, seconds);
}

nlohmann::json as_json(const std::vector<Result>& results) {
  nlohmann::json all = nlohmann::json::array();
  for (const Result& result : results) {
    nlohmann::json one = result.checked;
    one.erase("skipped");
    one["operation"] = result.rung->operation;
    one["expected_wrong"] = result.rung->expected_wrong;
    one["as_expected"] = result.as_expected();
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

int check_kernels_command(const CheckKernelsOptions& options, const std::filesystem::path& workers) {
  const Catalogue catalogue = read_catalogue(workers);
  Selection selection = options.selection;
  selection.backends = {"emulated"};
  validate(selection, catalogue);
  const Backend& backend = catalogue.backend(reports::Backend::emulated);
  setenv("LADDER_WITHOUT_GUARDS", "1", 1);       // the checker knows where each array ends; it would take the guards for part of it
  setenv("LADDER_FEW_MULTIPROCESSORS", "1", 1);  // so that loops over a grid go round

  interrupt::watch();
  const auto start = Clock::now();
  Inspector inspector(backend.program, options.seeds, std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout * 1000)));
  std::vector<Result> results;
  for (const Subject& subject : subjects(backend, selection)) {
    results.push_back({subject.rung, inspector.check(subject)});
    if (options.as_json) continue;
    fmt::print("{}", as_text(results.back()));
    std::fflush(stdout);
  }
  if (options.as_json) fmt::print("{}\n", reports::terminal_json(as_json(results)));
  else fmt::print("{}", closing_line(results, std::chrono::duration<double>(Clock::now() - start).count()));
  return std::ranges::all_of(results, &Result::as_expected) ? 0 : 1;
}

}  // namespace ladder
