#include "handwritten/fold.hpp"
#include "handwritten/scan/blocks.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each output is a reduction of its own, by a warp of its own: few steps, quadratic work.",
    .follows = "serial",
    .step =
        "No output waits for another. A reduction takes log n steps with enough threads; a warp "
        "takes n / 32 + 5.",
    .costs = "It takes n^2 / 2 operations and reads.",
    .limited_by = "That quadratic work.",
    .notes = "N3",
    .source =
        "N3 has the inclusive scan. The exclusive scan is our own: it reduces one element less.",
    .max_elements = std::size_t{1} << 12,
    .max_reason =
        "its work is quadratic: 2^23 operations for 2^12 elements, four times as many for each "
        "doubling",
};

constexpr unsigned threads = 128;

// Each lane folds neighbouring elements, and neighbouring lanes are then paired, so that the order
// is kept. A tree that folds the upper half onto the lower one would need an operator that
// commutes.
template <class T, class Op, ScanKind kind>
__global__ void reduce_per_output_kernel(const T* in, std::size_t n, T* out) {
  const Op op;
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (i >= n) return;  // the whole warp

  const std::size_t count = kind == ScanKind::inclusive ? i + 1 : i;
  const std::size_t each = (count + 31) / 32;
  T value = Op::template identity<T>();
  for (std::size_t k = lane * each; k < (lane + 1) * each && k < count; ++k)
    value = op(value, in[k]);

  for (unsigned offset = 1; offset < 32; offset *= 2)
    value = op(value, __shfl_down_sync(whole_warp, value, offset));
  if (lane == 0) out[i] = value;
}

template <class T, class Op, ScanKind kind>
struct ReducePerOutput {
  ScanArguments<T> device;

  void operator()(Stream stream) {
    launch(reduce_per_output_kernel<T, Op, kind>, {blocks_for(device.n, threads / 32), threads},
           stream, device.in, device.n, device.out);
  }
};

const RegisterScans<ReducePerOutput> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
