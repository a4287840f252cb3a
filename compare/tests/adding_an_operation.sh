#!/bin/sh
# Adding an operation is adding its files: does what docs/adding_an_operation.md says, in a
# scratch copy of the sources, and looks at the result.
#
# adding_an_operation.sh <source folder> <folder of the built programs>
# shellcheck source=compare/tests/scratch_copy.sh
. "$(dirname "$0")/scratch_copy.sh"

# Of the others one operation stays, with one library call, to be built quickly; the driver is the
# one already built.
find handwritten vendor -type f ! -path vendor/sum_of_cubes/std_serial.cpp \
  ! -path vendor/standard_library.hpp ! -path vendor/on_converted.hpp \
  ! -path vendor/requirements.txt -delete
find compare/operations -name '*.cpp' ! -name sum_of_cubes.cpp ! -name exact_sum.cpp -delete

rung=handwritten/adjacent_difference/shared_neighbors
call=vendor/adjacent_difference/std_serial
for file in compare/operations/adjacent_difference.hpp compare/operations/adjacent_difference.cpp \
  $rung.cu $call.cpp; do
  example adding_an_operation.md "$file"
done

# The rung without its barrier: two threads race, and only the checker is sure to see it.
sed '/__syncthreads/d' $rung.cu >handwritten/adjacent_difference/racy.cu
# The rung with its arguments in the wrong order: as many elements, all written, nearly all wrong.
sed 's/difference(tile\[t + 1\], tile\[t\])/difference(tile[t], tile[t + 1])/' $rung.cu \
  >handwritten/adjacent_difference/reversed.cu

build

# Listed, in its place: after sum_of_cubes, with its rung and its call.
listed=$("$programs/ladder" list)
for name in adjacent_difference shared_neighbors std_serial; do
  is_in "$listed" "$name" "$name is not listed"
done
order=$(printf '%s\n' "$listed" | sed -nE 's/^(sum_of_cubes|adjacent_difference) of .*/\1/p')
[ "$(printf %s "$order" | tr '\n' ' ')" = "sum_of_cubes adjacent_difference" ] ||
  fail "adjacent_difference is not listed after sum_of_cubes: $listed"

# Verified, by the checker too.
"$programs/ladder" check-kernels --rung shared_neighbors >"$scratch/log" 2>&1 ||
  fail "$(cat "$scratch/log")"
! "$programs/ladder" check-kernels --rung racy >"$scratch/log" 2>&1 ||
  fail "no race is found where a barrier is missing: $(cat "$scratch/log")"
agrees() {
  "$programs/verification_tests" \
    "emulated: handwritten/adjacent_difference/$1 agrees with every library" >"$scratch/log" 2>&1
}
agrees shared_neighbors || fail "$(cat "$scratch/log")"
! agrees reversed || fail "a wrong rung agrees with every library: $(cat "$scratch/log")"
"$programs/verification_tests" "host: $call gives the exact answer" >"$scratch/log" 2>&1 ||
  fail "$(cat "$scratch/log")"

# Run, and held against the ceiling of a copy. From the cache, whose ceilings every machine has.
"$programs/ladder" run --operation adjacent_difference --backend host --dtype i32 --size 16384 \
  --cache warm --rung std_serial --out "$scratch/out" \
  >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
cat >"$scratch/read.cmake" <<'CMAKE'
file(READ ${RESULTS} results)
string(JSON cell GET ${results} cells 0)
string(JSON verdict GET ${cell} outcome verdict)
string(JSON read GET ${cell} minimum_bytes read)
string(JSON written GET ${cell} minimum_bytes written)
string(JSON bandwidth GET ${cell} measured timing bandwidth_gbps median)
string(JSON percent GET ${cell} measured timing percent_of_ceiling)
string(JSON last LENGTH ${results} ceilings)
math(EXPR last "${last} - 1")
foreach(k RANGE ${last})
  string(JSON access GET ${results} ceilings ${k} access)
  string(JSON memory GET ${results} ceilings ${k} memory)
  string(JSON ${access}_${memory} GET ${results} ceilings ${k} bandwidth_gbps)
endforeach()
set(found "${verdict} ${read} ${written} ${bandwidth} ${percent} ${copy_cache}")
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${found}")
CMAKE
found=$(cmake -DRESULTS="$scratch/out/results.json" -P "$scratch/read.cmake") ||
  fail "results.json has no such cell"
is_in "$found" "pass 65536 65536 " \
  "it is not verified, or not said to read and write 4 bytes an element"
printf '%s\n' "$found" | awk '{
    expected = 100 * $4 / $6
    exit !($4 > 0 && $5 > expected * 0.999 && $5 < expected * 1.001)
  }' ||
  fail "it is not held against the ceiling of a copy (verdict, bytes read and written, bandwidth," \
    "percent of the ceiling, ceiling of a copy): $found"
