# compile_as_rungs(<target> <language> [--translate] [--keep-going]): by way of
# compare/rung_compiler/. --keep-going: a file that does not compile is left out.
function(compile_as_rungs target language)
  set(launcher ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/rung_compiler ${ARGN}
    ${CMAKE_${language}_COMPILER_LAUNCHER})
  set_target_properties(${target} PROPERTIES ${language}_COMPILER_LAUNCHER "${launcher}")
  add_dependencies(${target} rung_compiler)
endfunction()
if(NOT LADDER_WERROR)
  set(keep_going --keep-going)  # for the rungs of this project
endif()

cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
set(LADDER_CORES ${cores} CACHE STRING "The cores that the build is arranged for")

# compiled_with(<path of a rung> <variable>): the files that nvcc takes together have the same word
# there; one that it takes alone has none. On few cores it takes a folder, for the least work. On
# many, all would wait for the largest folder: there it takes the calls of a library together, and
# the rungs of an operation without operators, which has few instances.
function(compiled_with path group)
  cmake_path(GET path PARENT_PATH folder)
  cmake_path(GET folder FILENAME operation)
  set(header ${PROJECT_SOURCE_DIR}/compare/operations/${operation}.hpp)
  set(${group} "" PARENT_SCOPE)
  if(LADDER_CORES LESS 8)
    set(${group} ${folder} PARENT_SCOPE)
  elseif(path MATCHES "^(vendor/[^/]+/[^/_]+)")
    set(${group} ${CMAKE_MATCH_1} PARENT_SCOPE)
  elseif(EXISTS ${header})
    file(STRINGS ${header} operators REGEX "operators = TypeList<>")
    if(operators)
      set(${group} ${folder} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# add_rungs(<target> <backend> <language> <file>...)
#
# An OBJECT library of implementations. OBJECT, because the linker drops registrations from a STATIC
# library. LADDER_UNIT is a namespace of each file's own. On the emulated backend __CUDA_ARCH__ is
# that of the oldest GPU that runs the file. nvcc takes files together in half the time: they
# include the same libraries and instantiate the same kernels of them. Call it once in a directory:
# LANGUAGE belongs to a source file for the whole of one directory, so a second call for the same
# files with another language would be ignored without a word.
function(add_rungs target backend language)
  set(sources)
  set(groups)
  foreach(file IN LISTS ARGN)
    string(REGEX REPLACE "^.*/([^/]+/[^/]+/[^/]+)$" "\\1" path ${file})
    string(REGEX REPLACE "\\.((sm[0-9]+|cccl[0-9]+|nccl)\\.)*(cu|cpp)$" "" path ${path})
    string(MAKE_C_IDENTIFIER ${backend}_${path} unit)
    compiled_with(${path} group)
    if(LADDER_TOGETHER AND group AND language STREQUAL CUDA)
      string(MAKE_C_IDENTIFIER ${group} group)
      list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/${target}/${group}.cu)
      string(APPEND text_${group}
        "#define LADDER_UNIT ${unit}\n#include \"${file}\"\n#undef LADDER_UNIT\n")
      list(APPEND groups ${group})
    else()
      list(APPEND sources ${file})
      set_source_files_properties(${file} PROPERTIES LANGUAGE ${language}
        COMPILE_DEFINITIONS LADDER_UNIT=${unit})
      if(backend STREQUAL emulated)
        set(oldest ${LADDER_OLDEST_GPU})
        if(file MATCHES "\\.sm([0-9]+)\\.[^/]*$")
          set(oldest ${CMAKE_MATCH_1})
        endif()
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS __CUDA_ARCH__=${oldest}0)
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES sources)
  list(REVERSE sources)  # ninja begins with the library calls, which take longest
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    # not written again as it is
    file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}/${group}.cu
      CONTENT "${text_${group}}")
  endforeach()
  add_library(${target} OBJECT ${sources})
endfunction()

# add_worker_with_kernels(<backend> <language> FILES <file>... [FLAGS <target>...] [OPTIONS <option
# of compile_as_rungs>...])
#
# bin/kernels/worker_<backend>: all that bin/worker_<backend> has, and these files of
# LADDER_KERNELS. So a change of that folder leaves the worker without it as it is. Called when that
# worker is complete.
function(add_worker_with_kernels backend language)
  if(NOT LADDER_KERNELS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 its "" "" "FILES;FLAGS;OPTIONS")
  get_target_property(objects worker_${backend} SOURCES)
  get_target_property(libraries worker_${backend} LINK_LIBRARIES)
  if(its_FILES)
    set(kernels kernels_${backend})
    add_rungs(${kernels} ${backend} ${language} ${its_FILES})
    target_include_directories(${kernels} PRIVATE ${PROJECT_SOURCE_DIR} ${LADDER_KERNELS})
    target_compile_options(${kernels}
      PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall $<$<CXX_COMPILER_ID:GNU>:-fmax-errors=5>
      # published kernels are full of both
      -Wno-sign-compare $<$<CXX_COMPILER_ID:GNU>:-Wno-volatile>
      $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-volatile>>)
    target_link_libraries(${kernels} PRIVATE ${its_FLAGS})
    set_target_properties(${kernels} PROPERTIES EXCLUDE_FROM_ALL ON)
    compile_as_rungs(${kernels} ${language} ${its_OPTIONS} --keep-going)
    list(PREPEND objects $<TARGET_OBJECTS:${kernels}>)
  endif()
  set(worker worker_${backend}_with_kernels)
  add_executable(${worker} EXCLUDE_FROM_ALL ${objects})
  set_target_properties(${worker} PROPERTIES OUTPUT_NAME worker_${backend}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin/kernels LINKER_LANGUAGE CXX)
  target_link_libraries(${worker} PRIVATE ${libraries})
  add_dependencies(${worker} origin_of_kernels)
endfunction()

# find_rungs(<variable> <folder or nothing> <pattern>...): the files there that fit and have the
# name of a rung, as `unfit` in the script ladder has it. An editor's lock file, such as .#rung.cu,
# has none.
function(find_rungs variable folder)
  set(rungs)
  if(folder)
    list(TRANSFORM ARGN PREPEND "${folder}/")
    file(GLOB found CONFIGURE_DEPENDS ${ARGN})
    foreach(file IN LISTS found)
      if(EXISTS ${file} AND file MATCHES
        "/[A-Za-z0-9_]+/[A-Za-z0-9_]+(\\.(sm[0-9]+|cccl[0-9]+|nccl))*\\.(cu|cpp)$")
        list(APPEND rungs ${file})
      endif()
    endforeach()
  endif()
  set(${variable} ${rungs} PARENT_SCOPE)
endfunction()
