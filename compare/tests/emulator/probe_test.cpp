// The probe of the emulated worker: a verdict and counts for every rung, whatever the rungs before
// it did.
#include "compare/worker/backend.hpp"

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"
#include "compare/worker/trees.hpp"

using namespace ladder;

namespace {

// "How many of n are there?", answered in one word.
class CountUp final : public Problem {
 public:
  struct Device {
    unsigned* out;
    unsigned n;
  };

  explicit CountUp(unsigned n) : out_(1), device_{out_.data(), n} { spec_.n = n; }
  const ProblemSpec& spec() const override { return spec_; }
  const void* device() const override { return &device_; }
  void poison() override { backend::fill(out_.data(), 0xff, sizeof(unsigned)); }
  void* host_output() override { return nullptr; }
  // An answer in elements may be any.
  Verdict check(Contract, const Summation& summation, RightAnswer*) override {
    const unsigned got = downloaded(out_, 1)[0];
    const bool pass = got == device_.n || summation.returns_elements;
    return {.pass = pass, .reason = pass ? "" : "is " + std::to_string(got)};
  }
  void become(const Problem&) override {}
  Output output(Contract, const Summation&) override { return {}; }
  std::size_t output_bytes() const override { return 4; }
  std::uint64_t output_checksum(Contract) override { return 0; }
  std::uint64_t bytes_read() const override { return 0; }
  std::uint64_t bytes_written() const override { return 4; }

 private:
  ProblemSpec spec_;
  DeviceArray<unsigned> out_;
  Device device_;
};

__global__ void right_kernel(unsigned* out) {
  atomicAdd(out, 1U);
}
__global__ void racy_kernel(unsigned* out) {
  *out += 1;
}
__global__ void off_by_one_kernel(unsigned* out) {
  atomicAdd(out, threadIdx.x == 0 ? 2U : 1U);
}
// Right where thread 0 comes first.
__global__ void first_thread_kernel(unsigned* out) {
  if (atomicAdd(out, 1U) == 0 && threadIdx.x > 0) atomicAdd(out, 1U);
}
__global__ void shuffles_kernel(unsigned* out) {
  const unsigned one = __shfl_down_sync(0xffffffffu, 1U, threadIdx.x % 32 == 31 ? 0 : 1);
  if (threadIdx.x % 2 == 1) return;
  atomicAdd(out, __shfl_down_sync(0xffffffffu, one, 1));  // the odd lanes are gone
  atomicAdd(out, 1U);
}
__global__ void faulty_kernel(unsigned* out) {
  out[1 + threadIdx.x] = 1;
}

template <void (*kernel)(unsigned*)>
class Rung final : public Prepared {
 public:
  explicit Rung(const CountUp::Device& device) : device_(device) {}
  void restore(Stream) override {}
  void run(Stream stream) override {
    backend::fill(device_.out, 0, sizeof(unsigned));
    launch(kernel, {1, device_.n}, stream, device_.out);
  }
  void run_to_host(Stream stream, void*) override { run(stream); }

 private:
  CountUp::Device device_;
};

// Adds to what it finds.
class Uncleared final : public Prepared {
 public:
  explicit Uncleared(const CountUp::Device& device) : device_(device) {}
  void restore(Stream) override {}
  void run(Stream stream) override { launch(right_kernel, {1, device_.n}, stream, device_.out); }
  void run_to_host(Stream stream, void*) override { run(stream); }

 private:
  CountUp::Device device_;
};

// Its ticket is as it was at first in the first run alone.
__global__ void ticket_kernel(unsigned* out, unsigned* ticket) {
  if (atomicAdd(ticket, 1U) < 256) atomicAdd(out, 1U);
  else *out += 1;
}
class Stale final : public Prepared {
 public:
  explicit Stale(const CountUp::Device& device) : ticket_(1), device_(device) {
    backend::fill(ticket_.data(), 0, sizeof(unsigned));
  }
  void restore(Stream) override {}
  void run(Stream stream) override {
    backend::fill(device_.out, 0, sizeof(unsigned));
    launch(ticket_kernel, {1, device_.n}, stream, device_.out, ticket_.data());
  }
  void run_to_host(Stream stream, void*) override { run(stream); }

 private:
  DeviceArray<unsigned> ticket_;
  CountUp::Device device_;
};

// One block waits for a flag of the other, with both fences. From the second run on it adds one too
// many, which has nothing to do with that.
__global__ void polling_kernel(unsigned* out, volatile unsigned* flag, unsigned run) {
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    __threadfence();
    *flag = run;
  }
  if (blockIdx.x == 0) {
    while (*flag != run) {
    }
    __threadfence();
  }
  atomicAdd(out, run > 1 && blockIdx.x == 0 && threadIdx.x == 0 ? 2U : 1U);
}
class Polling final : public Prepared {
 public:
  explicit Polling(const CountUp::Device& device) : flag_(1), device_(device) {
    backend::fill(flag_.data(), 0, sizeof(unsigned));
  }
  void restore(Stream) override {}
  void run(Stream stream) override {
    backend::fill(device_.out, 0, sizeof(unsigned));
    launch(polling_kernel, {.grid = 2, .block = device_.n / 2, .resident = true}, stream,
           device_.out, flag_.data(), ++runs_);
  }
  void run_to_host(Stream stream, void*) override { run(stream); }

 private:
  DeviceArray<unsigned> flag_;
  CountUp::Device device_;
  unsigned runs_ = 0;
};

class Hungry final : public Prepared {
 public:
  explicit Hungry(const CountUp::Device&) : scratch_(std::size_t{1} << 60) {}
  void restore(Stream) override {}
  void run(Stream) override {}
  void run_to_host(Stream, void*) override {}

 private:
  DeviceArray<char> scratch_;
};

template <class Made>
Implementation rung(std::string_view path, Card card = {.idea = "a test"}) {
  return {path, "count_up", "", "u32", card, [](const void* device) -> std::unique_ptr<Prepared> {
            return std::make_unique<Made>(*static_cast<const CountUp::Device*>(device));
          }};
}

const Card mistaken{.idea = "a test", .expected_wrong = true};

}  // namespace

TEST_CASE("the probe judges and counts each rung by itself") {
  const std::vector<Implementation> all{
      rung<Rung<right_kernel>>("right"),
      rung<Rung<off_by_one_kernel>>("wrong"),
      rung<Rung<faulty_kernel>>("faulty"),
      rung<Hungry>("hungry"),
      rung<Rung<right_kernel>>(
          "small", {.idea = "a test", .max_elements = 10, .max_reason = "that many fingers"}),
      rung<Rung<racy_kernel>>("racy", mistaken),
      rung<Rung<right_kernel>>("not racy", mistaken),
      rung<Rung<right_kernel>>("right again"),
  };
  std::vector<const Implementation*> rungs;
  for (const Implementation& implementation : all) rungs.push_back(&implementation);

  std::vector<std::string> begun;
  std::vector<protocol::MeasuredCell> cells;
  const probe::Reporter report{
      .begin = [&](std::string_view path) { begun.emplace_back(path); },
      .sample = [](const protocol::Sample&) { FAIL("the emulation reports no times"); },
      .cell =
          [&](const protocol::MeasuredCell& cell) {
            REQUIRE(begun.back() == cell.path);
            cells.push_back(cell);
          }};
  CountUp problem(256);
  std::vector<probe::Entry> entries;
  for (const Implementation* rung : rungs) entries.push_back({rung, &problem});
  Trees trees;
  probe::measure({}, entries, trees, report);
  REQUIRE(cells.size() == all.size());

  CHECK(cells[0].verdict == reports::Verdict::pass);
  CHECK(cells[0].minimum_bytes == reports::Bytes{0, 4});
  REQUIRE(cells[0].counters);
  CHECK(cells[0].counters->atomics == 256U);
  CHECK(cells[0].counters->launches == 1U);
  CHECK(cells[0].counters->global_load_requests == 0U);
  CHECK_FALSE(cells[0].counters->active_lanes);  // there were no requests
  CHECK(cells[0].counters->shared_requests == 0U);
  CHECK(cells[0].counters->shared_wavefronts == 0U);

  CHECK(cells[1].verdict == reports::Verdict::fail);
  CHECK(cells[1].reason == "is 257");

  CHECK(cells[2].verdict == reports::Verdict::fail);
  CHECK(cells[2].reason.find("out of bounds: thread 0 writes 4 bytes at offset 4") !=
        std::string::npos);
  CHECK_FALSE(cells[2].counters);

  CHECK(cells[3].verdict == reports::Verdict::skipped);
  CHECK(cells[3].reason.find("needs 1152921504606846976 bytes") != std::string::npos);

  CHECK(cells[4].verdict == reports::Verdict::skipped);
  CHECK(cells[4].reason.find("that many fingers") != std::string::npos);

  CHECK(cells[5].verdict == reports::Verdict::expected_wrong);
  CHECK(cells[5].reason.starts_with("is "));
  CHECK(cells[5].flags.empty());
  CHECK(cells[5].counters->global_load_requests == 8U);
  CHECK(cells[5].counters->active_lanes == Approx(32));

  CHECK(cells[6].flags == std::vector<std::string>{"expected_wrong_but_right"});

  CHECK(cells[7].verdict == reports::Verdict::pass);
  CHECK(cells[7].counters->atomics == 256U);
}

TEST_CASE("the probe checks each rung by itself, under every schedule, and names the arrays") {
  const std::vector<Implementation> all{
      rung<Rung<right_kernel>>("right"),
      rung<Rung<racy_kernel>>("racy", mistaken),
      rung<Rung<faulty_kernel>>("faulty"),
      rung<Hungry>("hungry"),
      rung<Rung<right_kernel>>(
          "small", {.idea = "a test", .max_elements = 10, .max_reason = "that many fingers"}),
      rung<Rung<right_kernel>>("right again"),
      rung<Rung<off_by_one_kernel>>("wrong"),
      rung<Rung<shuffles_kernel>>("shuffles"),
      rung<Uncleared>("uncleared"),
      rung<Rung<first_thread_kernel>>("by chance"),
      rung<Stale>("stale"),
      rung<Polling>("polling"),
      rung<Rung<off_by_one_kernel>>("an element", {.idea = "a test", .returns_elements = true}),
  };
  std::vector<const Implementation*> rungs;
  for (const Implementation& implementation : all) rungs.push_back(&implementation);
  const Kind kind{"",
                  "u32",
                  [](const ProblemSpec& spec) -> std::unique_ptr<Problem> {
                    return std::make_unique<CountUp>(static_cast<unsigned>(spec.n));
                  },
                  {}};
  protocol::CheckRequest request;
  request.problem.n = 256;
  request.schedules = {0, 1, 2};

  std::vector<std::string> begun;
  std::vector<protocol::Checked> checked;
  probe::check(
      request, kind, rungs, [&](std::string_view path) { begun.emplace_back(path); },
      [&](const protocol::Checked& one) {
        REQUIRE(begun.back() == one.path);
        checked.push_back(one);
      },
      {});
  REQUIRE(checked.size() == all.size());

  for (const std::size_t clean : {0, 5, 12}) {
    CHECK(checked[clean].findings.empty());
    CHECK_FALSE(checked[clean].skipped);
  }
  REQUIRE(checked[1].findings.size() == 1);
  CHECK(checked[1].findings[0].kind == "race");
  CHECK(checked[1].findings[0].message.starts_with("output + 0 bytes: block 0, thread "));
  CHECK(checked[1].findings[0].times >= 3 * 255);
  REQUIRE(checked[2].findings.size() == 1);
  CHECK(checked[2].findings[0].kind == "fault");
  CHECK(checked[2].findings[0].message.find("out of bounds") != std::string::npos);
  CHECK(checked[2].findings[0].message.ends_with(" (n = 256)"));
  CHECK(checked[2].findings[0].line.starts_with("compare/tests/emulator/probe_test.cpp:"));
  CHECK(checked[3].skipped);
  CHECK(checked[3].reason.find("bytes of emulated device memory") != std::string::npos);
  CHECK(checked[4].skipped);
  CHECK(checked[4].reason.find("that many fingers") != std::string::npos);
  REQUIRE(checked[6].findings.size() == 1);
  CHECK(checked[6].findings[0].kind == "wrong answer");
  CHECK(checked[6].findings[0].message == "n = 256, in the regular order: is 257");
  CHECK(checked[6].findings[0].advice.starts_with("Look at the arithmetic"));
  REQUIRE(checked[7].findings.size() == 1);
  CHECK(checked[7].findings[0].kind == "wrong answer");
  CHECK(checked[7].findings[0].line.starts_with("compare/tests/emulator/probe_test.cpp:"));
  REQUIRE(checked[8].findings.size() == 2);
  CHECK(checked[8].findings[0].kind == "wrong answer");
  CHECK(checked[8].findings[1].kind == "uninitialised global memory");
  CHECK(checked[7].findings[0].advice.find("took a value from a lane that had exited") !=
        std::string::npos);
  REQUIRE(checked[9].findings.size() == 1);
  CHECK(checked[9].findings[0].message ==
        "n = 256, in the order of seed 1, a later run, on new input: is 257");

  // a read that is repeated until it finds the store misses nothing
  REQUIRE(checked[11].findings.size() == 1);
  CHECK(checked[11].findings[0].kind == "wrong answer");
  CHECK(checked[11].findings[0].advice.starts_with("Look at the arithmetic"));

  constexpr const char* hint = "The first run was clean, a later one is not";
  const auto& stale = checked[10].findings;
  REQUIRE(std::ranges::count(stale, "race", &protocol::Finding::kind) > 0);
  for (const protocol::Finding& one : stale)
    CHECK((one.advice.find(hint) != std::string::npos) == (one.kind != "wrong answer"));
  CHECK(checked[1].findings[0].advice.find(hint) == std::string::npos);
  CHECK(
      checked[1].findings[0].advice.ends_with("split it: read into a variable, then "
                                              "__syncthreads(), then write."));
}

TEST_CASE("a problem that does not fit the memory is no finding of a rung") {
  const Implementation right = rung<Rung<right_kernel>>("right");
  const Kind kind{"",
                  "u32",
                  [](const ProblemSpec&) -> std::unique_ptr<Problem> {
                    throw backend::OutOfMemory("needs 9 bytes, 8 are free");
                  },
                  {}};
  std::vector<protocol::Checked> checked;
  probe::check(
      {}, kind, {&right}, [](std::string_view) {},
      [&](const protocol::Checked& one) { checked.push_back(one); }, {});
  REQUIRE(checked.size() == 1);
  CHECK(checked[0].path == right.path);
  CHECK(checked[0].skipped);
  CHECK(checked[0].reason == "needs 9 bytes, 8 are free");
  CHECK(checked[0].findings.empty());
}

TEST_CASE("the probe says what the rungs were compiled with") {
  reports::Machine machine;
  reports::Software software;
  probe::describe(machine, software);
  CHECK(software.emulated_compiler.find(std::to_string(__GNUC__) + ".") != std::string::npos);
  CHECK(software.emulated_flags.find("-fsanitize=thread") != std::string::npos);
  CHECK(probe::limits(2).ceilings.empty());
  CHECK(probe::limits(2).overheads.empty());
}
