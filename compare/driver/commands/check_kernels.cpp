#include "compare/driver/commands/check_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/plan/check_plan.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/interrupt.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "compare/driver/terminal/say.hpp"
#include "compare/driver/workers/all_cores.hpp"
#include "compare/driver/workers/dialogue.hpp"
#include "compare/driver/workers/worker_process.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"

namespace ladder {
namespace {

using protocol::Checked, protocol::Finding, protocol::Listing;
using Clock = std::chrono::steady_clock;

constexpr const char* advice_to_the_silent =
    "Look for a loop without end that touches no memory. If the work only takes long, raise "
    "--timeout.";
constexpr const char* advice_to_the_dead =
    "Look for a division by zero, for recursion, or for a local array that is too large or "
    "overrun.";

// One rung, on the operation as it is asked for.
struct Subject {
  const Listing* rung;
  std::vector<CheckRun> runs;
};

// The runs of a rung are dealt out to so many cores.
constexpr std::size_t parts_of_rung = 2;

// What the runs of a rung found. Runs after the first that ended the worker are not needed: they
// would crash or fall silent again.
struct Answers {
  explicit Answers(std::size_t runs) : of_run(runs), needed(runs) {}

  // No run after this one is needed. Called by several threads.
  void stop_after(std::size_t run) {
    std::size_t last = needed;
    while (run + 1 < last) {
      if (needed.compare_exchange_weak(last, run + 1)) return;
    }
  }

  std::vector<Checked> of_run;
  std::atomic<std::size_t> needed;
  std::atomic<bool> is_slow = false;  // and a person has been told
  std::size_t parts_done = 0;
};

struct Result {
  const Listing* rung = nullptr;  // not checked yet
  Checked checked;
  // What this backend cannot do is no mistake of the rung.
  bool as_expected() const {
    if (checked.skipped) return checked.unsupported;
    return rung->expected_wrong != checked.findings.empty();
  }
};

// of_kernels: only rungs from elsewhere.
std::vector<Subject> subjects(const Backend& backend, const CheckKernelsOptions& options,
                              bool of_kernels) {
  const Selection& selection = options.selection;
  std::vector<Subject> all;
  for (const Listing& rung : backend.implementations) {
    if (of_kernels && rung.from.empty()) continue;
    if (selection.devices > 0 && selection.rungs.empty() && !rung.over_devices) continue;
    if (!chosen(selection.operations, rung.operation) ||
        !reports::chosen_rung(selection.rungs, rung.operation, {rung.provider, rung.rung}))
      continue;
    auto runs = runs_of(rung, backend, selection, options.quick);
    if (runs.empty()) continue;
    all.push_back({&rung, std::move(runs)});
  }
  if (!all.empty()) return all;
  if (of_kernels && !backend.left_out.empty()) return all;  // for which there is a reason
  if (of_kernels)
    throw UsageError("none of these kernels runs on the emulated backend and fits these options");
  throw UsageError(
      "no rung of the emulated backend fits these options; ./ladder list shows what runs where");
}

// The worker, started anew where a kernel has ended it.
class Inspector {
 public:
  Inspector(fs::path program, unsigned seeds, std::chrono::milliseconds longest_silence)
      : program_(std::move(program)), schedules_(seeds + 1), longest_silence_(longest_silence) {
    std::iota(schedules_.begin(), schedules_.end(), std::uint64_t{0});
    // The orders first in which a run on new flags and counters has its blocks in another order.
    if (seeds == 0) few_schedules_ = schedules_;
    else few_schedules_ = {1, 2 % schedules_.size()};
  }

  // A part does not depend on another: what a rung leaves in the variables of its program ends with
  // the worker.
  void check(const Subject& subject, std::size_t part, Answers& answers) {
    if (std::exchange(last_, subject.rung) == subject.rung) worker_.reset();
    for (std::size_t r = part; r < answers.needed; r += parts_of_rung) {
      answers.of_run[r] = check(subject.runs[r], subject.rung->path, answers.is_slow);
      if (!worker_) answers.stop_after(r);
    }
  }

 private:
  void tell_of_silence(const CheckRun& run, const std::string& path,
                       const std::string& where) const {
    if (!where.empty()) say("{} runs {}.", path, where);
    else
      say("{} has said nothing for {} s, at {}. After {:g} s it is given up (--timeout).", path,
          long_silence.count(), run.problem.in_words(),
          std::chrono::duration<double>(longest_silence_).count());
  }

  // A worker that crashed, fell silent, refused or talks rubbish is needed no more.
  Checked no_answer(const CheckRun& run, const std::string& path, const char* what,
                    const char* advice) {
    worker_.reset();
    return {.path = path,
            .findings = {{"no answer",
                          {},
                          {},
                          {},
                          fmt::format("{}, at {}", what, run.problem.in_words()),
                          advice,
                          1}}};
  }

  Checked check(const CheckRun& run, const std::string& path, std::atomic<bool>& is_slow) {
    try {
      if (!worker_) worker_.emplace(program_);
      Checked checked;
      converse(
          *worker_, "check",
          protocol::CheckRequest{run.problem,
                                 {path},
                                 run.in_few_orders ? few_schedules_ : schedules_,
                                 run.multiprocessors},
          longest_silence_,
          [&](const std::string& name, const json& content) {
            if (name != "checked") return false;
            checked = content.get<Checked>();
            return true;
          },
          nullptr,
          [&, tells = false](const std::string& where) mutable {
            if (where.empty()) tells = !is_slow.exchange(true);
            if (tells) tell_of_silence(run, path, where);
          });
      return checked;
    } catch (const WorkerSilent& end) {
      return no_answer(run, path, end.what(), advice_to_the_silent);
    } catch (const WorkerEnded& end) {
      return no_answer(run, path, end.what(), advice_to_the_dead);
    } catch (const std::exception& end) {
      return no_answer(run, path, end.what(), "");
    }
  }

  fs::path program_;
  std::vector<std::uint64_t> schedules_, few_schedules_;
  std::chrono::milliseconds longest_silence_;
  std::optional<WorkerProcess> worker_;
  const Listing* last_ = nullptr;
};

// Adds a finding once for each pair of lines, in whatever order and at whatever size it was found,
// as that tells it which shows the most.
void add(const Finding& finding, std::vector<Finding>& findings) {
  const auto same = [&](const Finding& other) {
    return other.kind == finding.kind && std::minmax(other.line, other.other_line) ==
                                             std::minmax(finding.line, finding.other_line);
  };
  const auto known = std::ranges::find_if(findings, same);
  if (known == findings.end()) {
    findings.push_back(finding);
    return;
  }
  const std::uint64_t times = known->times + finding.times;
  if (finding.reach > known->reach) *known = finding;
  known->times = times;
}

// What makes others comes first: a race may make a fault, and all of them a wrong answer.
int rank_of(const Finding& finding) {
  if (finding.kind == "race") return 0;
  if (finding.kind.starts_with("uninitialised")) return 1;
  return finding.kind == "wrong answer" ? 3 : 2;
}

// A wrong answer that comes of others has no guess at its cause.
void put_causes_first(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, {}, rank_of);
  for (Finding& finding : findings)
    if (finding.kind == "wrong answer" && findings.front().kind != finding.kind)
      finding.advice.clear();
}

Result result_of(const Subject& subject, const Answers& answers) {
  Result result{subject.rung, {.path = subject.rung->path, .skipped = answers.needed > 0}};
  for (const Checked& one : std::span(answers.of_run).first(answers.needed)) {
    result.checked.unsupported |= one.unsupported;
    if (one.skipped) result.checked.reason = one.reason;
    else result.checked.skipped = false;
    for (const Finding& finding : one.findings) add(finding, result.checked.findings);
    for (const Finding& remark : one.remarks) add(remark, result.checked.remarks);
    result.checked.accesses += one.accesses;
  }
  put_causes_first(result.checked.findings);
  return result;
}

std::string as_text(const Finding& finding) {
  std::string text = fmt::format("    {}", finding.kind);
  if (!finding.kernel.empty()) text += fmt::format(" in {}", finding.kernel);
  if (finding.times > 1) text += fmt::format(", seen {} times", reports::grouped(finding.times));
  text += fmt::format("\n      {}\n", finding.message);
  if (!finding.advice.empty()) text += fmt::format("      {}\n", finding.advice);
  return text;
}

// One mistake may show at many pairs of lines, such as a last warp without __syncwarp: the first
// few in full, of the others the lines.
std::string as_text(const std::vector<Finding>& findings) {
  constexpr std::size_t in_full = 3;
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const Finding*>> alike;
  for (const Finding& finding : findings)
    alike[{finding.kind, finding.kernel, finding.advice}].push_back(&finding);
  std::string text;
  for (const Finding& finding : findings) {
    const auto& group = alike[{finding.kind, finding.kernel, finding.advice}];
    const auto place = static_cast<std::size_t>(std::ranges::find(group, &finding) - group.begin());
    if (place < in_full || finding.line.empty()) text += as_text(finding);
    if (place != in_full || finding.line.empty()) continue;
    text += fmt::format("    {} in {}, the same in {}:\n", finding.kind, finding.kernel,
                        reports::counted(group.size() - in_full, "more place"));
    for (const Finding* other : std::span(group).subspan(in_full))
      text += fmt::format("      {}{}\n", other->line,
                          other->other_line.empty() ? "" : " and " + other->other_line);
  }
  return text;
}

std::string verdict(const Result& result) {
  const Checked& checked = result.checked;
  const std::size_t count = checked.findings.size();
  if (checked.skipped) return "not checked: it " + checked.reason;
  if (count == 0 && result.rung->expected_wrong)
    return "NOT FOUND: it is wrong on purpose, and came out clean";
  if (count == 0 && !checked.reason.empty())
    return "clean; not at every size: it " + checked.reason;
  if (count == 0) return "clean";
  return reports::counted(count, "finding") +
         (result.rung->expected_wrong ? ", expected: it is wrong on purpose" : "");
}

std::string as_text(const Result& result) {
  std::string text = fmt::format("  {:<42}  {}\n", result.rung->operation + ' ' + result.rung->rung,
                                 verdict(result));
  text += as_text(result.checked.findings);
  for (const Finding& remark : result.checked.remarks)
    text += "    remark:" + as_text(remark).substr(3);
  return text;
}

std::string closing_line(const std::vector<Result>& results, std::size_t left_out, double seconds) {
  std::size_t expected = 0, unexpected = 0, missed = 0, unchecked = 0;
  for (const auto& [rung, checked] : results) {
    (rung->expected_wrong ? expected : unexpected) += checked.findings.size();
    if (checked.skipped) ++unchecked;
    else if (rung->expected_wrong && checked.findings.empty()) ++missed;
  }
  std::string text = reports::counted(results.size(), "rung") + ", ";
  text += unexpected + expected == 0 ? "no findings"
                                     : reports::counted(unexpected + expected, "finding");
  if (expected > 0)
    text += unexpected == 0 ? ", expected" : fmt::format(", {} of them expected", expected);
  if (missed > 0) text += fmt::format(", {} expected and not found", missed);
  if (unchecked > 0) text += fmt::format(", {} not checked", unchecked);
  if (left_out > 0) text += fmt::format(", {} left out", reports::counted(left_out, "file"));
  return fmt::format("{}; {:.0f} s\n", text, seconds);
}

json as_json(const std::vector<Result>& results) {
  return reports::each(results, [](const Result& result) {
    json one = result.checked;
    one["operation"] = result.rung->operation;
    one["expected_wrong"] = result.rung->expected_wrong;
    one["as_expected"] = result.as_expected();
    return one;
  });
}

}  // namespace

int check_kernels_command(CheckKernelsOptions options, const fs::path& workers) {
  const Catalogue catalogue = read_catalogue(workers);
  options.selection.backends = {"emulated"};
  validate(options.selection, catalogue);
  const Backend& backend = catalogue.backend(reports::Backend::emulated);
  // the checker knows where each array ends; it would take the guards for part of it
  setenv("LADDER_WITHOUT_GUARDS", "1", 1);

  interrupt::watch();
  const auto start = Clock::now();
  const std::chrono::milliseconds longest_silence(
      static_cast<std::int64_t>(options.timeout * 1000));
  const std::vector<Subject> all =
      subjects(backend, options, catalogue.kernels && options.selection.rungs.empty());
  std::deque<Answers> answers;
  for (const Subject& subject : all) answers.emplace_back(subject.runs.size());
  std::vector<Result> results(all.size());
  std::size_t printed = 0;
  std::mutex mutex;
  on_all_cores(parts_of_rung * all.size(), [&] {
    return [&, inspector = std::make_unique<Inspector>(backend.program, options.seeds,
                                                       longest_silence)](std::size_t i) {
      const std::size_t s = i / parts_of_rung;
      inspector->check(all[s], i % parts_of_rung, answers[s]);
      const std::lock_guard lock(mutex);
      if (++answers[s].parts_done < parts_of_rung) return;
      results[s] = result_of(all[s], answers[s]);
      if (options.as_json) return;
      for (; printed < results.size() && results[printed].rung != nullptr; ++printed)
        fmt::print("{}", as_text(results[printed]));
      std::fflush(stdout);
    };
  });
  if (options.as_json) fmt::print("{}\n", reports::terminal_json(as_json(results)));
  else
    fmt::print("{}", closing_line(results, backend.left_out.size(),
                                  std::chrono::duration<double>(Clock::now() - start).count()));
  return backend.left_out.empty() && std::ranges::all_of(results, &Result::as_expected) ? 0 : 1;
}

}  // namespace ladder
