#!/bin/sh
# Where NCCL comes from: asks compare/cuda/nccl.cmake, with a library of straw.
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
if(TARGET nccl)
  message(STATUS "there is NCCL")
endif()
PROJECT

configured NCCL_ROOT="$scratch/nccl" || fail "it does not configure"
says "found: <$scratch/nccl/include"
says "> <$scratch/nccl/lib/libnccl.so.2>"
says "there is NCCL"

for folder in "$scratch/half" "$scratch/none"; do
  configured NCCL_ROOT="$folder" || fail "it does not configure"
  case "$said" in *"there is NCCL"*) fail "half of NCCL, or none, is taken for it" ;; esac
done
