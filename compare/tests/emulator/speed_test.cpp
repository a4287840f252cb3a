// Whole test suites run on the emulation, so it must not become slow. No test of the suite, since
// they go by the clock on the wall: by hand, on a machine that does nothing else, `emulator_tests
// '[speed]'`. Limits are ten times what a 2.6 GHz core needs; quadratic work is far above.
#include <chrono>
#include <functional>

#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;

namespace {

__global__ void tree_kernel(unsigned* data, unsigned* partials) {
  unsigned* slice = data + std::size_t{blockIdx.x} * blockDim.x;
  const unsigned t = threadIdx.x;
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) slice[t] += slice[t + stride];
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = slice[0];
}

__global__ void barriers_kernel(unsigned rounds) {
  for (unsigned k = 0; k < rounds; ++k) __syncthreads();
}

double seconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("a tree over 2^20 elements takes about a second at most", "[.][speed]") {
  constexpr unsigned n = 1 << 20, threads = 512;
  for (const std::uint64_t seed : {0, 1}) {
    const Schedule schedule(seed);
    const auto data = uploaded(std::vector<unsigned>(n, 1));
    const DeviceArray<unsigned> partials(n / threads);
    const double s = seconds([&] {
      launch(tree_kernel, {n / threads, threads}, {}, data.data(), partials.data());
    });
    WARN("2^20 elements in blocks of 512, schedule " << seed << ": " << s << " s");
    CHECK(s < 5);
    CHECK(downloaded(partials, n / threads) == std::vector<unsigned>(n / threads, threads));
  }
}

TEST_CASE("a switch costs the same in large blocks as in small ones", "[.][speed]") {
  constexpr unsigned switches = 1 << 21;
  const auto per_switch = [&](unsigned threads) {
    return seconds([&] {
             launch(barriers_kernel, {1, threads}, {}, switches / threads);
           }) /
           switches;
  };
  per_switch(1024);  // creates the fibers
  const double small = per_switch(64), large = per_switch(1024);
  WARN("a switch: " << small * 1e9 << " ns in blocks of 64, " << large * 1e9
                    << " ns in blocks of 1,024");
  CHECK(large < 10 * small);  // caches cost some; quadratic would be 16 times and more
  CHECK(large < 500e-9);
}
