// The limit of an input: a run counts where all bytes moved.
#include "compare/worker/limit.hpp"

#include <cstring>
#include <memory>
#include <string>

#include "compare/tests/catch.hpp"
#include "compare/worker/backend.hpp"

using namespace ladder;

namespace {

std::uint32_t sum_of_bytes(std::span<const std::byte> array) {
  std::uint32_t sum = 0;
  for (const std::byte one : array) sum += static_cast<std::uint32_t>(one);
  return sum;
}

}  // namespace

const Mover* probe::mover() {
  static constexpr Mover its{nullptr, sum_of_bytes};
  return &its;
}

namespace {

const Kind& kind_for(const char* operation, const char* op, const char* dtype) {
  const Kind* const kind = find_kind(operation, op, dtype);
  REQUIRE(kind != nullptr);
  return *kind;
}

std::unique_ptr<Problem> posed(const Kind& kind, unsigned offset = 0) {
  ProblemSpec spec;
  spec.operation = kind.operation->name;
  spec.op = kind.op, spec.dtype = kind.dtype;
  spec.n = 1009;
  spec.bins = kind.operation->usual_bins;
  spec.distribution = kind.distributions.front();
  spec.offset = offset;
  return kind.pose(spec);
}

constexpr Contract contract = Contract::device_result;

}  // namespace

TEST_CASE("a limit is named by its operation and what it moves") {
  CHECK(Limit(kind_for("reduce", "sum", "i32")).rung().path == "limit/reduce/read");
  CHECK(Limit(kind_for("exclusive_scan", "sum", "f64")).rung().path == "limit/exclusive_scan/copy");
  CHECK(is_limit("limit/reduce/read"));
  CHECK_FALSE(is_limit("handwritten/reduce/limit"));
}

TEST_CASE("a copy is right where every byte of the input is in the output") {
  for (const unsigned offset : {0U, 3U}) {
    const auto problem = posed(kind_for("inclusive_scan", "sum", "i32"), offset);
    LimitProblem limit(*problem, reports::Cache::cold);
    const auto& movement = *static_cast<const Movement*>(limit.device());
    REQUIRE(movement.copies);
    REQUIRE(movement.inputs.size() == 1);
    REQUIRE(movement.output.size() == 1009 * sizeof(int));
    limit.poison();
    CHECK(limit.check(contract, {}).reason == "the copy differs from the input");
    std::memcpy(movement.output.data(), movement.inputs[0].data(), movement.output.size());
    CHECK(limit.check(contract, {}).pass);
    movement.output.back() ^= std::byte{1};
    CHECK_FALSE(limit.check(contract, {}).pass);
  }
}

TEST_CASE("a read is right where the bytes of all inputs were added to the output, run by run") {
  for (const Kind* kind : {&kind_for("reduce", "sum", "f64"), &kind_for("dot", "", "f32"),
                           &kind_for("histogram", "", "u8")}) {
    INFO(kind->operation->name);
    const auto problem = posed(*kind);
    LimitProblem limit(*problem, reports::Cache::warm);
    const auto& movement = *static_cast<const Movement*>(limit.device());
    REQUIRE_FALSE(movement.copies);
    CHECK(movement.inputs.size() == kind->operation->inputs);
    std::uint32_t sum = 0;
    for (const auto& input : movement.inputs) sum += sum_of_bytes(input);
    REQUIRE(sum > 0);
    const auto add = [&](std::uint32_t more) {
      std::uint32_t word = 0;
      std::memcpy(&word, movement.output.data(), sizeof word);
      word += more;
      std::memcpy(movement.output.data(), &word, sizeof word);
    };
    limit.poison();
    CHECK_FALSE(limit.check(contract, {}).pass);
    for (int run = 0; run < 40; ++run) {
      add(sum);
      CHECK(limit.check(contract, {}).pass);
    }
    add(sum - 1);
    CHECK_THAT(limit.check(contract, {}).reason,
               Catch::Matchers::StartsWith("the bytes that were read add up to "));
  }
}
