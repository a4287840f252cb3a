# What a file of rungs needs stands in its name: <rung>.sm90.cu a GPU of sm_90, <call>.cccl35.cu
# CCCL 3.5, <rung>.nccl.cu NCCL; one may need several. cublas.cu and cublas_<..>.cu need cuBLAS,
# which a toolkit may come without. Leaves in `rungs` and `kernels` what can be compiled with
# toolkit_cccl, sets `calls` to those of CUB and Thrust that can be compiled with newer_cccl, and
# tells of which operations nothing is left.

# leave_out(<files> <reasons> <version of CCCL>): takes what needs something that is not here out of
# the list <files>, and adds "<file>: it needs .." to the list <reasons>. What is here: the
# `architectures` to compile for, the targets nccl and CUDA::cublas, and that CCCL; 300500 is 3.5.0.
function(leave_out its_files its_reasons cccl)
  list(TRANSFORM architectures REPLACE "[^0-9].*" "")  # nothing is left of "all"
  list(SORT architectures COMPARE NATURAL)
  list(GET architectures 0 oldest)
  foreach(file IN LISTS ${its_files})
    string(REGEX REPLACE "^.*/([^/]+/[^/]+/[^/]+)$" "\\1" path ${file})
    set(needs)
    if(path MATCHES "\\.sm([0-9]+)\\." AND NOT oldest GREATER_EQUAL CMAKE_MATCH_1)
      list(APPEND needs "a GPU of sm_${CMAKE_MATCH_1}")
    endif()
    if(path MATCHES "\\.cccl([0-9])([0-9]+)\\.")
      math(EXPR least "${CMAKE_MATCH_1} * 100000 + ${CMAKE_MATCH_2} * 100")
      if(cccl LESS least)
        math(EXPR major "${cccl} / 100000")
        math(EXPR minor "${cccl} / 100 % 1000")
        list(APPEND needs "CCCL ${CMAKE_MATCH_1}.${CMAKE_MATCH_2} (this is ${major}.${minor})")
      endif()
    endif()
    if(path MATCHES "\\.nccl\\." AND NOT TARGET nccl)
      list(APPEND needs "NCCL (nccl.h and libnccl, whose folder NCCL_ROOT names)")
    endif()
    if(path MATCHES "^vendor/[^/]+/cublas[_.]" AND NOT TARGET CUDA::cublas)
      list(APPEND needs "cuBLAS")
    endif()
    if(needs)
      list(REMOVE_ITEM ${its_files} ${file})
      list(JOIN needs " and " needs)
      list(APPEND ${its_reasons} "${path}: it needs ${needs}")
    endif()
  endforeach()
  set(${its_files} ${${its_files}} PARENT_SCOPE)
  set(${its_reasons} ${${its_reasons}} PARENT_SCOPE)
endfunction()

# tell_left_out(<source file> <reason>...): the reasons as registrations, for a worker program to
# list.
function(tell_left_out source)
  list(SORT ARGN)
  set(text "#include \"compare/registry.hpp\"\n\nnamespace {\n\n")
  foreach(reason IN LISTS ARGN)
    string(REGEX REPLACE "^([^:]+): (.*)$" "(\"\\1\", \"\\2\", false)" arguments "${reason}")
    string(REGEX MATCH "^[^:]+" name "${reason}")
    string(MAKE_C_IDENTIFIER "${name}" name)
    string(APPEND text "const ladder::LeftOut ${name}${arguments};\n")
  endforeach()
  file(GENERATE OUTPUT ${source} CONTENT "${text}\n}  // namespace\n")  # not written again as it is
endfunction()

# say_left_out(<reason>...): a line for each file in build/left-out-rungs, and one for each reason
# in what ./ladder shows.
function(say_left_out)
  list(SORT ARGN)
  list(JOIN ARGN "\n" lines)
  file(WRITE ${PROJECT_BINARY_DIR}/left-out-rungs "${lines}\n")
  set(whys ${ARGN})
  list(TRANSFORM whys REPLACE "^[^:]+: it needs " "")
  list(REMOVE_DUPLICATES whys)
  foreach(why IN LISTS whys)
    set(files)
    foreach(reason IN LISTS ARGN)
      if(reason MATCHES "^([^:]+): it needs (.*)$" AND CMAKE_MATCH_2 STREQUAL why)
        list(APPEND files ${CMAKE_MATCH_1})
      endif()
    endforeach()
    list(JOIN files ", " files)
    note("left out on the cuda backend, since it needs ${why}: ${files}")
  endforeach()
endfunction()

set(candidates ${rungs})
leave_out(rungs reasons "${toolkit_cccl}")
leave_out(kernels reasons_of_kernels "${toolkit_cccl}")
if(newer_cccl)
  set(calls ${candidates})
  list(FILTER calls INCLUDE REGEX "/vendor/[^/]+/(cub|thrust)(_[^/]*)?\\.cu$")
  leave_out(calls unused ${newer_cccl})
  foreach(call IN LISTS calls)
    cmake_path(RELATIVE_PATH call BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    list(FILTER reasons EXCLUDE REGEX "^${call}: ")
  endforeach()
endif()
tell_left_out(${CMAKE_CURRENT_BINARY_DIR}/left_out.cpp ${reasons})
say_left_out(${reasons} ${reasons_of_kernels})
