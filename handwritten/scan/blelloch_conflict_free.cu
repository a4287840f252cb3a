#include "handwritten/scan/blocks.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "blelloch with gaps in shared memory, so that the lanes of a warp find their elements in "
        "different banks.",
    .follows = "blelloch",
    .step =
        "No access waits for another one to the same bank, at any stride and for any element type. "
        "In blelloch up to 32 do.",
    .costs =
        "It takes 3 % more shared memory for 4-byte elements, 6 % for 8-byte ones, and a few "
        "integer operations for each access.",
    .limited_by =
        "Barriers and idle threads, as in blelloch, and global memory: with the joining of the "
        "blocks, four words for each element.",
    .repaired = "As in blelloch.",
    .source =
        "Our own; the padding is that of M. Harris, S. Sengupta and J. D. Owens, Parallel prefix "
        "sum (scan) with CUDA, GPU Gems 3, chapter 39 "
        "(2007).",
};

constexpr unsigned threads = 512;
constexpr unsigned elements = 2 * threads;  // of a slice: a thread for each pair

// Where element i of the slice lies in shared memory. A warp's access to 32 words, or a half warp's
// to 16 double words, passes all banks once; element i goes one place further on for each such row
// before it, and for each row of rows.
template <class T>
__device__ constexpr unsigned at(unsigned i) {
  constexpr unsigned row = 128 / sizeof(T);
  return i + i / row + i / (row * row);
}

template <class T, class Op, ScanKind kind>
__global__ void blelloch_conflict_free_kernel(const T* in, std::size_t n, T* out, T* totals) {
  const Op op;
  const T identity = Op::template identity<T>();
  T* tile = dynamic_shared<T>();
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * elements + t;  // its elements: i and i + threads
  const std::size_t j = i + threads;

  const T first = i < n ? in[i] : identity;
  const T second = j < n ? in[j] : identity;
  tile[at<T>(t)] = first;
  tile[at<T>(t + threads)] = second;
  __syncthreads();

  for (unsigned stride = 1; stride < elements; stride *= 2) {
    const unsigned right = 2 * stride * (t + 1) - 1;
    if (right < elements) {
      T& mine = tile[at<T>(right)];
      mine = op(tile[at<T>(right - stride)], mine);
    }
    __syncthreads();
  }

  if (t == 0) {
    totals[blockIdx.x] = tile[at<T>(elements - 1)];
    tile[at<T>(elements - 1)] = identity;
  }
  __syncthreads();

  for (unsigned stride = threads; stride > 0; stride /= 2) {
    const unsigned right = 2 * stride * (t + 1) - 1;
    if (right < elements) {
      T& left_child = tile[at<T>(right - stride)];
      T& right_child = tile[at<T>(right)];
      const T left_before = left_child;
      const T parent = right_child;
      left_child = parent;
      right_child = op(parent, left_before);
    }
    __syncthreads();
  }

  if (i < n) out[i] = kind == ScanKind::inclusive ? op(tile[at<T>(t)], first) : tile[at<T>(t)];
  if (j < n)
    out[j] = kind == ScanKind::inclusive ? op(tile[at<T>(t + threads)], second)
                                         : tile[at<T>(t + threads)];
}

template <class T, class Op, ScanKind kind>
using BlellochConflictFree = ScanByBlocks<T, Op, blelloch_conflict_free_kernel<T, Op, kind>,
                                          blelloch_conflict_free_kernel<T, Op, ScanKind::exclusive>,
                                          threads, elements, at<T>(elements) * sizeof(T)>;

const RegisterScans<BlellochConflictFree> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
