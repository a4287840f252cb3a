# The set-up of CUDA, and the compiler of rungs, with tools of straw.
add_test(NAME "CUDA is not lost in silence"
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cuda_setup.sh ${PROJECT_SOURCE_DIR})
add_test(NAME "what is left out for a toolkit and a GPU"
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/left_out.sh ${PROJECT_SOURCE_DIR})
add_test(NAME "only a rung that does not compile is left out"
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/rung_compiler.sh $<TARGET_FILE:rung_compiler>
  ${CMAKE_CXX_COMPILER})
add_test(NAME "the units of rungs are as large as the machine"
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/units.sh ${PROJECT_SOURCE_DIR})
