// The finish of gather with more blocks than a block has threads, which small inputs do not have.
#include "handwritten/gather.hpp"

#include <numeric>
#include <vector>

#include "compare/operators.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;

namespace {

constexpr unsigned threads = 128;

template <class T>
__global__ void gather_kernel(const T* in, Word* slots, T* out) {
  T value = in[blockIdx.x * threads + threadIdx.x];
  if (finish_by_gathering<Sum, threads>(value, slots)) *out = value;
}

}  // namespace

TEMPLATE_TEST_CASE("gather takes the words of all blocks, run after run", "", std::int32_t,
                   std::int64_t) {
  for (const unsigned blocks : {1U, 2U, threads, threads + 1, threads + 2, 3 * threads + 5}) {
    std::vector<TestType> values(std::size_t{blocks} * threads);
    std::iota(values.begin(), values.end(), TestType{7});
    const auto in = uploaded(values);
    const auto slots = uploaded(std::vector<Word>(blocks * words<TestType>));
    const DeviceArray<TestType> out(1);
    for (unsigned run = 0; run < 2; ++run) {
      launch(gather_kernel<TestType>, {blocks, threads}, {}, in.data(), slots.data(), out.data());
      INFO(blocks << " blocks, run " << run);
      CHECK(downloaded(out, 1)[0] == std::accumulate(values.begin(), values.end(), TestType{0}));
    }
  }
}
