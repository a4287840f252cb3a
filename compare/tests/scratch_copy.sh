# shellcheck shell=sh
# A scratch copy of the sources, for tests that do what docs/ says. Sourced by scripts
# that are called with
#
#   <source folder> <folder of the built programs>
#
# and end up in the copy, with LADDER_WORKERS set to the folder that build() builds worker programs
# in.
set -eu

source=$1
# shellcheck disable=SC2034  # the scripts use it
programs=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2
  exit 1
}

mkdir "$scratch/tree"
(cd "$source" && cp -R CITATION.cff CMakeLists.txt CONTRIBUTING.md ladder docs compare handwritten \
  vendor reports "$scratch/tree")
cd "$scratch/tree"
export LADDER_WORKERS="$scratch/build/bin"
for headers in "${programs%/bin}"/cccl/*/nvidia/cu13/include/cccl; do # not fetched again
  if [ -z "${LADDER_CCCL:-}" ] && [ -d "$headers" ]; then export LADDER_CCCL="$headers"; fi
done

# One rung and one library call stay, to be built quickly.
keep_one_rung() {
  find handwritten vendor -type f ! -path handwritten/reduce/serial.cu \
    ! -path vendor/reduce/std_serial.cpp ! -path vendor/standard_library.hpp \
    ! -path vendor/on_converted.hpp \
    ! -path vendor/requirements.txt -delete
}

# What the build of the sources has compiled is taken from there.
reuse="-DCMAKE_CXX_COMPILER_LAUNCHER=$source/compare/tests/reuse_object.sh;${programs%/bin}"

# From here on ./ladder is that of the copy, and builds there.
use_own_ladder() {
  export LADDER_CUDA=off LADDER_CMAKE_FLAGS="$reuse"
  unset LADDER_WORKERS LADDER_BUILD
}

build() {
  if ! { cmake -S . -B "$scratch/build" -G Ninja -DLADDER_CUDA=OFF "$reuse" &&
    ninja -C "$scratch/build" worker_emulated worker_host; } >"$scratch/log" 2>&1; then
    cat "$scratch/log" >&2
    fail "the scratch copy does not build"
  fi
}

# is_in <text> <what to find> <message>
is_in() {
  case "$1" in
    *"$2"*) ;;
    *) fail "$3; got: $1" ;;
  esac
}

# example <page> <path>: takes the file out of a page of docs/, word for word: the code that follows
# the sentence with its path.
example() {
  mkdir -p "$(dirname "$2")"
  awk -v path="\`$2\`" '
    index($0, path) { named = 1 }
    inside && /^```$/ { exit }
    inside
    named && /^```cpp$/ { inside = 1 }
  ' "docs/$1" >"$2"
  [ -s "$2" ] || fail "docs/$1 has no $2"
}
