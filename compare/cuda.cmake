# CUDA, where there is an nvcc. Without one, the study runs on the CPU alone.
include(CheckLanguage)
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
  set(ENV{CUDACXX} /usr/local/cuda/bin/nvcc)
endif()
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  return()
endif()

# The GPU of this machine; without one, the one that the published results come from.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE no_gpu OUTPUT_QUIET ERROR_QUIET)
  if(no_gpu)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  else()
    set(CMAKE_CUDA_ARCHITECTURES native)
  endif()
endif()

enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)  # after enable_language, whose own trial would already ask for it
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)  # CMake before 3.25.2 does not know it for nvcc
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
# nvcc's list of its host compiler's own folders is short; -isystem /usr/include would hide the C headers from the C++ ones.
list(APPEND CMAKE_CUDA_IMPLICIT_INCLUDE_DIRECTORIES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
find_package(CUDAToolkit REQUIRED)
