#!/bin/sh
# What is left out for a toolkit and a GPU, by name and reason: asks compare/cuda/left_out.cmake,
# and compares with the lists in left_out/.
#
# left_out.sh <source folder>
# shellcheck source=compare/tests/straw_project.sh
. "$(dirname "$0")/straw_project.sh"

project <<PROJECT
set(PROJECT_SOURCE_DIR $source)
include($source/compare/messages.cmake)
include($source/compare/rungs.cmake)
find_rungs(rungs $source handwritten/*/*.cu vendor/*/*.cu)
find_rungs(kernels $scratch/kernels handwritten/*/*.cu vendor/*/*.cu)
set(architectures \$ENV{ARCHITECTURES})
set(toolkit_cccl \$ENV{CCCL})
set(newer_cccl \$ENV{NEWER})
foreach(library \$ENV{LIBRARIES})
  add_library(\${library} INTERFACE IMPORTED)
endforeach()
include($source/compare/cuda/left_out.cmake)
message(STATUS "rungs <\${rungs}> calls <\${calls}>")
PROJECT
lists() { configured "$@" || fail "it does not configure"; }
# leaves_out <expected list>
leaves_out() {
  expected=$1
  shift
  lists "$@"
  diff "$expected" "$scratch/build/left-out-rungs" || fail "another list is expected, with $*"
}

# Debian 13: CUDA 12.4 without NCCL.
lists_of_debian=$source/compare/tests/left_out
leaves_out "$lists_of_debian/cuda-12.4-sm_75.txt" ARCHITECTURES=75 CCCL=200302 NEWER=300500 \
  LIBRARIES=CUDA::cublas
leaves_out "$lists_of_debian/cuda-12.4-sm_90.txt" ARCHITECTURES=90-real CCCL=200302 NEWER=300500 \
  LIBRARIES=CUDA::cublas
! grep -v '^[a-z]*/[a-z_]*/[a-z0-9_.]*: it needs .' "$lists_of_debian"/*.txt ||
  fail 'a line of the lists is no file with its reason'
while read -r line; do
  said=$(cat "$scratch/build/left-out")
  says "${line%%:*}"
  said=$(cat "$scratch/build/left_out.cpp")
  says "(\"${line%%:*}\", \"${line#*: }\", false)"
done <"$scratch/build/left-out-rungs"

# CUDA 13 with all that there is; the oldest of several GPUs decides.
echo >"$scratch/nothing"
everything='CUDA::cublas;nccl'
leaves_out "$scratch/nothing" ARCHITECTURES=90 CCCL=300001 NEWER=300500 LIBRARIES="$everything"
[ ! -e "$scratch/build/left-out" ] || fail "nothing is left out, and it says something"
lists ARCHITECTURES='120-real;75-virtual' CCCL=300001 NEWER=300500 LIBRARIES="$everything"
grep -q '^handwritten/scan/waves_bulk.*: it needs a GPU of sm_90$' \
  "$scratch/build/left-out-rungs" || fail 'the oldest GPU is forgotten'

# Without a newer CCCL the calls of that one are left out; without cuBLAS its own.
lists ARCHITECTURES=90 CCCL=300001 LIBRARIES=nccl
for call in dot/cub_any_order.cccl35.cu dot/cublas.cu dot/cublas_host.cu; do
  grep -q "^vendor/$call: it needs" "$scratch/build/left-out-rungs" || fail "$call is not left out"
  case "$said" in *"/$call;"*) fail "$call is compiled" ;; esac
done
says /vendor/dot/cub.cu

# A kernel from elsewhere, which needs several things.
mkdir -p "$scratch/kernels/handwritten/reduce"
touch "$scratch/kernels/handwritten/reduce/mine.sm100.cccl42.nccl.cu" \
  "$scratch/kernels/handwritten/reduce/plain.cu"
lists ARCHITECTURES=90 CCCL=300001 NEWER=300500 LIBRARIES=CUDA::cublas
needs='it needs a GPU of sm_100 and CCCL 4.2 (this is 3.0) and NCCL'
grep -q "^handwritten/reduce/mine.sm100.cccl42.nccl.cu: $needs" "$scratch/build/left-out-rungs" ||
  fail "a kernel that needs several things: $(cat "$scratch/build/left-out-rungs")"
! grep plain "$scratch/build/left-out-rungs" || fail 'a kernel that needs nothing is left out'
