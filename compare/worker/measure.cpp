// Measures by the clock. All competitors of a request are prepared together and take turns in
// random order, so that whatever drifts in the machine meets them all alike. A rung has to be right
// before it is timed and again after: no verdict, no time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "compare/worker/backend.hpp"
#include "compare/worker/count.hpp"
#include "compare/worker/judge.hpp"
#include "compare/worker/processes.hpp"
#include "compare/worker/run.hpp"
#include "compare/worker/trees.hpp"
#include "reports/model/model.hpp"
#include "reports/numbers/statistics.hpp"
#include "reports/text/lists.hpp"

namespace ladder::probe {
namespace {

using reports::Cache;
using Seconds = std::chrono::duration<double>;

// of the median: six processes together then settle a ratio to about 2 %
constexpr double converged_half_width = 0.03;
// wakes threads and lets clocks rise; to be calibrated on each kind of machine ..
constexpr Seconds warm_up_time{0.1};
constexpr Seconds warm_up_again{0.005};  // .. and later in a process, which has hardly paused
// a check this fast follows every sample, a slower one only the last of a rung
constexpr Seconds cheap_check{1e-3};

struct Competitor {
  const Implementation* rung = nullptr;
  Problem* problem = nullptr;
  protocol::MeasuredCell cell;
  std::shared_ptr<const Tree> tree;    // null: not admitted
  std::unique_ptr<Prepared> prepared;  // null: out of the contest
  RightAnswer last_right;
  std::vector<double> times;                          // microseconds
  std::vector<std::vector<double>> times_of_devices;  // of this process
  std::vector<double> cycles;                         // where it reads its multiprocessor's clock
  Seconds first_run_took{0};
  Seconds spent{0};  // on its samples, with all that surrounds a timed run
  bool check_every_sample = false;
};

using clock::now;

Seconds latest_of(Seconds own) {
  return Seconds(latest(own.count()));
}

template <class T>
T given(const std::optional<T>& value, const char* name) {
  if (!value)
    throw std::invalid_argument(fmt::format("a request to time something names its {}", name));
  return *value;
}

class Contest {
 public:
  Contest(const protocol::MeasureRequest& request, Trees& trees, const Reporter& report)
      : request_(request),
        trees_(trees),
        report_(report),
        contract_(given(request.contract, "contract")),
        cache_(given(request.cache, "cache")) {
    if (!reports::has(contracts(), contract_))
      throw std::invalid_argument(
          fmt::format("the {} backend does not time {}", backend::name(), name_of(contract_)));
  }

  // Constructed in random order too: where in memory an array lies moves a time by 0.1 %, and no
  // implementation is to have the same place in every process (Curtsinger and Berger, STABILIZER,
  // ASPLOS 2013).
  void run(std::vector<Entry> entries) {
    forget_what_was();
    std::mt19937_64 random(request_.order_seed);
    std::ranges::shuffle(entries, random);
    for (const Entry& entry : entries) {
      competitors_.emplace_back().rung = entry.rung;
      competitors_.back().problem = entry.problem;
    }
    for (Competitor& c : competitors_) admit(c);
    trees_.release();  // those who enter need the room
    for (Competitor& c : competitors_)
      if (c.tree) enter(c);
    warm_up();
    clocks_ = clock::clocks();
    for (auto racing = in_race(); !racing.empty(); racing = in_race()) {
      std::ranges::shuffle(racing, random);
      for (Competitor* c : racing) take_sample(*c);
    }
  }

 private:
  std::vector<Competitor*> in_race() {
    std::vector<Competitor*> racing;
    for (Competitor& c : competitors_)
      if (c.prepared) racing.push_back(&c);
    return racing;
  }

  void admit(Competitor& c) {
    c.cell.path = c.rung->path;
    c.cell.minimum_bytes = {c.problem->bytes_read(), c.problem->bytes_written()};
    guarded(c, [&] {
      if (const auto reason = reason_to_skip(*c.rung, c.problem->spec().n))
        return leave(c, reports::Verdict::skipped, *reason);
      if (!c.rung->offers(contract_))
        return leave(c, reports::Verdict::skipped, fmt::format("it has no {}", name_of(contract_)));
      c.tree = trees_.to_judge(*c.rung, *c.problem, contract_);
    });
  }

  // Only a rung whose first answer is right takes part.
  void enter(Competitor& c) {
    guarded(c, [&] {
      c.prepared = c.rung->prepare(c.problem->device());
      c.problem->poison();
      const auto start = now();
      run_untimed(c);
      const auto end = now();
      c.first_run_took = latest_of(end - start);
      const Verdict answer = check(c);
      c.check_every_sample = latest_of(now() - end) <= cheap_check;
      if (!judge(*c.rung, answer, c.cell)) return leave(c);
      if (contract_ == Contract::device_result && request_.process == 0 &&
          works_elsewhere(c, end - start))
        leave(c, reports::Verdict::fail,
              "works outside the stream it was given, where its time cannot be taken");
    });
  }

  Verdict check(Competitor& c) {
    return ladder::check(*c.problem, contract_, *c.tree, &c.last_right);
  }

  // The result of a run that was enqueued while its stream was held. A host that is late is no
  // fault of the run: it is tried again, and the stream held for longer. A call that waits for its
  // stream is late each time, and cannot be captured.
  template <class Try>
  auto enqueued_in_time(Competitor& c, const Try& attempt) {
    using std::chrono::seconds;
    const auto run = [&](seconds hold) {
      const auto result = attempt(hold);
      return any(!result) ? std::nullopt : result;
    };
    if (const auto result = run(seconds(1))) return *result;
    const auto nothing = [] {};
    const bool is_captured = !any(!replay(*c.prepared, 1, 0, nothing, nothing));
    if (const auto result = run(seconds(10))) return *result;
    if (!is_captured)
      throw std::runtime_error(
          "the call waits for its stream on the host: it has no device_result");
    if (const auto result = run(seconds(30))) return *result;
    throw backend::Unsupported("this machine takes over 30 s to enqueue it");
  }

  // duration: of one run, and its first: what it does elsewhere is over by then.
  bool works_elsewhere(Competitor& c, std::chrono::nanoseconds duration) {
    const bool it_does = enqueued_in_time(c, [&](std::chrono::seconds hold) {
      c.problem->poison();
      c.prepared->restore(clock::stream());
      c.prepared->wait(clock::stream());
      // the stream is not held for much more than that
      constexpr std::chrono::nanoseconds longest = std::chrono::milliseconds(200);
      const auto untouched = c.problem->output_checksum(contract_);
      return clock::works_elsewhere(*c.prepared, hold, [&] {
        std::this_thread::sleep_for(std::min(duration, longest));
        return c.problem->output_checksum(contract_) != untouched;
      });
    });
    return any(it_does);
  }

  // Each rung has its share of the time. Its first run counts toward it.
  void warm_up() {
    static bool is_warm = false;  // this process
    const auto racing = in_race();
    if (racing.empty()) return;
    const Seconds share =
        (is_warm ? warm_up_again : warm_up_time) / static_cast<double>(racing.size());
    is_warm = true;
    for (Competitor* c : racing)
      guarded(*c, [&] {
        const auto start = now();
        while (c->first_run_took + latest_of(now() - start) < share) run_untimed(*c);
      });
  }

  void take_sample(Competitor& c) {
    guarded(c, [&] {
      const auto start = now();
      // warm: this rung has just run, whoever had the turn before
      if (cache_ == Cache::warm) run_untimed(c);
      std::vector<double> of_devices;
      const double us = latest(enqueued_in_time(c, [&](std::chrono::seconds hold) {
        c.problem->poison();
        c.prepared->restore(clock::stream());
        clock::treat_cache(cache_, c.prepared->devices());
        c.prepared->wait(clock::stream());
        latest(0);  // processes begin together
        of_devices.clear();
        return clock::time_us(*c.prepared, *c.problem, contract_, hold, &of_devices);
      }));
      clock::inspect();
      c.times.push_back(us);
      c.times_of_devices.resize(of_devices.size());
      for (std::size_t device = 0; device < of_devices.size(); ++device)
        c.times_of_devices[device].push_back(of_devices[device]);
      if (const auto cycles = c.prepared->sm_cycles())
        c.cycles.push_back(static_cast<double>(*cycles));
      report_.sample({std::string(c.rung->path), us, order_++, request_.process});
      const bool last = stops(c, c.spent + latest_of(now() - start));

      if (last || c.check_every_sample) {
        const Verdict answer = check(c);
        if (!judge(*c.rung, answer, c.cell)) {
          leave(c, c.cell.verdict,
                fmt::format("right at first, but not after {} timed runs: {}", c.times.size(),
                            c.cell.reason));
          return;
        }
      }
      c.spent += latest_of(now() - start);
      if (last) finish(c);
    });
  }

  bool converged(const std::vector<double>& times) const {
    if (times.size() < request_.min_samples) return false;
    const auto median = statistics::median_interval(times);
    return (median.high - median.low) / 2 <= converged_half_width * median.value;
  }

  bool stops(const Competitor& c, Seconds spent) const {
    return converged(c.times) || c.times.size() >= request_.max_samples ||
           spent.count() >= request_.max_seconds;
  }

  void finish(Competitor& c) {
    for (const auto& times : c.times_of_devices)
      for (const double us : of_all(statistics::median(times))) c.cell.devices_us.push_back(us);
    const double median = statistics::median(c.times);
    if (median < clock::resolution_us(contract_)) c.cell.flags.push_back("below_resolution");
    if (median < reports::gpu_back_to_back_us(contract_) && !run_back_to_back(c)) return;
    c.cell.clocks = clocks_;
    if (const auto now = clock::clocks()) reports::merge(*now, c.cell.clocks);
    if (!c.cycles.empty()) c.cell.sm_cycles = statistics::median(c.cycles);
    leave(c);
  }

  // False where it has left the contest: right one at a time, and not so.
  bool run_back_to_back(Competitor& c) {
    c.problem->poison();
    c.cell.back_to_back_us = clock::back_to_back_us(*c.prepared, contract_);
    if (!c.cell.back_to_back_us || judge(*c.rung, check(c), c.cell)) return true;
    leave(c, c.cell.verdict,
          fmt::format("right one run at a time, but not back to back: {}", c.cell.reason));
    return false;
  }

  void run_untimed(Competitor& c) {
    run_to_its_end(*c.prepared, *c.problem, contract_, clock::stream());
    clock::inspect();
  }

  // Announces the rung before it is touched, so that a crash is blamed on it, and turns what it
  // throws into its verdict.
  template <class Action>
  void guarded(Competitor& c, const Action& action) {
    report_.begin(c.rung->path);
    ladder::guarded(action, [&](reports::Verdict verdict, const char* reason) {
      const bool as_expected = verdict == reports::Verdict::fail && c.rung->card.expected_wrong;
      leave(c, as_expected ? reports::Verdict::expected_wrong : verdict, reason);
    });
  }

  void leave(Competitor& c, reports::Verdict verdict, std::string reason) {
    c.cell.verdict = verdict;
    c.cell.reason = std::move(reason);
    leave(c);
  }

  void leave(Competitor& c) {
    c.prepared.reset();
    report_.cell(c.cell);
  }

  const protocol::MeasureRequest& request_;
  Trees& trees_;
  const Reporter& report_;
  Contract contract_;
  Cache cache_;
  std::vector<Competitor> competitors_;
  std::optional<reports::Clocks> clocks_;  // as the first sample is taken
  unsigned order_ = 0;
};

}  // namespace

void measure(const protocol::MeasureRequest& request, const std::vector<Entry>& entries,
             Trees& trees, const Reporter& report) {
  if (request.counters) count(request, entries, trees, report);
  else Contest(request, trees, report).run(entries);
}

void check(const protocol::CheckRequest&, const Kind&, const std::vector<const Implementation*>&,
           const std::function<void(std::string_view path)>&,
           const std::function<void(const protocol::Checked&)>&,
           const std::function<void(const std::string&)>&) {
  throw std::invalid_argument("only the emulated backend checks kernels");
}

void set_schedule(std::uint64_t) {}

std::optional<std::uint64_t> count_joins(const std::function<void()>& run) {
  run();
  return std::nullopt;
}

}  // namespace ladder::probe
