#!/bin/sh
# A kernel has the same name on every architecture. The host's half of a file is compiled once: a
# kernel whose name depends on __CUDA_ARCH__, as by a template argument, is not found on other GPUs.
# Compares the names of kernels that are compiled for several shapes (handwritten/shapes.hpp), of
# few types, which have 2, 4 and 8 bytes.
#
# kernel_names.sh <source folder> <nvcc>
set -eu
cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for rung in handwritten/reduce/gather.cu handwritten/dot/compensated_gather.cu; do
  for architecture in 75 86 90; do # of 1,024, 1,536 and 2,048 threads on a multiprocessor
    "$2" -std=c++20 --expt-relaxed-constexpr -I. -DLADDER_UNIT=unit -DLADDER_FEW_TYPES \
      -arch=compute_$architecture -ptx -o "$scratch/ptx" "$rung"
    grep -o '\.entry [^(]*' "$scratch/ptx" | sort >"$scratch/$architecture"
  done
  [ -s "$scratch/75" ] || { echo "$rung has no kernel"; exit 1; }
  for architecture in 86 90; do
    diff "$scratch/75" "$scratch/$architecture" ||
      { echo "$rung: kernels of sm_75 (<) and sm_$architecture (>)"; exit 1; }
  done
done
