// Fakes of reduce, each wrong in a way that a kernel is wrong in practice. Every one has to be
// caught, and by its own name; the twin that does the same without the mistake has to pass.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compare/backend.hpp"
#include "compare/operations/reduce.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/verifier/backend.hpp"
#include "compare/worker/changed_input.hpp"
#include "compare/worker/verify.hpp"

using namespace ladder;

namespace {

template <class T>
T fold(std::span<const T> elements, T total = 0) {
  for (const T x : elements) total = Sum()(total, x);
  return total;
}

// A sum whose run is one function: (arguments, number of earlier runs of this object).
template <class T, auto run_once>
class Fake final : public Prepared {
 public:
  using Device = typename Reduce<T>::Device;
  explicit Fake(const Device& device) : device_(device) {}
  void restore(Stream) override {}
  void run(Stream) override { run_once(device_, earlier_runs_++); }
  void run_to_host(Stream, void*) override {}

  static Implementation implementation(Card card = {.idea = "a fake"}) {
    const auto prepare = [](const void* device) -> std::unique_ptr<Prepared> {
      return std::make_unique<Fake>(*static_cast<const Device*>(device));
    };
    return {"fake", "reduce", "sum", dtype_of<T>(), card, prepare};
  }

 private:
  Device device_;
  unsigned earlier_runs_ = 0;
};

using I32 = Reduce<std::int32_t>::Device;
using F32 = Reduce<float>::Device;

template <class Device>
auto elements(const Device& d) {
  return std::span(d.in, d.n);
}

constexpr auto right = [](const auto& d, unsigned) { *d.out = fold(elements(d)); };

protocol::VerifyRequest request(std::string_view dtype, std::uint64_t n, std::string distribution,
                                unsigned offset = 0) {
  protocol::VerifyRequest r;
  r.problem.operation = "reduce";
  r.problem.op = "sum";
  r.problem.dtype = dtype;
  r.problem.n = n;
  r.problem.distribution = std::move(distribution);
  r.problem.offset = offset;
  r.repeats = 3;
  return r;
}

protocol::Answer answer_to(const protocol::VerifyRequest& r, const Implementation& implementation) {
  const auto problem =
      find_kind(r.problem.operation, r.problem.op, r.problem.dtype)->pose(r.problem);
  protocol::Answer answer;
  std::string begun;
  Trees trees;
  verify(
      "verify", r, *problem, nullptr, {&implementation}, trees,
      [&](std::string_view path) { begun = path; }, [&](const protocol::Answer& a) { answer = a; });
  CHECK(begun == answer.path);
  return answer;
}

template <auto run_once>
protocol::Answer answer_i32(std::uint64_t n = 1000, unsigned offset = 0) {
  return answer_to(request("i32", n, "uniform", offset),
                   Fake<std::int32_t, run_once>::implementation());
}

template <auto run_once>
protocol::Answer answer_f32(std::string distribution, std::uint64_t n = 1000) {
  return answer_to(request("f32", n, std::move(distribution)),
                   Fake<float, run_once>::implementation());
}

void check_caught(const protocol::Answer& answer, const std::string& by) {
  INFO(answer.reason);
  CHECK_FALSE(answer.pass);
  CHECK_FALSE(answer.skipped);
  CHECK(answer.reason.find(by) != std::string::npos);
}

void check_passes(const protocol::Answer& answer) {
  INFO(answer.reason);
  CHECK(answer.pass);
  CHECK(answer.reason.empty());
}

}  // namespace

TEST_CASE("a right answer passes for every size, type and distribution") {
  for (const std::uint64_t n : {0, 1, 2, 3, 64, 1000}) {
    for (const auto distribution : find_kind("reduce", "sum", "i32")->distributions)
      check_passes(answer_to(request("i32", n, std::string(distribution)),
                             Fake<std::int32_t, right>::implementation()));
    for (const auto distribution : find_kind("reduce", "sum", "f32")->distributions)
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        INFO(n << " " << distribution << " seed " << seed);
        auto r = request("f32", n, std::string(distribution));
        r.problem.seed = seed;
        check_passes(answer_to(r, Fake<float, right>::implementation()));
      }
  }
}

namespace {

// Replayed, and beside another instance.
template <auto run_once>
std::pair<protocol::Answer, protocol::Answer> answers_in_a_row() {
  const auto r = request("i32", 1000, "uniform");
  const Kind& kind = *find_kind("reduce", "sum", "i32");
  const auto problem = kind.pose(r.problem), another = kind.pose(r.problem);
  const Implementation fake = Fake<std::int32_t, run_once>::implementation();
  std::pair<protocol::Answer, protocol::Answer> answers;
  Trees trees;
  verify(
      "verify replayed", r, *problem, nullptr, {&fake}, trees, [](std::string_view) {},
      [&](const protocol::Answer& a) { answers.first = a; });
  verify(
      "verify together", r, *problem, another.get(), {&fake}, trees, [](std::string_view) {},
      [&](const protocol::Answer& a) { answers.second = a; });
  return answers;
}

}  // namespace

TEST_CASE(
    "runs in a row: a right one passes, and one that a former run or another instance spoils is "
    "caught") {
  const auto [replayed, together] = answers_in_a_row<right>();
  check_passes(replayed);
  check_passes(together);

  // the last of a unit of three
  constexpr auto spoilt = [](const I32& d, unsigned run) {
    *d.out = fold(elements(d)) + (run % 4 == 3 ? 1 : 0);
  };
  check_caught(answers_in_a_row<spoilt>().first, "replay 1 of 4");

  constexpr auto after_replays = [](const I32& d, unsigned run) {
    *d.out = fold(elements(d)) + (run == 13 ? 1 : 0);
  };
  check_caught(answers_in_a_row<after_replays>().first, "after it was replayed");

  constexpr auto only_once = [](const I32& d, unsigned run) {
    if (run == 0) *d.out = fold(elements(d));
  };
  check_caught(answers_in_a_row<only_once>().first, "replay 1 of 4");
  check_caught(answers_in_a_row<only_once>().second, "the first of two instances, round 1 of 3");

  constexpr auto loads_at_first = [](const I32& d, unsigned run) {
    if (run == 0 && tests::are_held) throw std::runtime_error("it waits for a stream that is held");
    *d.out = fold(elements(d));
  };
  check_passes(answers_in_a_row<loads_at_first>().second);

  constexpr auto one_for_all = [](const I32& d, unsigned run) {
    static const void* last = nullptr;  // where the other instance wrote
    const bool is_shared = run > 1 && last != d.out;
    last = d.out;
    *d.out = fold(elements(d)) + (is_shared ? 1 : 0);
  };
  const auto [alone, shared] = answers_in_a_row<one_for_all>();
  check_passes(alone);
  check_caught(shared, "of two instances, round 1 of 3");
}

TEST_CASE("runs that cannot be captured have no answer") {
  tests::can_capture = false;
  const auto answer = answers_in_a_row<right>().first;
  tests::can_capture = true;
  CHECK(answer.skipped);
  CHECK(answer.reason == "its runs cannot be captured in a graph");
}

TEST_CASE("the answer carries the output, and whether it was the same every time") {
  const auto answer =
      answer_to(request("i32", 10, "constant"), Fake<std::int32_t, right>::implementation());
  CHECK(answer.output == "1e000000");  // 10 times 3
  CHECK(answer.same_bits);

  constexpr auto last_place_varies = [](const F32& d, unsigned run) {
    *d.out = fold(elements(d));
    if (run == 1) *d.out = std::nextafter(*d.out, 0.0F);
  };
  const auto varying = answer_f32<last_place_varies>("uniform");
  check_passes(varying);
  CHECK_FALSE(varying.same_bits);
}

TEST_CASE("a result that is off by one is caught") {
  check_caught(answer_i32<[](const I32& d, unsigned) { *d.out = Sum()(fold(elements(d)), 1); }>(),
               "out[0] is ");
}

TEST_CASE("a kernel that does nothing is caught, in a first run and in a later one") {
  check_caught(answer_i32<[](const I32&, unsigned) {}>(), "wrote nothing");
  check_caught(answer_f32<[](const F32&, unsigned) {}>("uniform"), "wrote nothing");
  // what is there lies within the bound
  check_caught(answer_f32<[](const F32&, unsigned) {}>("cancellation"), "wrote nothing");
  constexpr auto only_once = [](const I32& d, unsigned run) {
    if (run == 0) *d.out = fold(elements(d));
  };
  check_caught(answer_i32<only_once>(),
               "wrote nothing: its output is as it was before the run (run 2 of 3)");
}

TEST_CASE("NaN and infinity are caught where numbers are due") {
  check_caught(
      answer_f32<[](const F32& d, unsigned) { *d.out = std::numeric_limits<float>::quiet_NaN(); }>(
          "uniform"),
      "is nan, not ");
  check_caught(
      answer_f32<[](const F32& d, unsigned) { *d.out = std::numeric_limits<float>::infinity(); }>(
          "uniform"),
      "is inf, not ");
  check_caught(
      answer_f32<[](const F32& d, unsigned) { *d.out = std::numeric_limits<float>::quiet_NaN(); }>(
          "extremes"),
      "is nan, not ");
}

TEST_CASE("a number is caught where NaN or an infinity is due") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    auto r = request("f32", 1000, "specials");
    r.problem.seed = seed;
    check_caught(
        answer_to(r, Fake<float, [](const F32& d, unsigned) { *d.out = 500; }>::implementation()),
        "out[0] is 500, not ");
    CHECK(answer_to(r, Fake<float, right>::implementation()).bound == 0);
  }
}

TEST_CASE("zero is caught") {
  check_caught(answer_i32<[](const I32& d, unsigned) { *d.out = 0; }>(), "out[0] is 0, not ");
  check_caught(answer_f32<[](const F32& d, unsigned) { *d.out = 0; }>("uniform"),
               "out[0] is 0, not ");
  check_caught(answer_f32<[](const F32& d, unsigned) { *d.out = 0; }>("subnormals"),
               "out[0] is 0, not ");
}

TEST_CASE("writing beside the output is caught, on both sides and far out") {
  constexpr auto overrun = [](const I32& d, unsigned) {
    *d.out = fold(elements(d));
    d.out[1] = 0;
  };
  constexpr auto underrun = [](const I32& d, unsigned) {
    *d.out = fold(elements(d));
    d.out[-1] = 0;
  };
  constexpr auto partials_of_1024_blocks = [](const I32& d, unsigned) {
    *d.out = fold(elements(d));
    d.out[1023] = 0;
  };
  for (const unsigned offset : {0U, 1U, 15U}) {
    check_caught(answer_i32<overrun>(1000, offset),
                 "wrote outside its output, after its end, at byte 0");
    check_caught(answer_i32<underrun>(1000, offset),
                 "wrote outside its output, before its start, at byte -1");
    check_caught(answer_i32<partials_of_1024_blocks>(1000, offset), "after its end, at byte 4088");
  }
}

TEST_CASE("an input that was changed is caught, and mended for whoever comes next") {
  constexpr auto in_place = [](const I32& d, unsigned) {
    *d.out = fold(elements(d));
    const_cast<std::int32_t&>(d.in[7]) = 41;
  };
  constexpr auto beside = [](const I32& d, unsigned) {
    *d.out = fold(elements(d));
    const_cast<std::int32_t&>(d.in[d.n]) = 0;
  };
  constexpr auto swapped = [](const I32& d, unsigned) {
    *d.out = fold(elements(d));
    std::swap(const_cast<std::int32_t&>(d.in[3]), const_cast<std::int32_t&>(d.in[99'999]));
  };
  check_caught(answer_i32<in_place>(), "modified its input: in[7] was ");
  check_caught(answer_i32<beside>(), "wrote beside its input, after its end");
  check_caught(answer_i32<swapped>(100'000), "modified its input: in[3] was ");

  const auto r = request("i32", 1000, "uniform");
  const auto problem = find_kind("reduce", "sum", "i32")->pose(r.problem);
  const Implementation wrong = Fake<std::int32_t, in_place>::implementation(),
                       good = Fake<std::int32_t, right>::implementation(),
                       writer = Fake<std::int32_t, beside>::implementation();
  std::vector<bool> passed;
  Trees trees;
  verify(
      "verify", r, *problem, nullptr, {&wrong, &good, &writer, &good}, trees,
      [](std::string_view) {}, [&](const protocol::Answer& a) { passed.push_back(a.pass); });
  CHECK(passed == std::vector<bool>{false, true, false, true});
}

TEST_CASE("right once, then wrong, is caught") {
  constexpr auto accumulates = [](const I32& d, unsigned run) {
    *d.out = fold(elements(d), run == 0 ? 0 : fold(elements(d)));
  };
  check_caught(answer_i32<accumulates>(), "(run 2 of 3)");
  constexpr auto third_time = [](const I32& d, unsigned run) {
    *d.out = fold(elements(d), run == 2 ? 1 : 0);
  };
  check_caught(answer_i32<third_time>(), "(run 3 of 3)");
}

TEST_CASE("what is right under one schedule and wrong under another is caught, and blamed on it") {
  constexpr auto racy = [](const I32& d, unsigned) {
    *d.out = fold(elements(d), tests::schedule == 2 ? 1 : 0);
  };
  auto r = request("i32", 1000, "uniform");
  r.schedules = {0, 1};
  check_passes(answer_to(r, Fake<std::int32_t, racy>::implementation()));
  r.schedules = {0, 1, 2, 3};
  check_caught(answer_to(r, Fake<std::int32_t, racy>::implementation()),
               "(run 1 of 3) (schedule 2)");
  CHECK(tests::schedule == 0);
}

TEST_CASE("a rung that destroys its own copy of the input has it restored before every run") {
  class OnACopy final : public Prepared {
   public:
    explicit OnACopy(const I32& device) : device_(device) {}
    void restore(Stream) override { copy_.assign(device_.in, device_.in + device_.n); }
    void run(Stream) override {
      *device_.out = fold<std::int32_t>(copy_);
      copy_.clear();
    }
    void run_to_host(Stream, void*) override {}

   private:
    I32 device_;
    std::vector<std::int32_t> copy_;
  };
  Implementation in_place = Fake<std::int32_t, right>::implementation();
  in_place.prepare = [](const void* device) -> std::unique_ptr<Prepared> {
    return std::make_unique<OnACopy>(*static_cast<const I32*>(device));
  };
  check_passes(answer_to(request("i32", 1000, "uniform"), in_place));
}

TEST_CASE("elements lost or doubled are caught") {
  constexpr auto drops_tail = [](const auto& d, unsigned) {
    *d.out = fold(elements(d).first(d.n / 32 * 32));
  };
  constexpr auto drops_one = [](const auto& d, unsigned) {
    *d.out = fold(elements(d).first(d.n - 1));
  };
  constexpr auto doubles_block = [](const auto& d, unsigned) {
    *d.out = fold(elements(d).first(32), fold(elements(d)));
  };
  check_passes(answer_i32<drops_tail>(1024));
  check_caught(answer_i32<drops_tail>(1023), "out[0] is ");
  check_caught(answer_i32<drops_one>(), "out[0] is ");
  check_caught(answer_i32<doubles_block>(), "out[0] is ");

  // A bound lets one element of many through; dyadic inputs do not.
  check_passes(answer_f32<drops_one>("uniform", 100'000));
  check_caught(answer_f32<drops_one>("dyadic", 100'000), "out[0] is ");
  check_caught(answer_f32<drops_one>("dyadic", 1'000'001), "out[0] is ");
  check_caught(answer_f32<doubles_block>("dyadic", 100'000), "out[0] is ");
  check_caught(answer_f32<drops_one>("subnormals", 100'000), "out[0] is ");
}

TEST_CASE("one hot element shows a lost element at whichever place") {
  constexpr auto loses_31 = [](const F32& d, unsigned) {
    *d.out = fold(elements(d));
    if (d.n > 31) *d.out -= d.in[31];
  };
  auto r = request("f32", 1000, "one_hot");
  r.problem.seed = 31;
  check_caught(answer_to(r, Fake<float, loses_31>::implementation()), "out[0] is 0, not 5");
  r.problem.seed = 32;
  check_passes(answer_to(r, Fake<float, loses_31>::implementation()));
}

TEST_CASE("a bound that says nothing is said to, and still tells numbers from NaN", "[many]") {
  constexpr std::uint64_t past_the_bound = (1 << 23) + 2;  // h * u = 1/2 at n - 1 = 2^23
  const auto answer = answer_f32<right>("uniform", past_the_bound);
  check_passes(answer);
  CHECK_FALSE(answer.bounded);
  CHECK(answer_f32<right>("uniform", 1 << 23).bounded);
  check_caught(
      answer_f32<[](const F32& d, unsigned) { *d.out = std::numeric_limits<float>::quiet_NaN(); }>(
          "uniform", past_the_bound),
      "is nan");

  constexpr auto drops_last = [](const F32& d, unsigned) {
    *d.out = fold(elements(d));
    std::size_t last = d.n - 1;
    while (d.in[last] == 0) --last;
    *d.out -= d.in[last];
  };
  check_caught(answer_f32<drops_last>("dyadic", past_the_bound), "out[0] is ");
}

TEST_CASE("an answer kept from an earlier input is caught") {
  constexpr auto cached = [](const I32& d, unsigned) {
    static const std::int32_t first = fold(elements(d));
    *d.out = first;
  };
  check_passes(answer_i32<cached>());
  auto another = request("i32", 1000, "uniform");
  another.problem.seed = 2;
  check_caught(answer_to(another, Fake<std::int32_t, cached>::implementation()), "out[0] is ");
}

TEST_CASE("a kernel that reads from the aligned address below its input is caught") {
  constexpr auto rounds_down = [](const I32& d, unsigned) {
    const auto address = reinterpret_cast<std::uintptr_t>(d.in) / 16 * 16;
    *d.out = fold(std::span(reinterpret_cast<const std::int32_t*>(address), d.n));
  };
  check_passes(answer_i32<rounds_down>(1000, 0));
  check_passes(answer_i32<rounds_down>(1000, 4));
  for (const unsigned offset : {1U, 2U, 3U, 5U, 15U})
    check_caught(answer_i32<rounds_down>(1000, offset), "out[0] is ");
}

TEST_CASE("what an implementation throws is its reason") {
  check_caught(answer_i32<[](const I32&, unsigned) {
                 throw std::runtime_error("cudaErrorIllegalAddress");
               }>(),
               "cudaErrorIllegalAddress");
}

TEST_CASE("too large an input is skipped, with the reason") {
  const Card small{.idea = "a fake", .max_elements = 10, .max_reason = "ten fingers"};
  const auto skipped =
      answer_to(request("i32", 11, "uniform"), Fake<std::int32_t, right>::implementation(small));
  CHECK(skipped.skipped);
  CHECK_FALSE(skipped.pass);
  CHECK(skipped.reason.find("ten fingers") != std::string::npos);
  check_passes(
      answer_to(request("i32", 10, "uniform"), Fake<std::int32_t, right>::implementation(small)));
}

TEST_CASE(
    "a rung whose scratch memory does not fit is skipped, an input that does not fit is refused") {
  constexpr auto hungry = [](const I32& d, unsigned) {
    backend::release(backend::allocate(1 << 20));
    *d.out = fold(elements(d));
  };
  check_passes(answer_i32<hungry>());
  tests::device_bytes = 1 << 16;
  const auto skipped = answer_i32<hungry>();
  CHECK_THROWS_AS(answer_i32<right>(1 << 14), backend::OutOfMemory);
  tests::device_bytes = std::numeric_limits<std::size_t>::max();
  CHECK(skipped.skipped);
  CHECK(skipped.reason == "1048576 bytes do not fit");
}

TEST_CASE("a rung that is expected to be wrong is judged as every other") {
  const Card mistaken{.idea = "a fake", .expected_wrong = true};
  constexpr auto zero = [](const I32& d, unsigned) { *d.out = 0; };
  check_caught(answer_to(request("i32", 1000, "uniform"),
                         Fake<std::int32_t, zero>::implementation(mistaken)),
               "out[0] is 0, not ");
}

TEST_CASE("what was computed before the input was there, or kept from an earlier run, is caught") {
  static std::int32_t kept = 0;
  constexpr auto keeps_its_answer = [](const I32& d, unsigned earlier) {
    *d.out = earlier == 0 ? kept = fold(elements(d)) : kept;
  };
  constexpr auto off_by_one = [](const I32& d, unsigned) { *d.out = fold(elements(d)) + 1; };
  // right but for the last bits
  constexpr auto keeps_the_least = [](const F32& d, unsigned earlier) {
    static float first = 0;
    if (earlier == 0) first = d.in[0];
    *d.out = fold(elements(d)) - d.in[0] + first;
  };
  const auto answer = [](const auto& fake, std::string_view dtype, std::uint64_t n,
                         std::string_view distribution) {
    Trees trees;
    ProblemSpec spec = request(dtype, n, std::string(distribution)).problem;
    return complaint_on_changed_input(fake, *find_kind("reduce", "sum", dtype), spec,
                                      Contract::device_result, trees);
  };
  for (const std::uint64_t n : {1, 1000, 1 << 20}) {
    CHECK(answer(Fake<std::int32_t, right>::implementation(), "i32", n, "uniform").empty());
    CHECK(answer(Fake<std::int32_t, off_by_one>::implementation(), "i32", n, "uniform").empty());
    CHECK(answer(Fake<float, right>::implementation(), "f32", n, "dyadic").empty());
    CHECK(answer(Fake<std::int32_t, keeps_its_answer>::implementation(), "i32", n, "uniform")
              .starts_with("out[0] is "));
    CHECK_FALSE(answer(Fake<float, keeps_the_least>::implementation(), "f32", n, "dyadic").empty());
  }
  CHECK(answer(Fake<std::int32_t, right>::implementation(), "i32", 0, "uniform").empty());
}

TEST_CASE("a problem becomes another of its size, and no other") {
  const auto pose = [](std::uint64_t n, std::uint64_t seed) {
    ProblemSpec spec = request("i32", n, "uniform").problem;
    spec.seed = seed;
    return find_kind("reduce", "sum", "i32")->pose(spec);
  };
  const auto one = pose(1000, 1), other = pose(1000, 2);
  const auto& device = *static_cast<const I32*>(one->device());
  const auto before = fold(elements(device));
  one->become(*other);
  CHECK(static_cast<const I32*>(one->device())->in == device.in);
  CHECK(fold(elements(device)) == fold(elements(*static_cast<const I32*>(other->device()))));
  CHECK(fold(elements(device)) != before);
  *device.out = fold(elements(device));
  check_passes({.path = {},
                .pass = one->check(Contract::device_result, {}).pass,
                .reason = {},
                .output = {}});
  const_cast<std::int32_t*>(device.in)[7] ^= 1;  // its input is watched as before
  CHECK(one->check(Contract::device_result, {}).reason.find("modified its input: in[7]") !=
        std::string::npos);
  CHECK_THROWS_AS(one->become(*pose(999, 1)), std::invalid_argument);
}
