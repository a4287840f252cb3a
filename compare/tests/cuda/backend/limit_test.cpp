// The limit of an input on a GPU moves all bytes, wherever the arrays lie.
#include "compare/worker/limit.hpp"

#include <memory>
#include <numeric>
#include <vector>

#include "compare/tests/catch.hpp"
#include "compare/worker/backend.hpp"
#include "compare/worker/run.hpp"

using namespace ladder;

TEST_CASE("the bytes of an array are added up") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{1009}, std::size_t{3} << 20}) {
    std::vector<unsigned char> bytes(count);
    for (std::size_t k = 0; k < count; ++k) bytes[k] = static_cast<unsigned char>(7 * k + k / 256);
    const Memory array(backend::allocate(count));
    backend::upload(array.get(), bytes.data(), count);
    CHECK(probe::mover()->byte_sum({static_cast<const std::byte*>(array.get()), count}) ==
          std::accumulate(bytes.begin(), bytes.end(), 0U));
  }
}

TEST_CASE("a limit moves every byte of every operation's input, at every size and place") {
  for (const Kind& kind : kinds()) {
    const bool is_usual = kind.op.empty() || kind.op == "sum";
    if (!is_usual || (kind.dtype != "u8" && kind.dtype != "f32" && kind.dtype != "i64")) continue;
    for (const std::uint64_t n : {1, 3, 255, 4099, 1'000'003})
      for (const unsigned offset : {0U, 1U, 2U, 3U})
        for (const auto cache : {reports::Cache::cold, reports::Cache::warm}) {
          ProblemSpec spec;
          spec.operation = kind.operation->name, spec.op = kind.op, spec.dtype = kind.dtype;
          spec.n = n, spec.offset = offset, spec.bins = kind.operation->usual_bins;
          spec.distribution = kind.distributions.front();
          INFO(spec.operation << ", " << spec.in_words() << ", offset " << offset);
          const auto posed = kind.pose(spec);
          LimitProblem problem(*posed, cache);
          const Limit limit(kind);
          const auto prepared = limit.rung().prepare(problem.device());
          problem.poison();
          for (int run = 0; run < 3; ++run) {
            run_to_its_end(*prepared, problem, Contract::device_result, clock::stream());
            const Verdict answer = problem.check(Contract::device_result, {});
            INFO(answer.reason);
            CHECK(answer.pass);
          }
        }
  }
}
