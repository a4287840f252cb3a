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
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/interrupt.hpp"
#include "compare/driver/terminal/lists.hpp"
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
    "Look for a loop without end, or for recursion, a division by zero, or a local array that is "
    "too large or overrun. If the "
    "work only takes long, raise --timeout.";

constexpr std::uint64_t small = 1'025, medium = 10'007, large = 40'009, larger = 70'001;
// Nothing; one thread's work; a power of two, one less and one more; several blocks of every
// rung, ragged at the end.
const std::vector<std::uint64_t> usual_sizes{0, 1, 1'023, 1'024, small, medium, large},
    quick_sizes{1, small, medium};
// where 256 bytes are sorted, there are runs longer than a vector
constexpr std::uint64_t some = 5'003;
// More bins than a block has counters for: sorted values at the medium size are all even numbers,
// and so the first past 2^k counters too.
constexpr unsigned few_bins = 37, many_bins = 1'021, too_many_bins = 2 * medium;

// GPUs: of one size a grid holds small inputs at once, of the others loops over a grid go round, or
// a grid has many blocks.
constexpr unsigned usual_gpu = 8, small_gpu = 2, large_gpu = 132;

struct Run {
  ProblemSpec problem;
  unsigned multiprocessors;
  bool in_few_orders;
};

// One rung, on the operation as it is asked for.
struct Subject {
  const Listing* rung;
  std::vector<Run> runs;
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
  std::size_t parts_done = 0;
};

struct Result {
  const Listing* rung = nullptr;  // not checked yet
  Checked checked;
  bool as_expected() const {
    return !checked.skipped && rung->expected_wrong != checked.findings.empty();
  }
};

using Kind = protocol::OperationListing;

std::vector<Kind> kinds_of(const Listing& rung, const Backend& backend,
                           const Selection& selection) {
  return reports::only(backend.kinds, [&](const Kind& kind) {
    const bool is_its_own = kind.operation == rung.operation && chosen(rung.dtypes, kind.dtype) &&
                            chosen(rung.operators, kind.op);
    return is_its_own && chosen(selection.dtypes, kind.dtype) &&
           chosen(selection.operators, kind.op);
  });
}

// i32 and the operation's default operator, where there is a choice.
Kind usual_of(std::vector<Kind> kinds) {
  std::erase_if(kinds, [op = kinds.front().op](const Kind& kind) { return kind.op != op; });
  const auto i32 = std::ranges::find(kinds, "i32", &Kind::dtype);
  return i32 == kinds.end() ? kinds.front() : *i32;
}

ProblemSpec problem_of(const Kind& kind, std::uint64_t n, std::uint64_t seed) {
  return {kind.operation,  kind.op, kind.dtype, n, kind.distributions.front(),
          kind.usual_bins, seed,    0};
}

// The numbers of devices: one, two, and three, into which no usual size has equal parts.
std::vector<unsigned> devices_for(const Listing& rung, const Backend& backend,
                                  const Selection& selection) {
  if (!rung.over_devices) return {0};
  if (selection.devices > 0) return {selection.devices};
  std::vector<unsigned> some{1, 2, 3};
  std::erase_if(some, [&](unsigned devices) { return devices > backend.devices; });
  return some;
}

// What was asked for, each with each; what was left out is as usual. Over devices also an element
// for all but one.
std::vector<Run> product(std::vector<Kind> kinds, const CheckKernelsOptions& options,
                         unsigned devices) {
  const Selection& selection = options.selection;
  const Kind usual = usual_of(kinds);
  if (selection.operators.empty())
    std::erase_if(kinds, [&](const Kind& kind) { return kind.op != usual.op; });
  if (selection.dtypes.empty())
    std::erase_if(kinds, [&](const Kind& kind) { return kind.dtype != usual.dtype; });
  std::vector<std::uint64_t> sizes =
      or_else(selection.sizes, options.quick ? quick_sizes : usual_sizes);
  if (selection.sizes.empty() && devices > 2) sizes.push_back(devices - 1);
  std::vector<Run> runs;
  for (const Kind& kind : kinds)
    for (const std::string& distribution :
         or_else(selection.distributions, std::vector{kind.distributions.front()}))
      for (const unsigned bins : kind.usual_bins == 0
                                     ? std::vector{0U}
                                     : or_else(selection.bins, std::vector{kind.usual_bins}))
        for (const unsigned offset : or_else(selection.offsets, std::vector{0U}))
          for (const std::uint64_t n : sizes) {
            if (!has(kind.distributions, distribution) || bins > kind.most_bins) continue;
            ProblemSpec problem = problem_of(kind, n, selection.seed);
            problem.distribution = distribution;
            problem.bins = bins;
            problem.offset = offset;
            problem.devices = devices;
            runs.push_back({problem, usual_gpu, selection.sizes.empty() && n == large});
          }
  return runs;
}

// One thing each that kernels get wrong: another type, an operator with another identity, or one
// for which the order of the elements matters, other values, other bins, arrays that no vector
// fits, and loops over a grid. All but what comes last on a small GPU.
std::vector<Run> variations(const std::vector<Kind>& kinds, std::uint64_t seed, unsigned devices) {
  const Kind usual = usual_of(kinds);
  std::vector<Run> runs;
  const auto add = [&](const Kind& kind, std::uint64_t n,
                       unsigned multiprocessors = small_gpu) -> ProblemSpec& {
    ProblemSpec& problem =
        runs.emplace_back(Run{problem_of(kind, n, seed), multiprocessors, true}).problem;
    problem.devices = devices;
    return problem;
  };
  add(usual, large);
  for (const Kind& kind : kinds) {
    if (kind.op == usual.op && kind.dtype != usual.dtype) add(kind, small);
    if (kind.op != usual.op && kind.dtype == usual.dtype) add(kind, small);
    if (kind.op != "compose") continue;
    add(kind, small).offset = 1;
    add(kind, large);
  }
  for (const std::string& distribution : usual.distributions)
    if (distribution != usual.distributions.front()) add(usual, some).distribution = distribution;
  for (const unsigned bins : {few_bins, many_bins})
    if (bins <= usual.most_bins) add(usual, some).bins = bins;
  if (too_many_bins <= usual.most_bins) {
    add(usual, medium).bins = too_many_bins;
    ProblemSpec& sorted = add(usual, medium);
    sorted.bins = too_many_bins;
    sorted.distribution = "sorted";
  }
  for (const std::uint64_t n : {std::uint64_t{1}, small, medium}) add(usual, n).offset = 1;
  add(usual, small).offset = 2;
  const auto wide = std::ranges::find_if(
      kinds, [&](const Kind& kind) { return kind.op == usual.op && kind.dtype.ends_with("64"); });
  if (wide == kinds.end()) return runs;
  add(*wide, medium);
  add(*wide, larger).offset = 1;
  add(*wide, large, large_gpu);
  return runs;
}

bool leaves_choice(const CheckKernelsOptions& options) {
  const Selection& s = options.selection;
  return !options.quick && s.operators.empty() && s.dtypes.empty() && s.sizes.empty() &&
         s.distributions.empty() && s.bins.empty() && s.offsets.empty();
}

// of_kernels: only rungs from elsewhere.
std::vector<Subject> subjects(const Backend& backend, const CheckKernelsOptions& options,
                              bool of_kernels) {
  const Selection& selection = options.selection;
  std::vector<Subject> all;
  for (const Listing& rung : backend.implementations) {
    if (of_kernels && rung.from.empty()) continue;
    if (!chosen(selection.operations, rung.operation) ||
        !reports::chosen_rung(selection.rungs, rung.operation, {rung.provider, rung.rung}))
      continue;
    const auto kinds = kinds_of(rung, backend, selection);
    if (kinds.empty()) continue;
    const std::vector<unsigned> devices = devices_for(rung, backend, selection);
    std::vector<Run> runs;
    for (const unsigned count : devices)
      std::ranges::move(product(kinds, options, count), std::back_inserter(runs));
    if (runs.empty()) continue;
    if (leaves_choice(options))
      std::ranges::move(variations(kinds, selection.seed, devices.back()),
                        std::back_inserter(runs));
    all.push_back({&rung, std::move(runs)});
  }
  if (all.empty() && of_kernels)
    throw UsageError("none of these kernels runs on the emulated backend and fits these options");
  if (all.empty())
    throw UsageError(
        "no rung of the emulated backend fits these options; ./ladder list shows what runs where");
  return all;
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
      answers.of_run[r] = check(subject.runs[r], subject.rung->path);
      if (!worker_) answers.stop_after(r);
    }
  }

 private:
  Checked check(const Run& run, const std::string& path) {
    try {
      if (!worker_) worker_.emplace(program_);
      Checked checked;
      converse(*worker_, "check",
               protocol::CheckRequest{run.problem,
                                      {path},
                                      run.in_few_orders ? few_schedules_ : schedules_,
                                      run.multiprocessors},
               longest_silence_, [&](const std::string& name, const json& content) {
                 if (name != "checked") return false;
                 checked = content.get<Checked>();
                 return true;
               });
      return checked;
    } catch (const std::exception& end) {  // it crashed, fell silent, refused or talks rubbish
      worker_.reset();
      return {.path = path,
              .findings = {{"no answer", {}, {}, {}, end.what(), advice_to_the_silent, 1}}};
    }
  }

  fs::path program_;
  std::vector<std::uint64_t> schedules_, few_schedules_;
  std::chrono::milliseconds longest_silence_;
  std::optional<WorkerProcess> worker_;
  const Listing* last_ = nullptr;
};

// Adds a finding once for each pair of lines, whatever the size it was found at.
void add(const Finding& finding, std::vector<Finding>& findings) {
  const auto same = [&](const Finding& other) {
    return std::tie(other.kind, other.line, other.other_line) ==
           std::tie(finding.kind, finding.line, finding.other_line);
  };
  const auto known = std::ranges::find_if(findings, same);
  if (known == findings.end()) findings.push_back(finding);
  else known->times += finding.times;
}

Result result_of(const Subject& subject, const Answers& answers) {
  Result result{subject.rung, {.path = subject.rung->path, .skipped = answers.needed > 0}};
  for (const Checked& one : std::span(answers.of_run).first(answers.needed)) {
    if (one.skipped) result.checked.reason = one.reason;
    else result.checked.skipped = false;
    for (const Finding& finding : one.findings) add(finding, result.checked.findings);
    for (const Finding& remark : one.remarks) add(remark, result.checked.remarks);
    result.checked.accesses += one.accesses;
  }
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
