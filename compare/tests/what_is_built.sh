#!/bin/sh
# A command of ./ladder builds what it runs, and CUDA only where a GPU can be used or LADDER_CUDA=on asks for it. ./ladder is asked with tools of straw
# in place of cmake, ninja, nvcc and nvidia-smi; what is in the targets that it then builds, ninja says.
#
# what_is_built.sh <source folder>
set -eu

source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf 'what_is_built: %s\n' "$*" >&2
  exit 1
}

# The tools of straw. "gpu" is there where nvidia-smi finds one.
mkdir "$scratch/tools" "$scratch/build"
tool() { cat >"$scratch/tools/$1" && chmod +x "$scratch/tools/$1"; }
tool nvcc </dev/null
tool nvidia-smi <<TOOL
#!/bin/sh
[ -e "$scratch/gpu" ]
TOOL
tool cmake <<TOOL
#!/bin/sh
gpu=OFF
[ ! -e "$scratch/gpu" ] || gpu=ON
cuda=\$(printf '%s\n' "\$@" | sed -n 's/^-DLADDER_CUDA=//p')
printf 'LADDER_CUDA:BOOL=%s\nLADDER_GPU:INTERNAL=%s\n' "\$cuda" "\$gpu" >"$scratch/build/CMakeCache.txt"
touch "$scratch/build/build.ninja"
echo "configured \$cuda" >>"$scratch/done"
TOOL
tool ninja <<TOOL
#!/bin/sh
shift 2 # -C, the folder
echo "built \$*" >>"$scratch/done"
mkdir -p "$scratch/build/bin"
printf '#!/bin/sh\n' >"$scratch/build/bin/ladder"
chmod +x "$scratch/build/bin/ladder"
TOOL
tool ctest </dev/null

# does <what is expected> [<words of ./ladder>...]: what ./ladder configures and builds, and the last thing it says
does() {
  expected=$1
  shift
  : >"$scratch/done"
  said=$(PATH="$scratch/tools:$PATH" LADDER_BUILD="$scratch/build" "$source/ladder" "$@" 2>&1 >/dev/null) || fail "./ladder $* fails: $said"
  found=$(tr '\n' ';' <"$scratch/done")
  [ "$found" = "$expected" ] || fail "./ladder $* should do \"$expected\", and does \"$found\""
}
says() {
  case "$said" in
    *"$1"*) ;;
    *) fail "it does not say \"$1\", but: $said" ;;
  esac
}
anew() { rm -rf "$scratch/build" && mkdir "$scratch/build"; }
unset LADDER_CUDA LADDER_CMAKE_FLAGS

# No GPU: no CUDA, and a line that says so, once.
does 'configured OFF;built programs;'
says 'no GPU can be used here, so CUDA is not built; LADDER_CUDA=on'
does 'built programs;' run
[ -z "$said" ] || fail "it says so again: $said"
does 'built all;' test
does 'built bin/ladder worker_emulated;' check-kernels
does 'built proof;' prove-clock
for command in report check compare; do does 'built bin/ladder;' "$command"; done
does 'built bin/ladder;' run --help

# A GPU that comes later, a GPU from the start, and a build for another machine's GPU.
touch "$scratch/gpu"
does 'built bin/ladder;' report
does 'configured ON;built programs;'
says 'was built without a GPU; there is one now'
does 'built programs;'
anew
does 'configured ON;built all;' test
rm "$scratch/gpu"
anew
export LADDER_CUDA=on
does 'configured ON;built programs;'
unset LADDER_CUDA
does 'built programs;'
touch "$scratch/gpu"
does 'configured ON;built programs;'
says 'was built without a GPU; there is one now'
export LADDER_CUDA=off
does 'configured OFF;built programs;'
unset LADDER_CUDA

# What is in the targets. One build folder, configured without CUDA.
cmake -S "$source" -B "$scratch/ninja" -G Ninja -DLADDER_CUDA=OFF >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
# of <target>...: what goes into them, into $inputs
of() { inputs=$(ninja -C "$scratch/ninja" -t inputs "$@") || fail "ninja knows no $*"; }
found() { printf '%s\n' "$inputs" | grep -E "$1"; }
has() { found "$1" >/dev/null || fail "no $1 is built where it should be"; }
has_no() { ! found "$1" >/dev/null || fail "it is built where it should not be: $(found "$1" | head -n 5)"; }
of all
has 'rungs_emulated.*\.o$'
has 'driver_tests.*\.o$'
has_no '/cuda/|vendor/.*\.cu'
of programs
has 'rungs_emulated.*\.o$'
has 'rungs_host.*\.o$'
has 'driver/.*main.cpp\.o$'
has_no '/cuda/|/tests/|/proof/'
of bin/ladder worker_emulated
has 'rungs_emulated.*\.o$'
has 'driver/.*main.cpp\.o$'
has_no '/cuda/|/tests/|/proof/|/host/|vendor/'
