#!/bin/sh
# Kernels as they are written elsewhere, plain CUDA with the parts that only a whole check-kernels
# shows: each is found wrong, or clean, as it is.
#
# written_elsewhere.sh <source folder> <folder of the built programs>
# shellcheck source=compare/tests/scratch_copy.sh
. "$(dirname "$0")/scratch_copy.sh"

use_own_ladder
keep_one_rung
mkdir -p "$scratch/theirs/handwritten/reduce" "$scratch/theirs/handwritten/scan"

# rung <folder>/<name> <operator> <operation>:<header> <its arguments> <types> <launches>: the
# kernels from the standard input.
rung() {
  file=$scratch/theirs/handwritten/$1.cu
  cat >"$file" <<RUNG
#include "compare/launch.hpp"
#include "compare/operations/${3##*:}.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{.idea = "Written elsewhere."};

$(cat)

template <class T, class Op>
  requires(std::is_same_v<Op, $2>)
struct Elsewhere {
  $4 device;

  void operator()(Stream stream) {
    $6
  }
};

const Register<${3%:*}, Elsewhere, $5> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
RUNG
}

# wrong <operation>/<name> <sed script>: <name>_right.cu with a mistake
wrong() {
  sed "$2" "$scratch/theirs/handwritten/$1_right.cu" >"$scratch/theirs/handwritten/$1_wrong.cu"
  if cmp -s "$scratch/theirs/handwritten/$1"_*.cu; then fail "$1 has no mistake"; fi
}
reduction='typename Reduce<T, Op>::Device'

# A launch in a macro, of a template that is deduced, with a default argument, in a block of rows;
# through a pointer; an atomic for GPUs that have none; no function of the host.
rung reduce/words_right Sum Reduce:reduce "$reduction" 'std::int32_t, double' '
    auto* const first = elsewhere::clear<T>;
    first<<<1, 1, 0, stream>>>(device.out);
    const auto element = [in = device.in] __device__(std::size_t i) { return one * in[i]; };
    switch (device.n > 2000 ? 8 : 4) {
      FOLD_ROWS(8);
      FOLD_ROWS(4);
    }' <<'KERNELS'
#if __CUDA_ARCH__ < 600
static __device__ double atomicAdd(double* sum, double x) {
  unsigned long long* const word = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before, __double_as_longlong(x + __longlong_as_double(before)));
  } while (before != seen);
  return __longlong_as_double(seen);
}
#endif

namespace elsewhere {

__constant__ int one = 1;

template <class T>
__global__ static void clear(T* out) {
  *out = 0;
}

template <unsigned rows, class T, class Element>
static __global__ __launch_bounds__(256, 2) void fold(std::size_t n, Element element,
                                                      T* __restrict__ out, int scale = 1) {
  extern __shared__ __align__(sizeof(T)) unsigned char memory[];
  T* const of_row = reinterpret_cast<T*>(memory);
  const unsigned block = blockDim.x * blockDim.y;
  T sum = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.y * blockDim.x + threadIdx.x;
       i < n; i += std::size_t{gridDim.x} * block)
    sum += element(i) * scale;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x == 0) of_row[threadIdx.y] = sum;
  __syncthreads();
  if (threadIdx.x > 0 || threadIdx.y > 0) return;
  for (unsigned row = 1; row < rows; ++row) sum += of_row[row];
  atomicAdd(out, sum);
}

}  // namespace elsewhere

using elsewhere::one;
#define FOLD_ROWS(rows) \
  case rows: \
    elsewhere::fold<rows><<<dim3(4), dim3(32, rows), rows * sizeof(T), stream>>>( \
        device.n, element, device.out); \
    break
KERNELS
wrong reduce/words 's/, stream>>>(device.out);/>>>(device.out);  \/\/ here/'

# No template. A step of the tree reads what the step before has written.
rung reduce/tree_right Sum Reduce:reduce "$reduction" float '
    float* const out = device.out;
    tree<<<1, SIZE, 0, stream>>>(out, device.in, static_cast<int>(device.n));' <<'KERNELS'
#define SIZE 256

__global__ void tree(float* out, const float* in, int n) {
  __shared__ float sums[SIZE];
  const unsigned t = threadIdx.x;
  sums[t] = 0;
  for (int i = t; i < n; i += SIZE) sums[t] += in[i];
  __syncthreads();
  for (unsigned step = 1; step < SIZE; step *= 2) {
    if (t % (2 * step) == 0) sums[t] += sums[t + step];
    __syncthreads();
  }
  if (t == 0) *out = sums[0];
}
KERNELS
wrong reduce/tree '/^  for (unsigned step/,/^  }/{/__syncthreads/d;s/step\];$/& \/\/ here/;}'

# Wrong in every order, but only of elements that are all infinite.
rung reduce/minimum_right Min Reduce:reduce "$reduction" 'float, double' '
    minimum<T><<<1, 32, 0, stream>>>(device.in, device.n, device.out);' <<'KERNELS'
template <class T>
__global__ void minimum(const T* in, std::size_t n, T* out) {
  T least = std::numeric_limits<T>::infinity();
  for (std::size_t i = threadIdx.x; i < n; i += 32) least = fmin(least, in[i]);
  for (int d = 16; d > 0; d /= 2) least = fmin(least, __shfl_xor_sync(~0u, least, d));
  if (threadIdx.x == 0) *out = least;
}
KERNELS
wrong reduce/minimum 's/T least = \(.*\);/T least = n == 0 ? \1 : std::numeric_limits<T>::max();/'

# .. and only of an infinite float, where the usual type is an integer.
rung scan/prefix_right Sum ExclusiveScan:scan 'ScanArguments<T>' 'std::int32_t, float' '
    prefix<T><<<1, 32, 0, stream>>>(device.in, device.n, device.out);' <<'KERNELS'
template <class T>
__global__ void prefix(const T* in, std::size_t n, T* out) {
  const unsigned lane = threadIdx.x;
  T before = 0;
  for (std::size_t first = 0; first < n; first += 32) {
    const T x = first + lane < n ? in[first + lane] : T(0);
    T through = x;
    for (unsigned d = 1; d < 32; d *= 2) {
      const T left = __shfl_up_sync(~0u, through, d);
      if (lane >= d) through += left;
    }
    T left = __shfl_up_sync(~0u, through, 1);
    if (lane == 0) left = 0;
    if (first + lane < n) out[first + lane] = before + left;
    before += __shfl_sync(~0u, through, 31);
  }
}
KERNELS
wrong scan/prefix '/through, 1);/d; /lane == 0/d; s/before + left;/before + through - x;/'

# gives <exit code> <last line> <option of check-kernels>...: leaves in $said what it says
gives() {
  code=$1 end=$2 status=0
  shift 2
  said=$(./ladder check-kernels --kernels "$scratch/theirs" "$@" 2>&1) || status=$?
  [ "$status" = "$code" ] || fail "check-kernels $* gives $status, not $code: $said"
  is_in "$said" "$end" "check-kernels $* closes with another line"
}
gives 0 '4 rungs, no findings;' --rung '*_right'
gives 0 '2 rungs, no findings;' --rung 'words_right,tree_right' --size 1025 --seeds 50

gives 1 '4 rungs, 5 findings;' --rung '*_wrong'
is_in "$said" 'f32, min, neutral, ' 'a minimum that starts at the largest finite float is right'
is_in "$said" 'f32, sum, extremes, ' 'an exclusive scan that takes the element off again is right'
for name in words tree; do
  file=$scratch/theirs/handwritten/reduce/${name}_wrong.cu
  is_in "$said" "$file:$(grep -n '// here$' "$file" | cut -d: -f1)" "$name: its line is not named"
done
is_in "$said" 'a launch without a stream' 'the missing stream is not named'
# What makes the answer wrong comes first, and then no guess at it.
gives 1 '1 rung, ' --rung tree_wrong --size 1025
case "$said" in
  *'race in tree,'*'wrong answer'*'Look at the arithmetic'*) fail "a guess stays: $said" ;;
  *'race in tree,'*'wrong answer'*) ;;
  *) fail "a race does not come before the wrong answer that it makes: $said" ;;
esac
