#!/bin/sh
# What nvcc compiles together: on few cores the rungs of a folder, on many each rung alone. Asks add_rungs of compare/rungs.cmake.
#
# units.sh <source folder>
# shellcheck source=compare/tests/straw_project.sh
. "$(dirname "$0")/straw_project.sh"

project <<PROJECT
set(LADDER_TOGETHER \$ENV{TOGETHER})
set(LADDER_CORES \$ENV{CORES})
include($source/compare/rungs.cmake)
function(add_library target kind)
  message(STATUS "units: \${ARGN}.")
endfunction()
add_rungs(rungs cuda CUDA $source/handwritten/dot/gather.cu $source/handwritten/scan/waves.cu $source/handwritten/scan/waves_bulk.sm90.cccl24.cu)
get_property(unit SOURCE $source/handwritten/scan/waves_bulk.sm90.cccl24.cu PROPERTY COMPILE_DEFINITIONS)
message(STATUS "unit: \${unit}.")
PROJECT

configured TOGETHER=ON CORES=7 || fail "it does not configure"
says "units: $scratch/build/rungs/handwritten_scan.cu;$scratch/build/rungs/handwritten_dot.cu."
[ "$(grep -c '^#include' "$scratch/build/rungs/handwritten_scan.cu")" = 2 ] || fail "the folder is not compiled together"
grep -q '^#define LADDER_UNIT cuda_handwritten_scan_waves_bulk$' "$scratch/build/rungs/handwritten_scan.cu" || fail "a rung has no namespace of its own"
for machine in 'ON 8' 'OFF 2'; do
  configured TOGETHER="${machine% *}" CORES="${machine#* }" || fail "it does not configure"
  says "units: $source/handwritten/scan/waves_bulk.sm90.cccl24.cu;$source/handwritten/scan/waves.cu;$source/handwritten/dot/gather.cu."
  says 'unit: LADDER_UNIT=cuda_handwritten_scan_waves_bulk.'
done
