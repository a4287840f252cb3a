#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "A thread for each element reads its counter, adds one and writes it back without "
        "protection: updates are lost.",
    .follows = "serial",
    .step = "All elements are counted at once, but the answer is wrong.",
    .costs =
        "It loses increments: of all threads that read a counter before one of them writes it, one "
        "is counted.",
    .limited_by = "The traffic to the few sectors that hold the counters.",
    .repaired =
        "In the note the remainder of a negative value indexed out of range: here it is that of "
        "the unsigned value. The race stays, because it is "
        "the lesson: the tests check that it is caught.",
    .notes = "N3",
    .same_bits_every_run = false,
    .expected_wrong = true,
};

constexpr unsigned threads = 256;

template <class T>
__global__ void racy_kernel(const T* in, std::size_t n, unsigned bins, std::int32_t* counts) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned bin = bin_of(in[i], bins);
  const std::int32_t before = counts[bin];
  counts[bin] = before + 1;  // others may have written since
}

template <class T>
struct Racy {
  typename Histogram<T>::Device device;

  void operator()(Stream stream) {
    clear(device.out, device.bins, stream);
    launch(racy_kernel<T>, {blocks_for(device.n, threads), threads}, stream, device.in, device.n,
           device.bins, device.out);
  }
};

const Register<Histogram, Racy> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
