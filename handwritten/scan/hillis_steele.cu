#include "handwritten/scan/blocks.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "In step k each element takes in the one 2^k before it, all at once: the fewest steps.",
    .follows = "reduce_per_output",
    .step = "It takes n log n operations in place of n^2, and no more steps.",
    .costs =
        "A block of 1,024 elements takes 10 steps of 1,024 operations, where 1,023 operations "
        "would do. A second buffer in shared memory keeps a "
        "step from reading what it has already written.",
    .limited_by =
        "Shared memory and barriers: two reads, a write and a barrier for every element and step.",
    .repaired =
        "The note does not say how blocks are joined: here their totals are scanned, level by "
        "level. The note has the inclusive scan only: the "
        "exclusive one writes every result one place further on.",
    .notes = "N3",
    .source =
        "W. D. Hillis and G. L. Steele, Data parallel algorithms, Communications of the ACM 29 "
        "(1986).",
};

constexpr unsigned threads = 1024;

template <class T, class Op, ScanKind kind>
__global__ void hillis_steele_kernel(const T* in, std::size_t n, T* out, T* totals) {
  const Op op;
  const T identity = Op::template identity<T>();
  T* from = dynamic_shared<T>();
  T* to = from + blockDim.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned t = threadIdx.x;

  from[t] = i < n ? op(identity, in[i]) : identity;
  __syncthreads();

  for (unsigned reach = 1; reach < blockDim.x; reach *= 2) {
    to[t] = t >= reach ? op(from[t - reach], from[t]) : from[t];
    __syncthreads();
    T* const written = to;
    to = from;
    from = written;
  }

  if (i < n) {
    if (kind == ScanKind::inclusive) out[i] = from[t];
    else out[i] = t == 0 ? identity : from[t - 1];
  }
  if (t == blockDim.x - 1) totals[blockIdx.x] = from[t];
}

template <class T, class Op, ScanKind kind>
using HillisSteele = ScanByBlocks<T, Op, hillis_steele_kernel<T, Op, kind>,
                                  hillis_steele_kernel<T, Op, ScanKind::exclusive>, threads,
                                  threads, 2 * threads * sizeof(T)>;

const RegisterScans<HillisSteele> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
