set(LADDER_OLDEST_GPU 75)  # of those that rungs run on: sm_75

# CUDA, where a GPU can be used or LADDER_CUDA asks for it. Without it, the study runs on the CPU
# alone.
execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE no_gpu OUTPUT_QUIET ERROR_QUIET TIMEOUT 20)
if(no_gpu)
  set(LADDER_GPU OFF CACHE INTERNAL "A GPU could be used when this folder was configured")
else()
  set(LADDER_GPU ON CACHE INTERNAL "A GPU could be used when this folder was configured")
endif()
option(LADDER_CUDA "Build the cuda backend" ${LADDER_GPU})
if(LADDER_CUDA)
  include(compare/cuda/nvcc.cmake)
endif()
set(LADDER_NVCC "${nvcc}" CACHE INTERNAL "The nvcc of this build")
if(NOT nvcc)
  # of an earlier build: the driver would run it
  file(REMOVE ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/worker_cuda
    ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/kernels/worker_cuda)
  return()
endif()
set(CMAKE_CUDA_COMPILER ${nvcc})
if(NOT CMAKE_CUDA_ARCHITECTURES)
  include(compare/cuda/architecture.cmake)
endif()

enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)  # after enable_language, whose own trial would already ask for it
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
# CMake before 3.25.2 does not know it for nvcc
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
# nvcc's list of its host compiler's own folders is short; -isystem /usr/include would hide the C
# headers from the C++ ones.
list(APPEND CMAKE_CUDA_IMPLICIT_INCLUDE_DIRECTORIES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
# nvcc's g++ may be older than the one that links. Its C++ library would come first, and libraries
# such as TBB need the newer one.
list(FILTER CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES EXCLUDE REGEX "/gcc/")
find_package(CUDAToolkit REQUIRED)
