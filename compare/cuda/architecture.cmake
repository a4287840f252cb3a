# For which GPUs the CUDA code is compiled, where CMAKE_CUDA_ARCHITECTURES does not say it: for
# those of this machine; without one, for the one that the published results come from. Sets
# CMAKE_CUDA_ARCHITECTURES.
if(NOT LADDER_GPU)
  set(CMAKE_CUDA_ARCHITECTURES 90)
  return()
endif()

# "9.0, NVIDIA H200", a line each; nothing where a driver is too old to say it
execute_process(COMMAND nvidia-smi --query-gpu=compute_cap,name --format=csv,noheader
  OUTPUT_VARIABLE said ERROR_QUIET TIMEOUT 20)
string(REGEX MATCHALL "[0-9]+\\.[0-9]+, [^\n]*" gpus "${said}")
execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE said ERROR_QUIET)
string(REGEX MATCHALL "compute_[0-9]+" known "${said}")
list(TRANSFORM known REPLACE "compute_" "")
list(SORT known COMPARE NATURAL)

foreach(gpu IN LISTS gpus)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+), (.*)$" gpu "${gpu}")
  set(capability ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
  set(gpu "this machine's ${CMAKE_MATCH_3} is of sm_${capability}")
  set(nearest "")
  foreach(one IN LISTS known)
    if(NOT one GREATER capability)
      set(nearest ${one})
    endif()
  endforeach()
  if(capability LESS LADDER_OLDEST_GPU)
    set(too_old
      "${gpu}, but Kernel Ladder needs a GPU of \
sm_${LADDER_OLDEST_GPU} or newer; go without CUDA by LADDER_CUDA=off")
  elseif(nearest EQUAL capability)
    list(APPEND CMAKE_CUDA_ARCHITECTURES ${capability}-real)
  elseif(nearest)
    list(APPEND CMAKE_CUDA_ARCHITECTURES ${nearest}-virtual)
    set(unknown "${gpu}, which nvcc ${nvcc_version} does not know: \
the driver translates code for sm_${nearest}. \
A newer CUDA toolkit compiles for the GPU itself.")
  endif()
endforeach()
list(REMOVE_DUPLICATES CMAKE_CUDA_ARCHITECTURES)
if(too_old AND NOT CMAKE_CUDA_ARCHITECTURES)
  refuse("${too_old}")
endif()
if(unknown)
  note("${unknown}")
elseif(NOT CMAKE_CUDA_ARCHITECTURES OR NOT (too_old OR CMAKE_VERSION VERSION_LESS 3.24))
  set(CMAKE_CUDA_ARCHITECTURES native)
endif()
