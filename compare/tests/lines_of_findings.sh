#!/bin/sh
# Every line in a message is one of the user's: of each kind of finding, in kernels launched by
# <<< >>>, whose file is compiled in translation, and in those launched by launch(), whose is not.
# The line that a message has to name ends in "here".
#
# lines_of_findings.sh <source folder> <folder of the built programs>
# shellcheck source=compare/tests/scratch_copy.sh
. "$(dirname "$0")/scratch_copy.sh"

use_own_ladder
keep_one_rung
rungs=$scratch/theirs/handwritten/reduce
mkdir -p "$rungs"

# kernel <name> [<what stands before the launch>] <body of the kernel: a block of 64 threads
kernel() {
  body=$(cat)
  for how in translated plain; do
    template='' launch="$1_kernel<<<1, 64, 0, stream>>>(device.in, device.n, device.out);"
    type=std::int32_t
    if [ "$how" = plain ]; then
      template='template <class T>' type=T
      launch="launch($1_kernel<T>, {1, 64}, stream, device.in, device.n, device.out);"
    fi
    if [ "${2:-}" = launch ]; then launch=$(printf '%s' "$launch" | sed "$3; s|\$| // here|"); fi
    cat >"$rungs/$1_$how.cu" <<RUNG
#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{.idea = "Wrong."};

$template
__global__ void $1_kernel(const $type* in, std::size_t n, $type* out) {
$(printf '%s' "$body" | sed "s/TYPE/$type/g")
}

template <class T, class Op>
  requires(std::is_same_v<Op, Sum>)
struct Wrong {
  typename Reduce<T, Op>::Device device;

  void operator()(Stream stream) {
    $launch
  }
};

const Register<Reduce, Wrong, std::int32_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
RUNG
  done
}

kernel race <<'BODY'
  *out = in[threadIdx.x % n] +  // here
         static_cast<TYPE>(threadIdx.x);
BODY
kernel uninitialised <<'BODY'
  __shared__ TYPE tile[64];
  if (threadIdx.x < 7) tile[threadIdx.x] = in[0];
  if (threadIdx.x == 9) *out = tile[threadIdx.x];  // here
BODY
kernel fault <<'BODY'
  out[n + 64] = 1;  // here
BODY
kernel bounds <<'BODY'
  __shared__ TYPE tile[32];
  tile[threadIdx.x] = in[0];  // here
  __syncthreads();
  *out = tile[0];
BODY
kernel assertion <<'BODY'
  assert(n == 3);  // here
  *out = in[0];
BODY
kernel barrier <<'BODY'
  if (threadIdx.x < 7) __syncthreads();  // here
  else for (int k = 0; k < 2; ++k) __syncthreads();
BODY
kernel shuffle <<'BODY'
  if (threadIdx.x >= 16) return;
  const TYPE other = __shfl_sync(0xffff, in[0], 20);  // here
  if (threadIdx.x == 0) *out = other;
BODY
kernel refused launch 's/64/2000/' <<'BODY'
  *out = in[n - 1];
BODY
kernel elsewhere launch 's/, 0, stream//; s/stream/{}/' <<'BODY'
  *out = in[n - 1];
BODY
kernel in_kernel <<'BODY'
  static_assert(__CUDA_ARCH__ == ARCH);
  void (*kernel)(const TYPE*, std::size_t, TYPE*) = nullptr;
  LAUNCH // here
BODY
sed -i 's/LAUNCH/kernel<<<1, 64>>>(in, n, out);/; s/ARCH)/750)/' "$rungs/in_kernel_translated.cu"
sed -i 's/LAUNCH/launch(kernel, {1, 64}, {}, in, n, out);/; s/ARCH)/900)/' \
  "$rungs/in_kernel_plain.cu"
mv "$rungs/in_kernel_plain.cu" "$rungs/in_kernel_plain.sm90.cu"
kernel warning <<'BODY'
  int unused = 0;  // here
  *out = in[n - 1] * 0;
BODY
kernel error <<'BODY'
  *out = misspelt[n];  // here
BODY
kernel initializer <<'BODY'
  __shared__ TYPE tile[1] = {};  // here
  *out = tile[0];
BODY
kernel events launch 's/^/cudaEvent_t begin; cudaEventCreate(\&begin); /' <<'BODY'
  *out = in[n - 1];
BODY

said=$(./ladder check-kernels --kernels "$scratch/theirs" --size 100 --seeds 1 2>&1) || true
for kind in race 'uninitialised shared memory' 'wrong answer' 'out of bounds' 'divergent barrier' \
  'the assertion n == 3' 'The shuffle in' 'It is launched in' 'a launch without a stream' \
  'not checked: it launches a kernel in a kernel' 'warning: unused variable' \
  'nvcc takes no initializer of a __shared__ variable' 'a rung has no events'; do
  is_in "$said" "$kind" 'a kind of finding is missing'
done
for file in "$rungs"/*.cu; do
  line=$(grep -n 'here$' "$file" | cut -d: -f1)
  is_in "$said" "$file:$line" "$(basename "$file"): its line $line is not named"
done
case "$said" in
  *.o.cpp:* | *compare/emulated*) fail "a file that is not the user's is named: $said" ;;
esac

# Nothing else is there: that is no usage error. A byte order mark changes nothing.
find "$rungs" -type f ! -name 'error_*' ! -name 'in_kernel_*' -delete
for file in "$rungs"/*; do
  printf '\357\273\277' >"$scratch/marked" && cat "$file" >>"$scratch/marked"
  mv "$scratch/marked" "$file"
done
expect() {
  status=0
  said=$(./ladder check-kernels --kernels "$scratch/theirs" --quick 2>&1) || status=$?
  [ "$status" = "$1" ] || fail "check-kernels gives $status, not $1: $said"
  is_in "$said" "$2" 'check-kernels closes with another line'
}
mv "$rungs"/in_kernel_* "$scratch"
expect 1 '0 rungs, no findings, 2 files left out'
rm "$rungs"/*
mv "$scratch"/in_kernel_* "$rungs"
expect 0 '2 rungs, no findings, 2 not checked'
