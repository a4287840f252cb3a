#!/bin/sh
# CUDA is never lost in silence: asks compare/cuda/nvcc.cmake and compare/cuda/architecture.cmake,
# with an nvcc, a g++ and an nvidia-smi of straw.
#
# cuda_setup.sh <source folder>
# shellcheck source=compare/tests/straw_project.sh
. "$(dirname "$0")/straw_project.sh"

project <<PROJECT
set(PROJECT_SOURCE_DIR $source)
include($source/compare/messages.cmake)
set(CMAKE_IGNORE_PATH "\$ENV{IGNORED}")
set(LADDER_GPU \$ENV{GPU})
set(LADDER_CUDA ON)
set(LADDER_OLDEST_GPU 75)
include($source/compare/cuda/nvcc.cmake)
if(nvcc)
  include($source/compare/cuda/architecture.cmake)
  message(STATUS "<\${nvcc}> <\${CMAKE_CUDA_HOST_COMPILER}> <\${CMAKE_CUDA_ARCHITECTURES}>")
endif()
PROJECT
mkdir "$scratch/tools"
tool() { cat >"$scratch/tools/$1" && chmod +x "$scratch/tools/$1"; }
# It takes a g++ of $TAKES, and where that is "nothing" it lacks its headers.
tool nvcc <<'TOOL'
#!/bin/sh
case "$*" in
  --version) echo "Cuda compilation tools, release ${RELEASE:-12.4}, V${RELEASE:-12.4}.1" && exit ;;
  --list-gpu-arch) printf 'compute_%s\n' 50 75 80 90 90a && exit ;;
esac
gcc=14
case "$*" in *g++-*) gcc=$(echo "$*" | sed 's/.*g++-\([0-9]*\).*/\1/') ;; esac
case "$TAKES" in
  nothing) echo 'cc1plus: fatal error: cuda_runtime.h: No such file or directory' >&2 && exit 1 ;;
  *"$gcc"*) exit 0 ;;
esac
echo 'In file included from cuda_runtime.h:82,' >&2
printf '%s %s\n' 'host_config.h:143:2: error: #error -- unsupported GNU version! gcc versions' \
  "later than ${TAKES##* } are not supported! The nvcc flag '-allow-unsupported-compiler' can" >&2
exit 1
TOOL
tool nvidia-smi <<'TOOL'
#!/bin/sh
printf "$GPUS"
TOOL
for version in 11 12 14 15; do tool "g++-$version" </dev/null; done
export PATH="$scratch/tools:$PATH"
unset CUDACXX CUDAHOSTCXX LADDER_CUDA CMAKE_CUDA_COMPILER

# refuses <part of the sentence> <variable=value>...
refuses() {
  expected=$1
  shift
  ! configured "$@" || fail "it is configured with $*"
  [ -s "$scratch/build/refused" ] || fail "./ladder has no sentence to show"
  said=$(cat "$scratch/build/refused")
  [ "$(wc -l <"$scratch/build/refused")" = 1 ] || fail "it is refused by more than a line"
  says "$expected"
}
# notes <part of the line>: what ./ladder shows
notes() {
  said=$(cat "$scratch/build/left-out" 2>&1)
  says "$1"
}

configured GPU=OFF TAKES=14 || fail "an nvcc that works is refused"
says "<$scratch/tools/nvcc> <> <90>"
[ ! -e "$scratch/build/left-out" ] || fail "there is nothing to say"

# A g++ that it takes is chosen; one that was named stays.
configured GPU=OFF TAKES='11 12' || fail "no older g++ is taken"
says "<$scratch/tools/nvcc> <$scratch/tools/g++-12> <90>"
notes 'nvcc 12.4 does not take the default g++, so g++-12 compiles'
refuses 'gcc versions later than 12 are not supported!' GPU=OFF TAKES='11 12' CUDAHOSTCXX=g++-15
another='set CUDAHOSTCXX to a g++ that it takes, or go without CUDA by LADDER_CUDA=off'
refuses "are not supported!; install g++-10, or $another" GPU=OFF TAKES=10
error='fatal error: cuda_runtime.h: No such file or directory'
refuses "does not work: cc1plus: $error; mend the CUDA toolkit" GPU=OFF TAKES=nothing

# One that is too old, and one that is not there.
refuses 'is of CUDA 11.8, but Kernel Ladder needs CUDA 12 or 13' GPU=OFF RELEASE=11.8
configured GPU=OFF RELEASE=12.0 TAKES=14 || fail "CUDA 12.0 is refused"
refuses 'the CUDA compiler is set to /nowhere/nvcc, but there is no such program' GPU=ON \
  CUDACXX=/nowhere/nvcc
mv "$scratch/tools/nvcc" "$scratch/nvcc"
configured GPU=OFF TAKES=14 CUDACXX="$scratch/nvcc" || fail "CUDACXX is not asked"
says "<$scratch/nvcc> <> <90>"
# with this machine's own nvcc
IGNORED="/usr/local/cuda/bin;$(printf '%s' "$PATH" | tr : ';')" && export IGNORED
refuses 'there is no nvcc; install a CUDA toolkit' GPU=OFF
refuses 'there is no nvcc; install a CUDA toolkit' GPU=ON LADDER_CUDA=on
configured GPU=ON || fail "a GPU without nvcc stops the study on the CPU"
notes 'CUDA is not built for the GPU of this machine: there is no nvcc'
unset IGNORED
mv "$scratch/nvcc" "$scratch/tools/nvcc"

# The GPUs of this machine.
export GPU=ON TAKES=14
configured GPUS='9.0, NVIDIA H200\n7.5, Tesla T4\n' || fail "GPUs that it knows are refused"
says '> <native>'
configured GPUS='' || fail "a driver that does not say which is refused"
says '> <native>'
refuses "this machine's Tesla V100 is of sm_70, but Kernel Ladder needs a GPU of sm_75 or newer" \
  GPUS='7.0, Tesla V100\n'
configured GPUS='7.0, Tesla V100\n8.0, NVIDIA A100\n' ||
  fail "an old GPU beside another one is refused"
says '> <80-real>'
configured GPUS='12.0, NVIDIA GeForce RTX 5090\n' || fail "a GPU that nvcc does not know is refused"
says '> <90-virtual>'
gpu="this machine's NVIDIA GeForce RTX 5090 is of sm_120"
notes "$gpu, which nvcc 12.4 does not know: the driver translates code for sm_90"
configured GPUS='8.7, Orin\n' || fail "a GPU that nvcc does not know is refused"
says '> <80-virtual>'
