// racy: a thread for each element reads its counter, adds one and writes it back, and nothing keeps others from doing the same in between.
//
// Improves on  serial in speed only: the answer is wrong.
// Costs        increments: of all threads that read a counter before one of them writes it, one is counted.
// Limited by   the traffic to the few sectors that hold the counters.
// Source       N3
// Repaired     nothing of the race, which is the lesson: the tests check that it is caught. The remainder of a negative value indexed out of range.
#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
class Racy {
 public:
  explicit Racy(const typename Histogram<T>::Device& device) : device_(device) {}

  void operator()(Stream stream) {
    clear(device_.out, device_.bins, stream);
    launch(racy_kernel<T>, {blocks_for(device_.n, threads), threads}, stream, device_.in, device_.n, device_.bins, device_.out);
  }

 private:
  typename Histogram<T>::Device device_;
};

const Register<Histogram, Racy, std::int32_t> rung{{
    .idea = "A thread for each element increments its bin without protection: updates are lost.",
    .follows = "serial",
    .notes = "N3",
    .same_bits_every_run = false,
    .expected_wrong = true,
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
