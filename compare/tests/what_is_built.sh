#!/bin/sh
# A command of ./ladder builds what it runs, and CUDA only where a GPU can be used or LADDER_CUDA=on
# asks for it. ./ladder is asked with tools of straw in place of cmake, ninja, nvcc and nvidia-smi;
# what is in the targets that it then builds, ninja says.
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
case "\$*" in
  *-P*which_programs.cmake)
    [ "\$LADDER_PATTERN" = nothing ] || printf 'driver_tests\nprograms\n'
    exit
    ;;
esac
gpu=OFF
[ ! -e "$scratch/gpu" ] || gpu=ON
cuda=\$(printf '%s\n' "\$@" | sed -n 's/^-DLADDER_CUDA=//p')
kernels=\$(printf '%s\n' "\$@" | sed -n 's/^-DLADDER_KERNELS=//p')
tests=\$(printf '%s\n' "\$@" | sed -n 's/^-DLADDER_TESTS=//p')
cat >"$scratch/build/CMakeCache.txt" <<CACHE
LADDER_CUDA:BOOL=\$cuda
LADDER_GPU:INTERNAL=\$gpu
LADDER_KERNELS:PATH=\$kernels
LADDER_TESTS:BOOL=\$tests
LADDER_NVCC:INTERNAL=nvcc
CMAKE_HOME_DIRECTORY:INTERNAL=$source
CMAKE_CACHEFILE_DIR:INTERNAL=$scratch/build
CACHE
touch "$scratch/build/build.ninja"
[ "\$tests" = ON ] || tests=
echo "configured \$cuda\${tests:+, tests}" >>"$scratch/done"
TOOL
tool ninja <<TOOL
#!/bin/sh
shift 2 # -C, the folder
echo "built \$*" >>"$scratch/done"
mkdir -p "$scratch/build/bin"
printf '#!/bin/sh\n' >"$scratch/build/bin/ladder"
chmod +x "$scratch/build/bin/ladder"
TOOL
tool ctest <<TOOL
#!/bin/sh
if [ "\$3" = -N ]; then # --test-dir, the folder, -N: it lists
  [ "\$5" != nothing ] && echo 'Total Tests: 10' || echo 'Total Tests: 0'
  exit
fi
shift 6 # --test-dir, the folder, --output-on-failure, --no-tests=error, -j, the number
printf 'tested' >>"$scratch/done"
printf ' %s' "\$LADDER_REQUIRE_GPU" "\$@" >>"$scratch/done"
echo >>"$scratch/done"
TOOL

# in_straw <build folder> <command>...
in_straw() {
  folder=$1
  shift
  PATH="$scratch/tools:$PATH" LADDER_BUILD="$scratch/$folder" "$@"
}

# does <what is expected> [<words of ./ladder>...]: what ./ladder configures and builds, and the
# last thing it says
does() {
  expected=$1
  shift
  : >"$scratch/done"
  said=$(in_straw build "$source/ladder" "$@" 2>&1 >/dev/null) || fail "./ladder $* fails: $said"
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
unset LADDER_BUILD LADDER_CUDA LADDER_CMAKE_FLAGS LADDER_REQUIRE_GPU CXX

# No GPU: no CUDA, and a line that says so, once.
does 'configured OFF;built programs;'
says 'no GPU can be used here, so CUDA is not built; LADDER_CUDA=on'
does 'built programs;' run
does 'built programs;' reproduce
[ -z "$said" ] || fail "it says so again: $said"
does 'configured OFF, tests;built all;tested ;' test
does 'built build.ninja;built driver_tests programs;tested  -R scan -j 3 -VV;' test -R scan -j 3 -VV
says 'building driver_tests, programs'
does 'built all;tested  -R scan --rerun-failed;' test -R scan --rerun-failed # ctest ignores -R then
does 'built all;tested 1 -N -R --help --schedule-random a b;' test -N --require-gpu -R --help -- \
  --schedule-random 'a b'
: >"$scratch/done"
! said=$(in_straw build "$source/ladder" test -R nothing 2>&1) ||
  fail "it succeeds where no test matches"
says 'ladder: no test matches these options: -R nothing; ./ladder test -N lists all tests'
[ "$(cat "$scratch/done")" = 'built build.ninja' ] || fail "where no test matches, it builds"
does 'built bin/ladder worker_emulated;' check-kernels
does 'built proof;' prove-clock
for command in report check compare completion; do does 'built bin/ladder;' "$command"; done
does 'built bin/ladder;' run --help
for command in -h --help --version; do does '' "$command"; done # these need no build
does 'built bin/ladder;' lits

# Two at a time: the second waits for the first.
exec 8>"$scratch/build/lock"
flock 8
: >"$scratch/done"
: >"$scratch/waits"
PATH="$scratch/tools:$PATH" LADDER_BUILD="$scratch/build" "$source/ladder" list 2>"$scratch/waits" \
  >/dev/null 8>&- &
until grep -q 'another ./ladder builds in .*; waiting for it' "$scratch/waits"; do
  [ ! -s "$scratch/done" ] || fail "it does not wait: $(cat "$scratch/done")"
  sleep 0.1
done
[ ! -s "$scratch/done" ] || fail "it builds beside another one: $(cat "$scratch/done")"
exec 8>&-
wait "$!" || fail "having waited, it fails: $(cat "$scratch/waits")"
[ "$(cat "$scratch/done")" = 'built programs' ] ||
  fail "having waited, it does $(cat "$scratch/done")"

# A build folder that was moved here, or copied, or whose checkout was: nothing in it is right.
for entry in CMAKE_HOME_DIRECTORY CMAKE_CACHEFILE_DIR; do
  sed -i "s|^$entry:.*|$entry:INTERNAL=$scratch/tools|" "$scratch/build/CMakeCache.txt"
  touch "$scratch/build/.ninja_log"
  does 'configured OFF, tests;built programs;' run
  says "was built for $scratch/tools; building anew"
  [ ! -e "$scratch/build/.ninja_log" ] || fail "what was built there is still taken"
done
does 'built programs;' run

# Another compiler than that of the build, and one that was refused.
echo "CMAKE_CXX_COMPILER:FILEPATH=$(command -v sh)" >>"$scratch/build/CMakeCache.txt"
does 'built programs;' run
export CXX=true
does 'configured OFF, tests;built programs;' run
says "was configured for $(command -v sh); building anew"
unset CXX
echo "CMAKE_CXX_COMPILER:FILEPATH=$(command -v sh)" >>"$scratch/build/CMakeCache.txt"
echo 'the compiler is Clang' >"$scratch/build/refused"
does 'configured OFF, tests;built programs;' run

# What was half unpacked is thrown away, and built is nothing in a folder that is somebody's.
mkdir -p "$scratch/build/packages/usr" "$scratch/build/packages/apt"
does 'built programs;' run
[ ! -e "$scratch/build/packages" ] || fail "half of the packages is taken for all"
mkdir -p "$scratch/home/packages" "$scratch/other"
touch "$scratch/home/packages/thesis"
echo 'CMAKE_PROJECT_NAME:STATIC=other' >"$scratch/other/CMakeCache.txt"
for folder in home other; do
  ! said=$(in_straw "$folder" "$source/ladder" run 2>&1) || fail "it builds in somebody's folder"
  says 'set LADDER_BUILD to a new or an empty folder'
done
[ "$(cd "$scratch" && find home other -type f | sort | tr '\n' ' ')" = \
  'home/packages/thesis other/CMakeCache.txt ' ] || fail "somebody's files have changed"

# The lock of a run that has just begun, or was killed then, is no file of somebody's.
anew
touch "$scratch/build/lock"
does 'configured OFF;built programs;' run
does 'configured OFF, tests;built all;tested ;' test

# A build folder where nothing can run. Only root may mount one.
if mkdir "$scratch/noexec" && mount -t tmpfs -o noexec none "$scratch/noexec" 2>/dev/null; then
  ! said=$(in_straw noexec "$source/ladder" 2>&1) || fail "it builds where nothing can run"
  umount "$scratch/noexec"
  says 'mounted noexec; set LADDER_BUILD'
fi

# A driver that hangs is given up.
tool timeout <<TOOL
#!/bin/sh
exit 124
TOOL
does 'built programs;' run
does 'built all;tested ;' test
says 'nvidia-smi did not answer'
rm "$scratch/tools/timeout"

# With the kernels of a folder: programs of their own, which a command without them leaves as they
# are.
mkdir -p "$scratch/my kernels/handwritten/reduce" "$scratch/others/vendor/reduce"
touch "$scratch/my kernels/handwritten/reduce/mine.cu" "$scratch/others/vendor/reduce/theirs.cpp"
does 'configured OFF, tests;built programs_with_kernels;' --kernels "$scratch/my kernels"
does 'built programs_with_kernels;' list "--kernels=$scratch/my kernels"
does 'built bin/ladder worker_emulated_with_kernels;' check-kernels --quick --kernels \
  "$scratch/my kernels"
does 'built tests_of_kernels;tested  -R mine;' test --kernels "$scratch/my kernels" -R mine
does 'built programs;' run
does 'built all;tested ;' test
does 'built programs_with_kernels;' reproduce x --kernels "$scratch/my kernels"
does 'configured OFF, tests;built programs_with_kernels;' run --kernels "$scratch/others"
does 'built bin/ladder;' run --kernels "$scratch/nowhere" --help

# A word that `test` does not know is refused before anything is built.
refuses() {
  expected=$1
  shift
  : >"$scratch/done"
  ! said=$(in_straw build "$source/ladder" "$@" 2>&1) || fail "./ladder $* succeeds: $said"
  says "$expected"
  [ ! -s "$scratch/done" ] || fail "./ladder $* builds, and then says: $said"
}
refuses 'no option "--reqire-gpu"; ./ladder test --help lists them' test --reqire-gpu
refuses 'no option "scan"' test scan
refuses 'no option "-?[31m"' test "$(printf '%b' '-\033[31m')" # nothing commands the terminal
refuses 'the value of -R is missing' test -N -R
LADDER_BUILD=$scratch/build "$source/ladder" test --help | awk 'length > 80 { exit 1 }' ||
  fail "./ladder test --help is wider than 80 columns"

# A checkout that is built, and that this user may only read. Root may write everywhere: it becomes
# nobody.
mkdir -p "$scratch/theirs/build/bin"
mkdir "$scratch/theirs/compare"
cp "$source/ladder" "$scratch/theirs"
cp "$source/compare/packages.sh" "$scratch/theirs/compare"
printf '#!/bin/sh\necho "it runs $*"\n' >"$scratch/theirs/build/bin/ladder"
chmod -R a+rX,a-w "$scratch/theirs"
chmod a+rx "$scratch" "$scratch/theirs/build/bin/ladder"
as_reader() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
  else
    "$@"
  fi
}
for command in check 'report --out elsewhere' run; do
  # shellcheck disable=SC2086  # words
  said=$(as_reader "$scratch/theirs/ladder" $command 2>&1) ||
    fail "nobody can $command in a checkout that is built: $said"
  says "it runs $command"
  says 'what was built there runs as it is'
done
! said=$(as_reader "$scratch/theirs/ladder" test 2>&1) || fail "nobody's tests succeed"
says 'set LADDER_BUILD to a writable folder'
chmod -R u+w "$scratch/theirs"

# A GPU that comes later, a GPU from the start, and a build for another machine's GPU.
touch "$scratch/gpu"
does 'built bin/ladder;' report
does 'configured ON, tests;built programs;'
says 'was built without a GPU; there is one now'
does 'built programs;'
sed -i 's/^LADDER_NVCC:.*/LADDER_NVCC:INTERNAL=/' "$scratch/build/CMakeCache.txt"
does 'configured ON, tests;built programs;'
says 'was built without an nvcc; there is one now'
anew
does 'configured ON, tests;built all;tested ;' test
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
cmake -S "$source" -B "$scratch/ninja" -G Ninja -DLADDER_CUDA=OFF >"$scratch/log" 2>&1 ||
  fail "$(cat "$scratch/log")"
# What is built for the tests with a name. In sources a rung gives its name to its tests.
mkdir "$scratch/build_tools"
cp "$scratch/tools/ninja" "$scratch/tools/ctest" "$scratch/build_tools"
# builds_for <pattern> <target>...
builds_for() {
  pattern=$1
  shift
  : >"$scratch/done"
  PATH="$scratch/build_tools:$PATH" LADDER_BUILD="$scratch/ninja" LADDER_CUDA=off \
    "$source/ladder" test -R "$pattern" >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
  found=$(sed -n 's/^built //p' "$scratch/done" | tr '\n' ';')
  [ "$found" = "build.ninja;$*${*:+;}" ] ||
    fail "for the tests named \"$pattern\" it should build \"$*\", and builds \"$found\""
}
builds_for neighbored_less verification_tests
builds_for 'agrees with every library' verification_tests
builds_for 'is found, and its twin is clean' seeded_tests
builds_for 'a shuffle reads the lane that CUDA says, at every width - float' emulator_tests
builds_for '^a journal' driver_tests
builds_for 'test_reports_NOT_BUILT' test_reports # as ctest calls its tests until then
builds_for 'browser: report.html' write_page
builds_for 'no line has more than 100 columns'
builds_for 'a process for each|^a journal' driver_tests programs
builds_for '(' all # ctest will say what is wrong
# of <target>...: what goes into them, into $inputs
of() { inputs=$(ninja -C "$scratch/ninja" -t inputs "$@") || fail "ninja knows no $*"; }
found() { printf '%s\n' "$inputs" | grep -E "$1"; }
has() { found "$1" >/dev/null || fail "no $1 is built where it should be"; }
has_no() {
  ! found "$1" >/dev/null ||
    fail "it is built where it should not be: $(found "$1" | head -n 5)"
}
of all
has 'rungs_emulated.*\.o$'
has 'driver_tests.*\.o$'
has_no '/cuda/|vendor/.*\.cu\.o$|/proof/'
of proof
has 'proof/.*main.cpp\.o$'
of programs
has 'rungs_emulated.*\.o$'
has 'rungs_host.*\.o$'
has 'driver/.*main.cpp\.o$'
has_no '/cuda/|/tests/|/proof/'
# A first report takes four minutes at most on 2 cores. What is compiled for it beside the rungs and
# the library calls took 25 objects then. The texts of the sources are one more, of 0.3 s.
objects=$(printf '%s\n' "$inputs" | grep '\.o$' | grep -cvE 'handwritten|vendor')
[ "$objects" -le 26 ] || fail "$objects objects are compiled for the programs beside the rungs;" \
    "there were 26: compile sources together"
of bin/ladder worker_emulated
has 'rungs_emulated.*\.o$'
has 'driver/.*main.cpp\.o$'
has_no '/cuda/|/tests/|/proof/|/host/|vendor/.*\.o$'
