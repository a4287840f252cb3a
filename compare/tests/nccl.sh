#!/bin/sh
# Where NCCL comes from, and what is said where there is none: asks compare/cuda/nccl.cmake, with a library of straw.
#
# nccl.sh <source folder>
# shellcheck source=compare/tests/straw_project.sh
. "$(dirname "$0")/straw_project.sh"

mkdir -p "$scratch/nccl/include" "$scratch/nccl/lib" "$scratch/half/include"
touch "$scratch/nccl/include/nccl.h" "$scratch/nccl/lib/libnccl.so.2" "$scratch/half/include/nccl.h"
project <<PROJECT
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF) # what this machine has is not asked
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
include($source/compare/cuda/nccl.cmake)
message(STATUS "found: <\${nccl_include}> <\${nccl_library}>")
PROJECT

configured NCCL_ROOT="$scratch/nccl" || fail "it does not configure"
says "found: <$scratch/nccl/include"
says "> <$scratch/nccl/lib/libnccl.so.2>"
[ ! -e "$scratch/build/left-out" ] || fail "nothing is left out"

for folder in "$scratch/half" "$scratch/none"; do
  configured NCCL_ROOT="$folder" || fail "it does not configure"
  [ "$(wc -l <"$scratch/build/left-out")" = 1 ] || fail "it does not say in one line what is left out"
  said=$(cat "$scratch/build/left-out")
  says NCCL_ROOT
done
