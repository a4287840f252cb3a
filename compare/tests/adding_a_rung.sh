#!/bin/sh
# Adding a rung is adding one file: does what docs/adding_a_rung.md says, in a scratch copy
# of the sources, and looks at the result.
#
# adding_a_rung.sh <source folder> <folder of the built programs>
# shellcheck source=compare/tests/scratch_copy.sh
. "$(dirname "$0")/scratch_copy.sh"

keep_one_rung # the driver is the one already built

example adding_a_rung.md handwritten/reduce/strided_block.cu

# A second rung with the same names inside, which is wrong by one: if the linker took one kernel for
# both, both would be right or both wrong.
sed 's/\*out = tile\[0\]/*out = op(tile[0], T(1))/' handwritten/reduce/strided_block.cu \
  >handwritten/reduce/strided_block_wrong.cu

# A library call, likewise.
sed 's/\.idea = "[^"]*"/.idea = "A second call."/' vendor/reduce/std_serial.cpp \
  >vendor/reduce/std_again.cpp

# A third one that does not compile, for what is in a header.
sed 's/op(value, in/op(value, nothing/' handwritten/reduce/strided_block.cu \
  >handwritten/reduce/refused.hpp
echo '#include "handwritten/reduce/refused.hpp"' >handwritten/reduce/refused.cu

build
listed=$("$programs/ladder" list 2>"$scratch/log")
for name in strided_block strided_block_wrong std_again; do
  is_in "$listed" "$name" "$name is not listed"
done
said=$(cat "$scratch/log")
is_in "$said" 'handwritten/reduce/refused.cu is left out on the emulated backend' \
  'a file that does not compile is not named'
is_in "$said" 'handwritten/reduce/refused.hpp:' 'the place of the error is not named'
! "$programs/ladder" check-kernels --quick --rung strided_block >"$scratch/log" 2>&1 ||
  fail "a file that does not compile leaves check-kernels content"
is_in "$(cat "$scratch/log")" '1 rung, no findings' \
  'one file that does not compile stops the others'
! "$programs/verification_tests" 'emulated: handwritten/reduce/refused.cu compiles' \
  >"$scratch/log" 2>&1 || fail "no test fails for it"
sed 's/strided_block/refused/g' handwritten/reduce/strided_block.cu >handwritten/reduce/refused.hpp
build
is_in "$("$programs/ladder" list 2>&1)" 'refused  ' 'a file that is mended is still left out'
rm handwritten/reduce/refused.*
build

status=0
"$programs/ladder" run --operator sum --dtype i32 --size 1000 --timeout 600 --out "$scratch/out" \
  >"$scratch/log" 2>&1 || status=$?
[ "$status" = 1 ] ||
  fail "a wrong rung must end the run with exit code 1, not $status: $(cat "$scratch/log")"
cat >"$scratch/verdicts.cmake" <<'CMAKE'
file(READ ${RESULTS} results)
string(JSON last LENGTH ${results} cells)
math(EXPR last "${last} - 1")
foreach(k RANGE ${last})
  string(JSON rung GET ${results} cells ${k} who rung)
  string(JSON verdict GET ${results} cells ${k} outcome verdict)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${rung} ${verdict}")
endforeach()
CMAKE
verdicts=$(cmake -DRESULTS="$scratch/out/results.json" -P "$scratch/verdicts.cmake") ||
  fail "results.json has no verdicts"
verdict() { printf '%s\n' "$verdicts" | sed -n "s/^$1 //p" | sort -u; } # of all cells of a rung
[ "$(verdict strided_block)" = pass ] || fail "strided_block must be verified; verdicts: $verdicts"
[ "$(verdict strided_block_wrong)" = fail ] ||
  fail "strided_block_wrong must be caught; verdicts: $verdicts"
[ "$(verdict std_again)" = pass ] || fail "std_again must be verified; verdicts: $verdicts"
grep -q 'strided_block_wrong' "$scratch/out/report.md" ||
  fail "the report does not show strided_block_wrong"

tests=$("$programs/verification_tests" --list-test-names-only || true)
is_in "$tests" "vendor/reduce/std_again gives the exact answer" "the new library call has no test"
agrees() {
  "$programs/verification_tests" "emulated: handwritten/reduce/$1 agrees with every library" \
    >"$scratch/log" 2>&1
}
is_in "$tests" "handwritten/reduce/strided_block agrees with every library" \
  "the new rung is not held to the libraries by a test"
agrees strided_block || fail "$(cat "$scratch/log")"
! agrees strided_block_wrong || fail "a wrong rung agrees with every library: $(cat "$scratch/log")"

# Two registrations under one name are refused, by a sentence that names the file.
sed -i '/^const Register/ { p; s/ rung{/ again{/ }' handwritten/reduce/strided_block.cu
build
status=0
said=$("$programs/ladder" list 2>&1) || status=$?
[ "$status" = 2 ] ||
  fail "a duplicate registration must be refused with exit code 2, not $status: $said"
is_in "$said" "handwritten/reduce/strided_block" "the refusal does not name the rung"
