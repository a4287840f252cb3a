#!/bin/sh
# Where the CCCL beside the toolkit's comes from, and what is said where there is none: asks compare/cuda/cccl.cmake, with headers and a pip of straw.
#
# newer_cccl.sh <source folder>
set -eu

source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf 'newer_cccl: %s\n%s\n' "$*" "$said" >&2
  exit 1
}

header() { mkdir -p "$1/cub" && printf '#define CUB_VERSION %s // as CUB has it\n' "$2" >"$1/cub/version.cuh"; }
header "$scratch/toolkit/cccl" 300001
header "$scratch/newer" 300500
mkdir "$scratch/bin" "$scratch/project"
cat >"$scratch/project/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.25)
project(straw LANGUAGES NONE)
set(PROJECT_SOURCE_DIR $source)
set(CUDAToolkit_INCLUDE_DIRS $scratch/toolkit)
include($source/compare/cuda/cccl.cmake)
message(STATUS "beside \${toolkit_cccl}: <\${newer_cccl}>")
PROJECT
# A pip without a network.
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/python3"
chmod +x "$scratch/bin/python3"

# configured <variable=value>...: what is said goes into $said
configured() {
  rm -rf "$scratch/build"
  said=$(env -u LADDER_CCCL -u LADDER_PYTHON -u LADDER_REQUIRE_TOOLS PATH="$scratch/bin:$PATH" "$@" \
    cmake -S "$scratch/project" -B "$scratch/build" 2>&1)
}
says() {
  case "$said" in
    *"$1"*) ;;
    *) fail "it does not say \"$1\", but:" ;;
  esac
}

configured LADDER_CCCL="$scratch/newer" || fail "a folder of headers is refused"
says 'beside 300001: <300500>'
[ ! -e "$scratch/build/left-out" ] || fail "nothing is left out"
said=$(cmake "$scratch/build" 2>&1)
says 'beside 300001: <300500>' # the folder is remembered

configured A=b || fail "without a network nothing is configured"
says 'beside 300001: <>'
said=$(cat "$scratch/build/left-out")
says 'set LADDER_CCCL to the wheel'
! configured LADDER_REQUIRE_TOOLS=1 || fail "CI goes on without it"

configured LADDER_CCCL="$scratch/toolkit/cccl" || fail "the toolkit's own headers are refused"
says 'beside 300001: <>'
says 'is not newer'

touch "$scratch/nvidia_cuda_cccl.whl"
! configured LADDER_CCCL="$scratch/nvidia_cuda_cccl.whl" || fail "a wheel of any content is taken"
says 'none of the hashes'
