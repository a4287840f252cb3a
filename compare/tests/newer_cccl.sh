#!/bin/sh
# Where the CCCL beside the toolkit's comes from, and what is said where there is none: asks
# compare/cccl.cmake and compare/cuda/toolkit_cccl.cmake, with headers and a pip of straw.
#
# newer_cccl.sh <source folder>
# shellcheck source=compare/tests/straw_project.sh
. "$(dirname "$0")/straw_project.sh"

header() {
  mkdir -p "$1/cub" &&
    printf '#define CUB_VERSION %s // as CUB has it\n' "$2" >"$1/cub/version.cuh"
}
header "$scratch/toolkit/cccl" 300001
header "$scratch/newer" 300500
project <<PROJECT
set(PROJECT_SOURCE_DIR $source)
set(CUDAToolkit_INCLUDE_DIRS $scratch/toolkit)
include($source/compare/messages.cmake)
include($source/compare/cccl.cmake)
include($source/compare/cuda/toolkit_cccl.cmake)
message(STATUS "beside \${toolkit_cccl}: <\${newer_cccl}>")
PROJECT
# A pip without a network.
mkdir "$scratch/bin"
python() {
  printf '#!/bin/sh\n%s\n' "$1" >"$scratch/bin/python3" && chmod +x "$scratch/bin/python3"
}
python '[ "$*" = "-m pip --version" ]'
export PATH="$scratch/bin:$PATH"
unset LADDER_CCCL LADDER_PYTHON LADDER_REQUIRE_TOOLS

configured LADDER_CCCL="$scratch/newer" || fail "a folder of headers is refused"
says 'beside 300001: <300500>'
[ ! -e "$scratch/build/left-out" ] || fail "nothing is left out"
said=$(cmake "$scratch/build" 2>&1)
says 'beside 300001: <300500>' # the folder is remembered

configured || fail "without a network nothing is configured"
says 'beside 300001: <>'
said=$(cat "$scratch/build/left-out")
says 'set LADDER_CCCL to the wheel'
[ ! -e "$scratch/build/wanted-packages" ] || fail "it asks for a pip that is there"
! configured LADDER_REQUIRE_TOOLS=1 || fail "CI goes on without it"

python 'exit 1' # without a pip
configured || fail "without pip nothing is configured"
says 'beside 300001: <>'
[ "$(cat "$scratch/build/wanted-packages")" = python3-pip ] || fail "it does not ask for pip"

configured LADDER_CCCL="$scratch/toolkit/cccl" || fail "the toolkit's own headers are refused"
says 'beside 300001: <>'
says 'is not newer'

touch "$scratch/nvidia_cuda_cccl.whl"
! configured LADDER_CCCL="$scratch/nvidia_cuda_cccl.whl" || fail "a wheel of any content is taken"
says 'none of the hashes'
