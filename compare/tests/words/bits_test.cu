// Functions of bits.
#include "compare/tests/words/run.hpp"

using namespace ladder;

namespace {

__global__ void count_bits_kernel(const unsigned* in, int* out) {
  const unsigned x = in[threadIdx.x];
  out[threadIdx.x] = __popc(x) + 100 * __clz(static_cast<int>(x)) + 10'000 * __ffs(static_cast<int>(x));
}

}  // namespace

TEST_CASE("bits are counted and found") {
  CHECK(answer_each(count_bits_kernel, {0U, 1U, 0x80000000U, 0xf0U}) == std::vector<int>{3200, 13101, 320001, 52404});
}
