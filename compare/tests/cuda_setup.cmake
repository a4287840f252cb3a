# The set-up of CUDA, and the compiler of rungs, with tools of straw.
script_test("CUDA is not lost in silence" cuda_setup.sh ${PROJECT_SOURCE_DIR})
script_test("what is left out for a toolkit and a GPU" left_out.sh ${PROJECT_SOURCE_DIR})
script_test("only a rung that does not compile is left out" rung_compiler.sh
  $<TARGET_FILE:rung_compiler> ${CMAKE_CXX_COMPILER})
script_test("the units of rungs are as large as the machine" units.sh ${PROJECT_SOURCE_DIR})
