#include "handwritten/scan/blocks.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "An up-sweep folds the slice of the block as a tree, and a down-sweep hands every subtree "
        "the total of all elements before it: the least "
        "work.",
    .follows = "hillis_steele",
    .step = "It takes about 2 n operations in place of n log n.",
    .costs =
        "It takes twice as many steps, 20 for 1,024 elements, and in most of them most threads "
        "idle.",
    .limited_by =
        "Barriers, and bank conflicts: at stride s the lanes of a warp lie 2 s elements apart, so "
        "up to 32 of them share a bank.",
    .repaired =
        "The down-sweep of the note gives the right child (left before) op (parent), which is "
        "right only for operators that commute: here it is "
        "(parent) op (left before). The note does not say how blocks are joined: here their totals "
        "are scanned, level by level. The note has the "
        "exclusive scan only: the inclusive one combines each result with its own element.",
    .notes = "N3",
    .source = "G. E. Blelloch, Prefix sums and their applications, report CMU-CS-90-190 (1990).",
};

constexpr unsigned threads = 512;
constexpr unsigned elements = 2 * threads;  // of a slice: a thread for each pair

template <class T, class Op, ScanKind kind>
__global__ void blelloch_kernel(const T* in, std::size_t n, T* out, T* totals) {
  const Op op;
  const T identity = Op::template identity<T>();
  T* tile = dynamic_shared<T>();
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * elements + t;  // its elements: i and i + threads
  const std::size_t j = i + threads;

  const T first = i < n ? in[i] : identity;
  const T second = j < n ? in[j] : identity;
  tile[t] = first;
  tile[t + threads] = second;
  __syncthreads();

  for (unsigned stride = 1; stride < elements; stride *= 2) {
    const unsigned right = 2 * stride * (t + 1) - 1;
    if (right < elements) {
      tile[right] = op(tile[right - stride], tile[right]);
    }
    __syncthreads();
  }

  if (t == 0) {
    totals[blockIdx.x] = tile[elements - 1];
    tile[elements - 1] = identity;
  }
  __syncthreads();

  for (unsigned stride = threads; stride > 0; stride /= 2) {
    const unsigned right = 2 * stride * (t + 1) - 1;
    if (right < elements) {
      const T left_before = tile[right - stride];
      const T parent = tile[right];
      tile[right - stride] = parent;
      tile[right] = op(parent, left_before);
    }
    __syncthreads();
  }

  if (i < n) out[i] = kind == ScanKind::inclusive ? op(tile[t], first) : tile[t];
  if (j < n)
    out[j] = kind == ScanKind::inclusive ? op(tile[t + threads], second) : tile[t + threads];
}

template <class T, class Op, ScanKind kind>
using Blelloch =
    ScanByBlocks<T, Op, blelloch_kernel<T, Op, kind>, blelloch_kernel<T, Op, ScanKind::exclusive>,
                 threads, elements, elements * sizeof(T)>;

const RegisterScans<Blelloch> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
