// Measuring with a clock of straw: what is timed, in which order, when it stops, and that no wrong
// answer keeps its time.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include "compare/backend.hpp"
#include "compare/team.hpp"
#include "compare/tests/catch.hpp"
#include "compare/worker/backend.hpp"
#include "compare/worker/judge.hpp"
#include "compare/worker/trees.hpp"

using namespace ladder;

using namespace std::chrono_literals;

namespace {

// stands still but for what a run and a check are said to take
std::chrono::steady_clock::time_point straw_now;
constexpr std::chrono::microseconds usual = 10ms;
std::chrono::microseconds run_takes = usual;
std::vector<std::string> events;                  // what happened, in order
std::function<double(unsigned sample)> straw_us;  // what the clock shows for the k-th timed run
// shares of that, after which each device of this process is done
std::vector<double> straw_devices;
std::function<void(char* its, std::size_t bytes)> straw_other;
// whether the run is enqueued after its stream was let go, which was held for so long
std::function<bool(std::chrono::seconds hold)> straw_late;
bool is_captured = true;
std::optional<double> batch_us;          // what it shows for many in a row
std::optional<reports::Clocks> ticking;  // how fast the device ticks
constexpr int right_answer = 42;
constexpr int poisoned = -1;
int answer_written = 0;
std::set<RightAnswer*> right_answers;  // that checks were given

// Whose answer is always a tree of height 7.
class FakeLeaves final : public Problem {
 public:
  const ProblemSpec& spec() const override { return spec_; }
  const void* device() const override { return nullptr; }
  void poison() override {}
  void* host_output() override { return nullptr; }
  Verdict check(Contract, const Summation&, RightAnswer*) override {
    return {.pass = true, .reason = {}};
  }
  void become(const Problem&) override {}
  Heights heights(Contract) override { return {7}; }
  Output output(Contract, const Summation&) override { return {}; }
  std::size_t output_bytes() const override { return 4; }
  std::uint64_t output_checksum(Contract) override { return 0; }
  std::uint64_t bytes_read() const override { return 0; }
  std::uint64_t bytes_written() const override { return 0; }

 private:
  ProblemSpec spec_;
};

class FakeProblem final : public Problem {
 public:
  const ProblemSpec& spec() const override { return spec_; }
  const void* device() const override { return nullptr; }  // the fakes know where their output is
  void poison() override {
    events.push_back("poison");
    answer_written = poisoned;
  }
  void* host_output() override { return nullptr; }  // nor where that is
  bool depends_on_summation() const override { return is_rounded; }
  std::unique_ptr<Problem> leaves() const override { return std::make_unique<FakeLeaves>(); }
  Verdict check(Contract, const Summation& summation, RightAnswer* last) override {
    right_answers.insert(last);
    events.push_back(summation.heights.empty()
                         ? "check"
                         : "check by height " + std::to_string(summation.heights.at(0)));
    straw_now += check_takes;
    return {
        .pass = answer_written == right_answer,
        .reason = answer_written == right_answer ? "" : "it is " + std::to_string(answer_written),
        .bounded = bounded};
  }
  void become(const Problem&) override {}
  Output output(Contract, const Summation&) override { return {}; }
  std::size_t output_bytes() const override { return 4; }
  std::uint64_t output_checksum(Contract) override { return 0; }
  std::uint64_t bytes_read() const override { return 4096; }
  std::uint64_t bytes_written() const override { return 4; }

  std::chrono::microseconds check_takes{0};
  bool bounded = true;
  bool is_rounded = false;

 private:
  ProblemSpec spec_{
      .operation = "fake", .op = {}, .dtype = "i32", .n = 1000, .distribution = "random"};
};

// A rung that answers as a function of how many runs it had before.
template <int (*answer)(unsigned earlier_runs), bool reads_the_clock = false>
Implementation rung(std::string_view path, Card card = {}) {
  class Fake final : public Prepared {
   public:
    Fake() { events.push_back("prepare"); }
    ~Fake() override { events.push_back("free"); }
    void restore(Stream) override { events.push_back("restore"); }
    void run(Stream) override { FAIL("this clock times no device_result"); }
    void run_to_host(Stream, void*) override {
      events.push_back("run");
      straw_now += run_takes;
      const int value = answer(runs_++);
      if (value != poisoned) answer_written = value;
    }
    std::optional<std::uint64_t> sm_cycles() override {
      return reads_the_clock ? std::optional(std::uint64_t{1000}) : std::nullopt;
    }

   private:
    unsigned runs_ = 0;
  };
  return {path, "fake",
          "",   "i32",
          card, [](const void*) -> std::unique_ptr<Prepared> { return std::make_unique<Fake>(); }};
}

int always_right(unsigned) {
  return right_answer;
}
int always_wrong(unsigned) {
  return 41;
}
int writes_nothing(unsigned) {
  return poisoned;
}
int once_right(unsigned earlier) {
  return earlier == 0 ? right_answer : poisoned;
}  // then rests on what it finds in the output
int throws_at_once(unsigned) {
  throw std::runtime_error("an illegal memory access");
}
int out_of_memory(unsigned) {
  throw backend::OutOfMemory("needs 9 bytes of memory, 8 are free");
}

unsigned timed_runs = 0;
int throws_when_timed(unsigned) {
  if (timed_runs > 3) throw std::runtime_error("an illegal memory access");
  return right_answer;
}

// Right until the timed run that is the last by the stopping rule.
int wrong_at_the_last(unsigned) {
  return timed_runs + 1 == 30 ? 41 : right_answer;
}

struct Outcome {
  std::map<std::string, protocol::MeasuredCell> cells;
  std::vector<protocol::Sample> samples;
};

protocol::MeasureRequest request(std::uint64_t order_seed = 1) {
  protocol::MeasureRequest r;
  r.contract = Contract::host_result;
  r.cache = reports::Cache::cold;
  r.order_seed = order_seed;
  r.process = 5;
  r.max_seconds = 100;
  return r;
}

Outcome measure(const std::vector<Implementation>& rungs,
                const protocol::MeasureRequest& r = request(), FakeProblem problem = {}) {
  events.clear();
  timed_runs = 0;
  Outcome outcome;
  std::vector<probe::Entry> entries;
  for (const Implementation& i : rungs) entries.push_back({&i, &problem});
  const probe::Reporter report{
      .begin = [](std::string_view path) { events.push_back("begin " + std::string(path)); },
      .sample = [&](const protocol::Sample& s) { outcome.samples.push_back(s); },
      .cell =
          [&](const protocol::MeasuredCell& c) {
            // one cell for each rung
            CHECK(outcome.cells.emplace(c.path, c).second);
          }};
  Trees trees;
  probe::measure(r, entries, trees, report);
  CHECK(outcome.cells.size() == rungs.size());
  return outcome;
}

double steady(unsigned) {
  return 100;
}
double noisy(unsigned sample) {
  return sample % 2 == 0 ? 100 : 130;
}

}  // namespace

namespace ladder::backend {
std::string_view name() {
  return "fake";
}
void synchronize(Stream) {
  events.push_back("synchronize");
}
void* allocate_on_host(std::size_t bytes) {
  return std::malloc(bytes);
}
void release(void* pointer) noexcept {
  std::free(pointer);
}
void download(void* to, const void* from, std::size_t bytes, Stream) {
  std::memcpy(to, from, bytes);
}
// Of two processes: the other has the same as this one, but for what straw_other() changes.
void gather_on_host(const void* own, void* all, std::size_t bytes) {
  auto* const both = static_cast<char*>(all);
  for (char* const its : {both, both + bytes}) std::memcpy(its, own, bytes);
  straw_other(both + bytes, bytes);
}
}  // namespace ladder::backend

namespace ladder::clock {
Stream stream() {
  return {};
}
void treat_cache(reports::Cache cache, unsigned) {
  events.emplace_back(name_of(cache));
}
void inspect() {}
std::chrono::steady_clock::time_point now() {
  return straw_now;
}
std::optional<double> time_us(Prepared& prepared, Problem& problem, Contract,
                              std::chrono::seconds hold, std::vector<double>* of_devices) {
  events.push_back("start clock");
  prepared.run_to_host({}, problem.host_output());
  events.push_back("stop clock");
  if (straw_late && straw_late(hold)) return {};
  const double us = straw_us(timed_runs++);
  for (const double share : straw_devices) of_devices->push_back(share * us);
  return us;
}
double resolution_us(Contract) {
  return 2;
}
std::optional<bool> works_elsewhere(Prepared&, std::chrono::seconds, const std::function<bool()>&) {
  return false;
}
std::optional<double> back_to_back_us(Prepared& prepared, Contract) {
  if (!batch_us) return {};
  events.push_back("back to back");
  prepared.run_to_host({}, nullptr);
  return batch_us;
}
std::optional<reports::Clocks> clocks() {
  return ticking;
}
}  // namespace ladder::clock

namespace ladder::probe {
std::vector<Contract> contracts() {
  return {Contract::host_result};
}
bool replay(Prepared&, unsigned, unsigned, const std::function<void()>&,
            const std::function<void()>&) {
  return is_captured;
}
void run_together(const std::vector<Instance>&, unsigned) {}
}  // namespace ladder::probe

namespace ladder::counters {
std::string unavailable() {
  return "of straw";
}
reports::Counters read(const std::function<void()>& prepare, const std::function<void()>& run) {
  for (int pass = 0; pass < 2; ++pass) {
    prepare();
    events.emplace_back("count");
    run();
  }
  reports::Counters found;
  found.blocks = 7;
  return found;
}
}  // namespace ladder::counters

TEST_CASE("a rung that is right and steady is done after the fewest samples") {
  straw_us = steady;
  const Outcome outcome = measure({rung<always_right>("a")});
  const auto& cell = outcome.cells.at("a");
  CHECK(cell.verdict == reports::Verdict::pass);
  CHECK(cell.reason.empty());
  CHECK(cell.minimum_bytes == reports::Bytes{4096, 4});
  CHECK(cell.flags.empty());
  REQUIRE(outcome.samples.size() == 30);
  CHECK(outcome.samples.front().us == 100);
  CHECK(outcome.samples.front().process == 5);
}

TEST_CASE(
    "a sample of a run that a slow host enqueued too late is taken again, and held for longer") {
  straw_us = steady;
  std::vector<std::chrono::seconds> held;
  const auto outcome_of = [&](std::chrono::seconds host_takes, bool can_be_captured) {
    held.clear();
    is_captured = can_be_captured;
    straw_late = [&held, host_takes](std::chrono::seconds hold) {
      held.push_back(hold);
      return hold <= host_takes;
    };
    const Outcome outcome = measure({rung<always_right>("a")});
    straw_late = nullptr;
    is_captured = true;
    return outcome;
  };
  using enum reports::Verdict;

  for (const bool can_be_captured : {true, false}) {
    const Outcome slow = outcome_of(5s, can_be_captured);
    CHECK(slow.cells.at("a").verdict == pass);
    CHECK(slow.samples.size() == 30);
    CHECK(held.size() == 60);
    CHECK(held.back() == 10s);
  }
  // each try begins as the first
  const std::vector<std::string> again{"stop clock", "poison", "restore", "cold", "start clock"};
  std::vector<std::string> seen;
  std::ranges::copy_if(events, std::back_inserter(seen),
                       [&](const std::string& event) { return std::ranges::count(again, event); });
  CHECK(std::search(seen.begin(), seen.end(), again.begin(), again.end()) != seen.end());

  const Outcome slower = outcome_of(20s, true);
  CHECK(slower.cells.at("a").verdict == pass);
  CHECK(held.back() == 30s);

  const Outcome slowest = outcome_of(60s, true);
  CHECK(slowest.cells.at("a").verdict == skipped);
  CHECK(slowest.cells.at("a").reason == "this machine takes over 30 s to enqueue it");

  const Outcome waits = outcome_of(60s, false);
  CHECK(waits.cells.at("a").verdict == fail);
  CHECK(waits.cells.at("a").reason ==
        "the call waits for its stream on the host: it has no device_result");
  CHECK(held.size() == 2);
  CHECK(waits.samples.empty());
}

// This process is the first of two, for one scope.
class FirstOfTwo {
 public:
  FirstOfTwo() { Team::rank = {0, 2}; }
  FirstOfTwo(const FirstOfTwo&) = delete;
  ~FirstOfTwo() { Team::rank.reset(); }
};

TEST_CASE(
    "over processes a time is that of the last, and what is long for one of them is long for all") {
  straw_us = steady;
  const FirstOfTwo here;
  const auto with_other = [](double us, double seconds) {
    straw_other = [=](char* its, std::size_t bytes) {
      double value = 0;
      if (bytes != sizeof value) return;
      std::memcpy(&value, its, bytes);
      value += value >= 100 ? us : seconds;  // a sample, or what was spent
      std::memcpy(its, &value, bytes);
    };
    return measure({rung<always_right>("a")});
  };
  CHECK(with_other(7, 0).samples.front().us == 107);
  CHECK(with_other(-7, 0).samples.front().us == 100);
  CHECK(with_other(0, 0).samples.size() == 30);
  CHECK(with_other(0, 1e4).samples.size() == 1);  // its time is over

  unsigned tries = 0;  // the other is late once
  straw_other = [&tries](char* its, std::size_t bytes) {
    if (bytes == sizeof(char)) *its = tries++ == 0 ? 1 : 0;
  };
  CHECK(measure({rung<always_right>("a")}).samples.size() == 30);
  CHECK(timed_runs == 31);
}

TEST_CASE("over devices a cell has the median of each, beside samples of the last") {
  straw_us = noisy;
  straw_devices = {0.5, 1};
  auto few = request();
  few.max_samples = 3;  // 100, 130, 100
  const Outcome outcome = measure({rung<always_right>("a")}, few);
  CHECK(outcome.cells.at("a").devices_us == std::vector<double>{50, 100});
  straw_devices = {0.5};
  const FirstOfTwo here;
  straw_other = [](char* its, std::size_t bytes) {
    double value = 0;
    if (bytes != sizeof value) return;
    std::memcpy(&value, its, bytes);
    if (value == 50) value = 80;
    std::memcpy(its, &value, bytes);
  };
  // by rank
  CHECK(measure({rung<always_right>("a")}, few).cells.at("a").devices_us ==
        std::vector<double>{50, 80});
  straw_devices = {};
  CHECK(measure({rung<always_right>("a")}, few).cells.at("a").devices_us.empty());
}

TEST_CASE(
    "over processes an answer is right where each of them finds it so, and else all have one "
    "reason") {
  straw_us = steady;
  const FirstOfTwo here;
  straw_other = [](char* its, std::size_t bytes) {
    if (bytes <= sizeof(double)) return;
    std::strcpy(its, "out[3] is straw");
    its[bytes - 1] = 0;  // whether it passes
  };
  const Outcome outcome = measure({rung<always_right>("a")});
  CHECK(outcome.samples.empty());
  CHECK(outcome.cells.at("a").verdict == reports::Verdict::fail);
  CHECK(outcome.cells.at("a").reason == "rank 1: out[3] is straw");
  CHECK(measure({rung<always_wrong>("b")}).cells.at("b").reason == "rank 0: it is 41");
}

TEST_CASE("a rung that does not converge stops at the cap") {
  straw_us = noisy;
  auto capped = request();
  capped.max_samples = 50;
  const Outcome outcome = measure({rung<always_right>("a")}, capped);
  CHECK(outcome.cells.at("a").verdict == reports::Verdict::pass);
  CHECK(outcome.samples.size() == 50);
}

TEST_CASE("a rung stops when its time is over, with one sample at least") {
  straw_us = noisy;
  auto hurried = request();
  hurried.max_seconds = 0;
  const Outcome outcome = measure({rung<always_right>("a"), rung<always_right>("b")}, hurried);
  CHECK(outcome.samples.size() == 2);
  CHECK(outcome.cells.at("a").verdict == reports::Verdict::pass);
}

TEST_CASE("an interval as wide as 3 % of the median on each side is narrow enough") {
  const auto samples_with_spread = [](double spread) {
    straw_us = [spread](unsigned k) { return 100 + (k % 2 == 0 ? spread : -spread); };
    auto capped = request();
    capped.max_samples = 60;
    return measure({rung<always_right>("a")}, capped).samples.size();
  };
  CHECK(samples_with_spread(2.95) == 30);
  CHECK(samples_with_spread(3.2) == 60);
}

TEST_CASE("what is not right before it is timed is not timed") {
  straw_us = steady;
  const Outcome outcome = measure(
      {rung<always_wrong>("wrong"), rung<writes_nothing>("nothing"), rung<throws_at_once>("throws"),
       rung<out_of_memory>("full"),
       rung<always_right>("large", {.idea = {}, .max_elements = 999, .max_reason = "it is slow"}),
       rung<always_wrong>("racy", {.idea = {}, .expected_wrong = true}),
       rung<always_right>("lucky", {.idea = {}, .expected_wrong = true})});
  CHECK(outcome.samples.empty());
  const auto said = [&](const char* path) {
    return std::string(name_of(outcome.cells.at(path).verdict)) + ": " +
           outcome.cells.at(path).reason;
  };
  CHECK(said("wrong") == "fail: it is 41");
  CHECK(said("nothing") == "fail: it is -1");
  CHECK(said("throws") == "fail: an illegal memory access");
  CHECK(said("full") == "skipped: needs 9 bytes of memory, 8 are free");
  CHECK(said("large") == "skipped: takes at most 999 elements: it is slow");
  CHECK(said("racy") == "expected_wrong: it is 41");
  CHECK(said("lucky") == "expected_wrong: came out right this time, by luck");
  CHECK(outcome.cells.at("lucky").lost_counts == 0U);
}

TEST_CASE("a rung takes inputs up to its limit") {
  straw_us = steady;
  CHECK(measure({rung<always_right>("a", {.idea = {}, .max_elements = 1000})})
            .cells.at("a")
            .verdict == reports::Verdict::pass);
}

TEST_CASE("what is right at first and wrong when it is timed fails") {
  straw_us = steady;
  FakeProblem problem;
  SECTION("where every sample is checked") {}
  SECTION("where only the last one is, because checking is slow") {
    problem.check_takes = 3ms;
  }

  const Outcome outcome =
      measure({rung<once_right>("cached"), rung<always_right>("right")}, request(), problem);
  CHECK(outcome.cells.at("right").verdict == reports::Verdict::pass);
  CHECK(outcome.cells.at("cached").verdict == reports::Verdict::fail);
  CHECK(outcome.cells.at("cached").reason ==
        "right at first, but not after " + std::string(problem.check_takes == 0ms ? "1" : "30") +
            " timed runs: it is -1");

  const Outcome last = measure({rung<wrong_at_the_last>("last")}, request(), problem);
  CHECK(last.samples.size() == 30);
  CHECK(last.cells.at("last").verdict == reports::Verdict::fail);
}

TEST_CASE(
    "a check of a millisecond is made before timing and after every sample, a slower one after the "
    "last sample only") {
  straw_us = steady;
  const auto checks = [](std::chrono::microseconds each) {
    FakeProblem problem;
    problem.check_takes = each;
    measure({rung<always_right>("a")}, request(), problem);
    return std::ranges::count(events, "check");
  };
  CHECK(checks(0us) == 31);
  CHECK(checks(1000us) == 31);
  CHECK(checks(1001us) == 2);
}

TEST_CASE("a rung stops when its runs and checks have taken the time it has") {
  straw_us = noisy;
  auto hurried = request();
  hurried.max_seconds = 1;
  const auto samples = [&](std::chrono::microseconds run, std::chrono::microseconds check) {
    run_takes = run;
    FakeProblem problem;
    problem.check_takes = check;
    const auto count = measure({rung<always_right>("a")}, hurried, problem).samples.size();
    run_takes = usual;
    return count;
  };
  CHECK(samples(250ms, 0us) == 4);
  CHECK(samples(251ms, 0us) == 4);
  CHECK(samples(249ms, 0us) == 5);
  CHECK(samples(249ms, 1ms) == 5);  // the fourth has taken 999 ms when it is over
  CHECK(samples(249500us, 1ms) == 4);
  CHECK(samples(250ms, 9s) == 4);  // that check is not made after each of them
}

TEST_CASE("each rung has its share of the time to warm up, and its first run counts toward it") {
  straw_us = steady;
  measure({rung<always_right>("a")});  // a process warms up longer the first time
  auto once = request();
  once.max_samples = 1;
  const auto runs = [&](std::chrono::microseconds each, const std::vector<Implementation>& rungs) {
    run_takes = each;
    measure(rungs, once);
    run_takes = usual;
    return std::ranges::count(events, "run") / static_cast<long>(rungs.size()) - 1;  // the sample
  };
  const auto a = rung<always_right>("a"), b = rung<always_right>("b");
  CHECK(runs(1ms, {a}) == 5);  // of 5 ms
  CHECK(runs(500us, {a, b}) == 5);
  CHECK(runs(4ms, {a}) == 2);
  CHECK(runs(5ms, {a}) == 1);
  CHECK(runs(1s, {a}) == 1);
}

TEST_CASE("each rung is checked by its own last right answer") {
  straw_us = steady;
  right_answers.clear();
  measure({rung<always_right>("a"), rung<always_right>("b")});
  CHECK(right_answers.size() == 2);
  CHECK_FALSE(right_answers.contains(nullptr));
}

TEST_CASE("a rung that throws while it is timed costs only itself") {
  straw_us = steady;
  const Outcome outcome = measure({rung<throws_when_timed>("a"), rung<always_right>("b")});
  CHECK(outcome.cells.at("a").verdict == reports::Verdict::fail);
  CHECK(outcome.cells.at("a").reason == "an illegal memory access");
  CHECK(outcome.cells.at("b").verdict == reports::Verdict::pass);
  CHECK(std::ranges::count(outcome.samples, "b", &protocol::Sample::path) == 30);
}

TEST_CASE("a sample is: poison, restore, cache, synchronize, one timed run, check") {
  straw_us = steady;
  measure({rung<always_right>("a")});
  const auto stop = std::ranges::find(events, "stop clock");
  REQUIRE(stop - events.begin() > 7);
  CHECK(std::vector<std::string>(stop - 7, stop + 2) ==
        std::vector<std::string>{"begin a", "poison", "restore", "cold", "synchronize",
                                 "start clock", "run", "stop clock", "check"});

  auto warm = request();
  warm.cache = reports::Cache::warm;
  measure({rung<always_right>("a")}, warm);
  const auto warm_stop = std::ranges::find(events, "stop clock");
  REQUIRE(warm_stop - events.begin() > 10);
  CHECK(std::vector<std::string>(warm_stop - 10, warm_stop) ==
        std::vector<std::string>{"begin a", "restore", "run", "synchronize", "poison", "restore",
                                 "warm", "synchronize", "start clock", "run"});
}

TEST_CASE(
    "competitors are prepared together and take turns, each once a round, in an order drawn from "
    "the seed") {
  straw_us = steady;
  const std::vector<Implementation> rungs{rung<always_right>("a"), rung<always_right>("b"),
                                          rung<always_right>("c"), rung<always_right>("d")};
  const Outcome outcome = measure(rungs, request(1));

  const auto last_prepare = std::find(events.rbegin(), events.rend(), "prepare").base();
  CHECK(std::find(events.begin(), last_prepare, "free") == last_prepare);
  CHECK(std::find(events.begin(), last_prepare, "start clock") == last_prepare);

  REQUIRE(outcome.samples.size() == 4 * 30);
  std::set<std::string> orders;
  for (unsigned round = 0; round < 30; ++round) {
    std::string order;
    for (unsigned turn = 0; turn < 4; ++turn) {
      const auto& sample = outcome.samples[4 * round + turn];
      CHECK(sample.order == 4 * round + turn);
      order += sample.path;
    }
    orders.insert(order);
    std::ranges::sort(order);
    CHECK(order == "abcd");
  }
  CHECK(orders.size() > 10);  // of 24; 30 draws miss 14 of them practically never

  const auto sequence = [&](std::uint64_t seed) {
    std::string all;
    for (const auto& sample : measure(rungs, request(seed)).samples) all += sample.path;
    return all;
  };
  CHECK(sequence(1) == sequence(1));
  CHECK(sequence(1) != sequence(2));
}

TEST_CASE("a rung that reads the clock of its multiprocessor reports the median") {
  straw_us = steady;
  const auto outcome =
      measure({rung<always_right, true>("a/b/reads"), rung<always_right>("a/b/does_not")});
  CHECK(outcome.cells.at("a/b/reads").sm_cycles == 1000.0);
  CHECK(!outcome.cells.at("a/b/does_not").sm_cycles);
}

int wrong_in_a_row(unsigned) {
  return events.at(events.size() - 2) == "back to back" ? poisoned : right_answer;
}

TEST_CASE("what is too short to time alone is also timed in a row, and has to be right there") {
  straw_us = [](unsigned) { return 0.9 * reports::gpu_back_to_back_us(Contract::host_result); };
  batch_us = 1.2;
  const auto outcome =
      measure({rung<always_right>("a/b/right"), rung<wrong_in_a_row>("a/b/wrong")});
  batch_us.reset();
  const auto none = measure({rung<always_right>("a/b/right")});
  CHECK(outcome.cells.at("a/b/right").back_to_back_us == 1.2);
  CHECK(outcome.cells.at("a/b/right").flags == std::vector<std::string>{"below_resolution"});
  CHECK(outcome.cells.at("a/b/wrong").verdict == reports::Verdict::fail);
  CHECK(outcome.cells.at("a/b/wrong").reason ==
        "right one run at a time, but not back to back: it is -1");
  CHECK(none.cells.at("a/b/right").verdict == reports::Verdict::pass);
  CHECK(!none.cells.at("a/b/right").back_to_back_us);

  straw_us = [](unsigned) { return reports::gpu_back_to_back_us(Contract::host_result); },
  batch_us = 1.2;
  CHECK(!measure({rung<always_right>("a/b/long")}).cells.at("a/b/long").back_to_back_us);
  batch_us.reset();
}

TEST_CASE("a cell says how fast the device ticked, and what held it down") {
  straw_us = steady;
  ticking = reports::Clocks{1980, 1980, {}};
  const auto free = measure({rung<always_right>("a")}).cells.at("a");
  ticking = reports::Clocks{1500, 1500, {"power cap"}};
  const auto held_down = measure({rung<always_right>("a")}).cells.at("a");
  ticking.reset();
  CHECK(free.clocks->sm_mhz_max == 1980);
  CHECK(free.clocks->slowed_by.empty());
  CHECK(held_down.clocks->slowed_by == std::vector<std::string>{"power cap"});
  CHECK(!measure({rung<always_right>("a")}).cells.at("a").clocks);
}

int loses_the_device(unsigned) {
  throw backend::DeviceLost("an illegal address");
}

TEST_CASE("where the device is lost, nothing more is measured") {
  events.clear();
  FakeProblem problem;
  const auto lost = rung<loses_the_device>("a/b/loses"), right = rung<always_right>("a/b/right");
  unsigned cells = 0;
  Trees trees;
  const probe::Reporter report{.begin = [](std::string_view) {},
                               .sample = [](const protocol::Sample&) {},
                               .cell = [&](const auto&) { ++cells; }};
  CHECK_THROWS_AS(probe::measure(request(), {{&lost, &problem}, {&right, &problem}}, trees, report),
                  backend::DeviceLost);
  CHECK(cells == 0);
}

TEST_CASE("a rung is announced before it is touched, so that a crash is blamed on it") {
  straw_us = steady;
  measure({rung<always_right>("a"), rung<always_right>("b")});
  std::string announced;
  std::multiset<std::string> prepared;
  for (const std::string& event : events) {
    if (event.starts_with("begin ")) announced = event.substr(6);
    if (event == "prepare") prepared.insert(announced);
  }
  CHECK(prepared == std::multiset<std::string>{"a", "b"});
  // to be admitted, prepared and warmed up, and for each sample
  CHECK(std::ranges::count(events, "begin a") == 1 + 1 + 1 + 30);
}

TEST_CASE(
    "the order of the seed is that of construction too, so that no rung has the same place in "
    "memory in every process") {
  straw_us = steady;
  const auto constructed = [](std::uint64_t seed) {
    measure({rung<always_right>("a"), rung<always_right>("b"), rung<always_right>("c"),
             rung<always_right>("d")},
            request(seed));
    std::string order, announced;
    for (const std::string& event : events) {
      if (event.starts_with("begin ")) announced = event.substr(6);
      if (event == "prepare") order += announced;
    }
    return order;
  };
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 8; ++seed) orders.insert(constructed(seed));
  CHECK(orders.size() > 2);
  CHECK(constructed(3) == constructed(3));
}

TEST_CASE(
    "where an answer may be off, the tree is measured once, before anyone is prepared, and every "
    "answer is held to it") {
  class OverHeight final : public Prepared {
   public:
    void restore(Stream) override {}
    void run(Stream) override {}
    void run_to_host(Stream, void*) override { events.push_back("measure the tree"); }
  };
  straw_us = steady;
  std::vector<Implementation> rungs{rung<always_right>("a"), rung<always_right>("b")};
  for (Implementation& one : rungs)
    one.prepare_tree = [](const void*) -> std::unique_ptr<Prepared> {
      return std::make_unique<OverHeight>();
    };
  rungs[1].card.expected_wrong = true;
  FakeProblem problem;
  measure(rungs, request(), problem);
  CHECK(std::ranges::count(events, "measure the tree") == 0);

  problem.is_rounded = true;
  measure({rungs[0]}, request(), problem);
  CHECK(std::ranges::count(events, "measure the tree") == 1);
  CHECK(std::ranges::find(events, "measure the tree") < std::ranges::find(events, "prepare"));
  CHECK(std::ranges::count(events, "check") == 0);
  CHECK(std::ranges::count(events, "check by height 7") > 0);

  measure({rungs[1]}, request(), problem);
  CHECK(std::ranges::count(events, "measure the tree") == 0);
}

TEST_CASE("flags say what a reader of a time must know") {
  straw_us = [](unsigned) { return 1.9; };
  FakeProblem problem;
  problem.bounded = false;
  const auto cell = measure({rung<always_right>("a")}, request(), problem).cells.at("a");
  CHECK(cell.flags == std::vector<std::string>{"below_resolution"});
  CHECK(!cell.error.value().bound);  // from which derive() has the flag unbounded
}

TEST_CASE("the share of the bound is told only where there is a bound") {
  const auto judged = [](const Verdict& answer) {
    protocol::MeasuredCell cell;
    judge(rung<always_right>("a"), answer, cell);
    return cell.error.value();
  };
  const Verdict good{
      .pass = true, .reason = {}, .ulp_max = 3, .relative = 0.125, .bound = 0.5, .of_bound = 0.25};
  CHECK(judged(good).ulp_max == 3.0);
  CHECK(judged(good).relative == 0.125);
  CHECK(judged(good).bound == 0.5);
  CHECK(judged(good).of_bound == 0.25);
  Verdict other = good;
  other.bounded = false;  // for one of its elements
  CHECK(!judged(other).bound);
  CHECK(!judged(other).of_bound);
  other = good, other.of_bound.reset();
  CHECK(judged(other).bound == 0.5);
  CHECK(!judged(other).of_bound);
}

TEST_CASE(
    "a contract that this clock does not time is refused, and a request that names no contract or "
    "no cache") {
  auto odd = request();
  odd.contract = Contract::device_result;
  CHECK_THROWS_AS(measure({}, odd), std::invalid_argument);
  odd = request();
  odd.contract.reset();
  CHECK_THROWS_AS(measure({}, odd), std::invalid_argument);
  odd = request();
  odd.cache.reset();
  CHECK_THROWS_AS(measure({}, odd), std::invalid_argument);
}

namespace {

// As rung(), but with a result in device memory.
template <int (*answer)(unsigned earlier_runs)>
Implementation enqueued(std::string_view path, Card card = {}) {
  class Fake final : public Prepared {
   public:
    void restore(Stream) override { events.push_back("restore"); }
    void run(Stream) override {
      events.push_back("run");
      const int value = answer(runs_++);
      if (value != poisoned) answer_written = value;
    }
    void run_to_host(Stream, void*) override { FAIL("nobody asked for this"); }

   private:
    unsigned runs_ = 0;
  };
  return {path, "fake",
          "",   "i32",
          card, [](const void*) -> std::unique_ptr<Prepared> { return std::make_unique<Fake>(); }};
}

}  // namespace

TEST_CASE(
    "counters are of runs on a poisoned output, a restored input and a treated cache, which are "
    "over, and nothing is timed") {
  auto counting = request();
  counting.counters = true;
  const Outcome outcome = measure({enqueued<always_right>("a")}, counting);
  CHECK(outcome.samples.empty());
  CHECK(outcome.cells.at("a").verdict == reports::Verdict::pass);
  CHECK(outcome.cells.at("a").counters->blocks == 7U);
  const std::vector<std::string> pass{"poison", "restore", "cold",       "synchronize",
                                      "count",  "run",     "synchronize"};
  const auto first = std::search(events.begin(), events.end(), pass.begin(), pass.end());
  REQUIRE(first != events.end());
  CHECK(std::search(first + 1, events.end(), pass.begin(), pass.end()) != events.end());
  CHECK(counters::unavailable() == "of straw");
}

TEST_CASE("counters from a warm cache are of a rung that has just run") {
  auto counting = request();
  counting.counters = true;
  counting.cache = reports::Cache::warm;
  measure({enqueued<always_right>("a")}, counting);
  const std::vector<std::string> pass{"restore", "run",         "synchronize", "poison", "restore",
                                      "warm",    "synchronize", "count",       "run"};
  CHECK(std::search(events.begin(), events.end(), pass.begin(), pass.end()) != events.end());
}

TEST_CASE(
    "no counters of a rung that is wrong, at once or while they are read, what else stands in the "
    "way is no verdict on it") {
  auto counting = request();
  counting.counters = true;
  Card small;
  small.max_elements = 9;
  small.max_reason = "it is small";
  const Outcome outcome =
      measure({enqueued<always_wrong>("wrong"), enqueued<once_right>("later"),
               enqueued<out_of_memory>("full"), enqueued<throws_at_once>("throws"),
               enqueued<always_right>("small", small)},
              counting);
  using enum reports::Verdict;
  const std::map<std::string, reports::Verdict> verdicts{
      {"wrong", fail}, {"later", fail}, {"full", skipped}, {"throws", skipped}, {"small", skipped}};
  for (const auto& [path, verdict] : verdicts) {
    INFO(path);
    CHECK(outcome.cells.at(path).verdict == verdict);
    CHECK_FALSE(outcome.cells.at(path).counters);
  }
}
