// A problem of two inputs and many outputs: out[i] = a[i] + b[i]. What other operations than reduce
// need.
#include "compare/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare/team.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/verifier/backend.hpp"
#include "compare/worker/verify.hpp"

using namespace ladder;

namespace {

struct Add {
  const std::int32_t *a, *b;
  std::uint64_t n;
  std::int64_t* out;

  std::size_t results() const { return n; }
};

constexpr std::uint64_t n = 100'000;  // more than one piece of input

LongArray<std::int64_t> exact_sums(std::int32_t addend = 1000) {
  LongArray<std::int64_t> sums;
  for (std::uint64_t i = 0; i < n; ++i) sums.push_back(static_cast<std::int64_t>(i) + addend);
  return sums;
}

std::uint64_t exact_checksum(std::int32_t addend = 1000) {
  return checksum_on_host(exact_sums(addend).data(), n * sizeof(std::int64_t));
}

using Sums = TypedProblem<Add, std::int32_t>;

// checksum: of the exact answer; asked: counts how often that is made.
std::unique_ptr<Problem> pose(unsigned offset = 0,
                              const std::function<std::uint64_t()>& checksum = {},
                              unsigned* asked = nullptr, std::int32_t addend = 1000,
                              unsigned devices = 0) {
  const Generator<std::int32_t> count = [](std::uint64_t first, std::span<std::int32_t> values) {
    for (auto& value : values) value = static_cast<std::int32_t>(first++);
  };
  const Generator<std::int32_t> the_same = [addend](std::uint64_t, std::span<std::int32_t> values) {
    std::ranges::fill(values, addend);
  };
  ProblemSpec spec;
  spec.n = n;
  spec.offset = offset;
  spec.devices = devices;
  const auto arguments = [](const std::vector<const std::int32_t*>& in, std::uint64_t its_n,
                            std::int64_t* out) {
    return Add{in[0], in[1], its_n, out};
  };
  const auto expected = [asked, addend] {
    if (asked != nullptr) ++*asked;
    return Expected<std::int64_t>{exact_sums(addend)};
  };
  Sums::Checksums checksums;
  if (checksum)
    checksums = [checksum](const std::vector<Stretch>& parts) {
      CHECK(parts.size() == 1);
      return std::vector{checksum()};
    };
  return std::make_unique<Sums>(spec, std::vector{count, the_same},
                                reports::Output::one_per_element, arguments, expected, nullptr,
                                nullptr, checksums);
}

void solve(const Add& d, std::uint64_t first = 0, std::uint64_t last = n) {
  for (std::uint64_t i = first; i < last; ++i) d.out[i] = d.a[i] + d.b[i];
}

const Add& arguments_of(const Problem& problem) {
  return *static_cast<const Add*>(problem.device());
}

}  // namespace

TEST_CASE(
    "the arrays of a problem are displaced each by its own element type, by an offset of 1 alike, "
    "else each further than the one before") {
  for (const unsigned offset : {0U, 1U, 15U}) {
    const auto problem = pose(offset);
    const Add& d = arguments_of(*problem);
    CHECK(reinterpret_cast<std::uintptr_t>(d.a) % 256 == offset * 4);
    CHECK(reinterpret_cast<std::uintptr_t>(d.b) % 256 == (offset == 15 ? 29 : offset) * 4);
    CHECK(reinterpret_cast<std::uintptr_t>(d.out) % 256 == (offset == 15 ? 43 : offset) * 8 % 256);
    CHECK(d.a[99'999] == 99'999);
    solve(d);
    CHECK(problem->check(Contract::device_result, {}).pass);
  }
}

TEST_CASE("what must move is every input and every output once") {
  CHECK(pose()->bytes_read() == n * (4 + 4));
  CHECK(pose()->bytes_written() == n * 8);
}

TEST_CASE("of many outputs the first that is wrong or missing is named") {
  const auto problem = pose();
  const Add& d = arguments_of(*problem);
  CHECK(problem->check(Contract::device_result, {}).reason ==
        "wrote nothing: its output is as it was before the run");
  solve(d, 0, n - 3);
  CHECK(problem->check(Contract::device_result, {}).reason ==
        "out[99997] was not written; 3 of 100000 elements are wrong");
  solve(d);
  ++d.out[70'000];
  CHECK(problem->check(Contract::device_result, {}).reason ==
        "out[70000] is 71001, not 71000; 1 of 100000 elements are wrong");
  solve(d);
  CHECK(problem->check(Contract::device_result, {}).pass);
  problem->poison();
  CHECK_FALSE(problem->check(Contract::device_result, {}).pass);
}

TEST_CASE(
    "of a checksum the exact answer is made when an answer is wrong, once, and has that checksum") {
  unsigned asked = 0;
  const auto problem = pose(
      0, [] { return exact_checksum(); }, &asked);
  const Add& d = arguments_of(*problem);
  solve(d);
  CHECK(problem->check(Contract::device_result, {}).pass);
  CHECK(asked == 0);
  for (int check = 0; check < 2; ++check) {
    d.out[70'000] = 5;
    CHECK(problem->check(Contract::device_result, {}).reason ==
          "out[70000] is 5, not 71000; 1 of 100000 elements are wrong");
    CHECK(asked == 1);
  }
  solve(d);
  CHECK(problem->check(Contract::device_result, {}).pass);

  const auto another = pose(0, [] { return exact_checksum() + 1; });
  solve(arguments_of(*another));
  for (int check = 0; check < 2; ++check)
    CHECK_THROWS_AS(another->check(Contract::device_result, {}), std::logic_error);
}

TEST_CASE("an input of which the checksum alone has changed is no mistake of a rung") {
  std::int32_t value = 1;
  WatchedInput<std::int32_t> input(
      [&value](std::uint64_t, std::span<std::int32_t> values) { std::ranges::fill(values, value); },
      0, 3, 0);
  const auto now = [&] { return backend::checksum(input.whole()); };
  CHECK(input.damage(now()).empty());
  value = 2;
  std::fill_n(input.data(), 3, value);
  CHECK_THROWS_AS(input.damage(now()), std::logic_error);
}

TEST_CASE("a problem that becomes another has its answer, made or not") {
  for (const bool made : {false, true}) {
    INFO(made);
    unsigned asked = 0;
    const auto problem = pose(0, [] { return exact_checksum(); });
    if (made) CHECK_FALSE(problem->check(Contract::device_result, {}).pass);
    problem->become(*pose(
        0, [] { return exact_checksum(2); }, &asked, 2));
    const Add& d = arguments_of(*problem);
    solve(d);
    CHECK(problem->check(Contract::device_result, {}).pass);
    CHECK(asked == 0);
    d.out[0] = 1000;
    CHECK(problem->check(Contract::device_result, {}).reason ==
          "out[0] is 1000, not 2; 1 of 100000 elements are wrong");
    CHECK(asked == 1);
  }
}

TEST_CASE("everything that is wrong is said at once, and each input is watched") {
  const auto problem = pose();
  const Add& d = arguments_of(*problem);
  solve(d);
  const_cast<std::int32_t&>(d.b[70'000]) = 7;
  d.out[0] = 5;
  d.out[n] = 5;
  CHECK(problem->check(Contract::device_result, {}).reason ==
        "out[0] is 5, not 1000; 1 of 100000 elements are wrong; wrote outside its output, after "
        "its end, at byte 0; modified its input: in[70000] was "
        "1000 and is 7");
  problem->poison();
  solve(d);
  CHECK(problem->check(Contract::device_result, {}).pass);  // guards and input were mended
}

TEST_CASE(
    "a check waits for each device once, and once more for an answer that the host looks at") {
  for (const unsigned devices : {0U, 3U})
    for (const bool is_wrong : {false, true}) {
      INFO(devices << " devices, wrong: " << is_wrong);
      const auto problem = pose(0, {}, nullptr, 1000, devices);
      const unsigned parts = std::max(devices, 1U);
      if (devices == 0) solve(arguments_of(*problem));
      else
        for (const Add& shard : static_cast<const Spread<Add>*>(problem->device())->shards)
          for (std::uint64_t i = 0; i < shard.n; ++i) shard.out[i] = shard.a[i] + shard.b[i];
      if (is_wrong) problem->poison();
      tests::questions = 0;
      CHECK(problem->check(Contract::device_result, {}).pass != is_wrong);
      CHECK(tests::questions == parts * (is_wrong ? 2 : 1));
    }
}

TEST_CASE("the checksum of an answer over devices is of all parts, each taken where it lies") {
  const auto problem = pose(0, {}, nullptr, 1000, 3);
  const auto& spread = *static_cast<const Spread<Add>*>(problem->device());
  const auto now = [&] { return problem->output_checksum(Contract::device_result); };
  tests::fetched_bytes = 0;
  for (const Add& shard : spread.shards) {
    const std::uint64_t before = now();
    ++shard.out[shard.n - 1];
    CHECK(now() != before);
    --shard.out[shard.n - 1];
    CHECK(now() == before);
  }
  CHECK(tests::fetched_bytes == 0);
}

TEST_CASE("an answer carries a long output as its digest") {
  class Solver final : public Prepared {
   public:
    explicit Solver(const Add& device) : device_(device) {}
    void restore(Stream) override {}
    void run(Stream) override { solve(device_); }
    void run_to_host(Stream, void*) override {}

   private:
    Add device_;
  };
  Implementation solver;
  solver.prepare = [](const void* device) -> std::unique_ptr<Prepared> {
    return std::make_unique<Solver>(*static_cast<const Add*>(device));
  };
  const auto problem = pose();
  protocol::Answer answer;
  Trees trees;
  verify(
      "verify", {}, *problem, nullptr, {&solver}, trees, [](std::string_view) {},
      [&](const protocol::Answer& a) { answer = a; });
  CHECK(answer.pass);
  CHECK(answer.output ==
        fmt::format("checksum:{:016x}",
                    checksum_on_host(exact_sums().data(), n * sizeof(std::int64_t))));
}
