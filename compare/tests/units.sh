#!/bin/sh
# What nvcc compiles together: on few cores the files of a folder; on many the calls of a library,
# and the rungs of an operation without operators. Asks add_rungs of compare/rungs.cmake.
#
# units.sh <source folder>
# shellcheck source=compare/tests/straw_project.sh
. "$(dirname "$0")/straw_project.sh"

bulk=$source/handwritten/scan/waves_bulk.sm90.cccl24.cu
project <<PROJECT
set(PROJECT_SOURCE_DIR $source)
set(LADDER_TOGETHER \$ENV{TOGETHER})
set(LADDER_CORES \$ENV{CORES})
include($source/compare/rungs.cmake)
function(add_library target kind)
  message(STATUS "units: \${ARGN}.")
endfunction()
add_rungs(rungs cuda CUDA $source/handwritten/dot/gather.cu $source/handwritten/scan/waves.cu
  $bulk $source/vendor/scan/cub.cu $source/vendor/scan/cub_run_to_run.cccl35.cu)
get_property(unit SOURCE $bulk PROPERTY COMPILE_DEFINITIONS)
message(STATUS "unit: \${unit}.")
PROJECT

configured TOGETHER=ON CORES=7 || fail "it does not configure"
rungs=$scratch/build/rungs
says "units: $rungs/vendor_scan.cu;$rungs/handwritten_scan.cu;$rungs/handwritten_dot.cu."
[ "$(grep -c '^#include' "$rungs/handwritten_scan.cu")" = 2 ] ||
  fail "the folder is not compiled together"
grep -q '^#define LADDER_UNIT cuda_handwritten_scan_waves_bulk$' "$rungs/handwritten_scan.cu" ||
  fail "a rung has no namespace of its own"
configured TOGETHER=ON CORES=8 || fail "it does not configure"
waves=$source/handwritten/scan/waves.cu
says "units: $rungs/vendor_scan_cub.cu;$bulk;$waves;$rungs/handwritten_dot.cu."
[ "$(grep -c '^#include' "$rungs/vendor_scan_cub.cu")" = 2 ] ||
  fail "the calls of a library are not compiled together"
configured TOGETHER=OFF CORES=2 || fail "it does not configure"
says "units: $source/vendor/scan/cub_run_to_run.cccl35.cu;$source/vendor/scan/cub.cu;$bulk;"
says 'unit: LADDER_UNIT=cuda_handwritten_scan_waves_bulk.'
