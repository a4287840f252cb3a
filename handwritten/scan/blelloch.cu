// blelloch: an up-sweep folds the block's slice as a tree, a down-sweep hands every subtree what comes before it.
//
// Improves on  hillis_steele: about 2 n operations in place of n log n.
// Costs        twice as many steps, 20 for 1,024 elements, and in most of them most threads idle.
// Limited by   barriers, and bank conflicts: at stride s the lanes of a warp lie 2 s elements apart, so that up to 32 of them share a bank.
// Source       N3; Blelloch 1990
// Repaired     the note's down-sweep gives the right child `left before op parent`, which is right for operators that commute only: it is
//              `parent op left before`. The note has the exclusive scan; the inclusive one combines each result with its own element. Blocks are
//              joined in blocks.hpp.
#include "handwritten/scan/blocks.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
  if (j < n) out[j] = kind == ScanKind::inclusive ? op(tile[t + threads], second) : tile[t + threads];
}

template <class T, class Op, ScanKind kind>
class Blelloch : public ScanByBlocks<T, Op> {
 public:
  explicit Blelloch(const ScanArguments<T>& device)
      : ScanByBlocks<T, Op>(device, blelloch_kernel<T, Op, kind>, blelloch_kernel<T, Op, ScanKind::exclusive>,
                            {.threads = threads, .per_block = elements, .shared_bytes = elements * sizeof(T)}) {}
};

template <class T, class Op>
using InclusiveBlelloch = Blelloch<T, Op, ScanKind::inclusive>;
template <class T, class Op>
using ExclusiveBlelloch = Blelloch<T, Op, ScanKind::exclusive>;

constexpr Card card{
    .idea = "An up-sweep and a down-sweep over a tree: least work, twice the steps.",
    .follows = "hillis_steele",
    .notes = "N3",
    .source = "Blelloch 1990",
};
const Register<InclusiveScan, InclusiveBlelloch, std::int32_t, std::int64_t, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveBlelloch, std::int32_t, std::int64_t, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
