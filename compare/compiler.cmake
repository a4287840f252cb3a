# The emulated backend needs what g++ alone instruments. The fuzz targets, and the tests under the
# sanitizers, are built without it.
if(NOT LADDER_FUZZ AND (NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
  OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11))
  refuse("the compiler is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} \
(${CMAKE_CXX_COMPILER}), but Kernel Ladder is compiled by g++ 11 or newer; \
install one, and set CXX to it")
endif()
