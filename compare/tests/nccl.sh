#!/bin/sh
# Where NCCL comes from, and what is said where there is none: asks compare/cuda/nccl.cmake, with a library of straw.
#
# nccl.sh <source folder>
set -eu

source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf 'nccl: %s\n%s\n' "$*" "$said" >&2
  exit 1
}

mkdir -p "$scratch/nccl/include" "$scratch/nccl/lib" "$scratch/half/include" "$scratch/project"
touch "$scratch/nccl/include/nccl.h" "$scratch/nccl/lib/libnccl.so.2" "$scratch/half/include/nccl.h"
cat >"$scratch/project/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.25)
project(straw LANGUAGES NONE)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF) # what this machine has is not asked
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
include($source/compare/cuda/nccl.cmake)
message(STATUS "found: <\${nccl_include}> <\${nccl_library}>")
PROJECT

# configured <folder>: what is said goes into $said
configured() {
  rm -rf "$scratch/build"
  said=$(NCCL_ROOT=$1 cmake -S "$scratch/project" -B "$scratch/build" 2>&1) || fail "it does not configure"
}

configured "$scratch/nccl"
case "$said" in
  *"found: <$scratch/nccl/include"*"> <$scratch/nccl/lib/libnccl.so.2>"*) ;;
  *) fail "it does not find NCCL" ;;
esac
[ ! -e "$scratch/build/left-out" ] || fail "nothing is left out"

for folder in "$scratch/half" "$scratch/none"; do
  configured "$folder"
  [ "$(wc -l <"$scratch/build/left-out")" = 1 ] || fail "it does not say in one line what is left out"
  said=$(cat "$scratch/build/left-out")
  case "$said" in
    *NCCL_ROOT*) ;;
    *) fail "it does not name NCCL_ROOT" ;;
  esac
done
