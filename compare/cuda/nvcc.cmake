# Finds an nvcc that works, and a g++ that it takes. Sets nvcc, and where it has to be named
# CMAKE_CUDA_HOST_COMPILER. An nvcc that does not work ends the configuration with its own words:
# CUDA is not lost in silence.
foreach(named "${CMAKE_CUDA_COMPILER}" "$ENV{CUDACXX}")
  if(named AND NOT nvcc)
    find_program(nvcc ${named} NO_CACHE)
    if(NOT nvcc)
      refuse("the CUDA compiler is set to ${named}, but there is no such program; \
set CUDACXX to an nvcc, or unset it")
    endif()
  endif()
endforeach()
find_program(nvcc nvcc PATHS /usr/local/cuda/bin NO_CACHE)
if(NOT nvcc)
  set(why "there is no nvcc; install a CUDA toolkit, 12.4 or newer, or set CUDACXX to its nvcc")
  if(NOT LADDER_GPU OR "$ENV{LADDER_CUDA}" STREQUAL on)
    refuse("LADDER_CUDA asks for CUDA, but ${why}")
  endif()
  note("CUDA is not built for the GPU of this machine: ${why}.")
  return()
endif()

execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE said ERROR_VARIABLE said
  RESULT_VARIABLE failed)
string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" release "${said}")
set(nvcc_version ${CMAKE_MATCH_1})
if(failed OR NOT release)
  string(REGEX MATCH "[^\n]+" said "${said}${failed}")
  refuse("${nvcc} --version does not say its version, but: ${said}; \
mend the CUDA toolkit, or go without CUDA by LADDER_CUDA=off")
endif()
if(nvcc_version VERSION_LESS 12)
  refuse("${nvcc} is of CUDA ${nvcc_version}, but Kernel Ladder needs CUDA 12 or 13, \
and is tested from 12.4 on; \
set CUDACXX to a newer nvcc, or go without CUDA by LADDER_CUDA=off")
endif()

# nvcc_takes(<variable> <host compiler or nothing>): whether a program of C++20 can be made. What
# nvcc says goes into nvcc_said.
function(nvcc_takes variable host)
  set(trial ${PROJECT_BINARY_DIR}/CMakeFiles/nvcc_works)
  file(WRITE ${trial}.cu "#include <cuda_runtime.h>\n#include <string>\n\
__global__ void kernel() {}\nint main() { kernel<<<1, 1>>>(); return std::string().size(); }\n")
  if(host)
    set(host -ccbin ${host})
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${nvcc} -std=c++20 ${host} -o ${trial}
    ${trial}.cu
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed EQUAL 0)
    set(${variable} ON PARENT_SCOPE)
  else()
    set(${variable} OFF PARENT_SCOPE)
  endif()
  if(NOT said)
    set(said "${failed}")
  endif()
  set(nvcc_said "${said}" PARENT_SCOPE)
endfunction()

if(NOT CMAKE_CUDA_HOST_COMPILER)
  set(CMAKE_CUDA_HOST_COMPILER $ENV{CUDAHOSTCXX})
endif()
nvcc_takes(works "${CMAKE_CUDA_HOST_COMPILER}")
set(nvcc_says "${nvcc_said}")
if(NOT works AND NOT CMAKE_CUDA_HOST_COMPILER)
  foreach(version RANGE 15 11 -1)  # the newest first
    find_program(older g++-${version} NO_CACHE)
    if(older)
      nvcc_takes(works ${older})
      if(works)
        set(CMAKE_CUDA_HOST_COMPILER ${older})
        note("nvcc ${nvcc_version} does not take the default g++, \
so g++-${version} compiles the CPU's part of CUDA files.")
        break()
      endif()
    endif()
    unset(older)
  endforeach()
endif()
if(NOT works)
  string(REGEX MATCH "[^\n]*(error|fatal|ERROR)[^\n]*" line "${nvcc_says}")
  if(NOT line)
    string(REGEX REPLACE "[ \n]+" " " line "${nvcc_says}")
  endif()
  set(to_do "mend the CUDA toolkit")
  if(nvcc_says MATCHES "gcc versions later than ([0-9]+)")
    set(to_do "install g++-${CMAKE_MATCH_1}, or set CUDAHOSTCXX to a g++ that it takes")
  endif()
  string(REGEX REPLACE " The nvcc flag '-allow.*" "" line "${line}")  # which would be no help
  string(STRIP "${line}" line)
  refuse("${nvcc} does not work: ${line}; ${to_do}, or go without CUDA by LADDER_CUDA=off")
endif()
