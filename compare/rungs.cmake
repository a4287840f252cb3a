# compile_as_rungs(<target> <language> [--translate] [--keep-going]): by way of compare/rung_compiler/. --keep-going: a file that does not compile is
# left out.
function(compile_as_rungs target language)
  set(launcher ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/rung_compiler ${ARGN} ${CMAKE_${language}_COMPILER_LAUNCHER})
  set_target_properties(${target} PROPERTIES ${language}_COMPILER_LAUNCHER "${launcher}")
  add_dependencies(${target} rung_compiler)
endfunction()
if(NOT LADDER_WERROR)
  set(keep_going --keep-going)  # for the rungs of this project
endif()

cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
set(LADDER_CORES ${cores} CACHE STRING "The cores that the build is arranged for")

# add_rungs(<target> <backend> <language> <file>...)
#
# An OBJECT library of implementations. OBJECT, because the linker drops registrations from a STATIC library. LADDER_UNIT is a namespace of each file's
# own. On few cores nvcc takes the files of a folder together, in half the time: they include the same libraries and instantiate the same kernels of
# them. On many, all would wait for the largest folder, so each file is compiled alone: the largest takes half a minute.
# Call it once in a directory: LANGUAGE belongs to a source file for the whole of one directory, so a second call for the same files with another
# language would be ignored without a word.
function(add_rungs target backend language)
  set(sources)
  set(folders)
  foreach(file IN LISTS ARGN)
    string(REGEX REPLACE "^.*/([^/]+/[^/]+/[^/]+)$" "\\1" path ${file})
    string(REGEX REPLACE "\\.((sm[0-9]+|cccl[0-9]+|nccl)\\.)*(cu|cpp)$" "" path ${path})
    string(MAKE_C_IDENTIFIER ${backend}_${path} unit)
    if(LADDER_TOGETHER AND LADDER_CORES LESS 8 AND language STREQUAL CUDA)
      cmake_path(GET path PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER ${folder} folder)
      list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/${target}/${folder}.cu)
      string(APPEND text_${folder} "#define LADDER_UNIT ${unit}\n#include \"${file}\"\n#undef LADDER_UNIT\n")
      list(APPEND folders ${folder})
    else()
      list(APPEND sources ${file})
      set_source_files_properties(${file} PROPERTIES LANGUAGE ${language} COMPILE_DEFINITIONS LADDER_UNIT=${unit})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES sources)
  list(REVERSE sources)  # ninja begins with the library calls, which take longest
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}/${folder}.cu CONTENT "${text_${folder}}")  # not written again as it is
  endforeach()
  add_library(${target} OBJECT ${sources})
endfunction()

# add_worker_with_kernels(<backend> <language> FILES <file>... [FLAGS <target>...] [OPTIONS <option of compile_as_rungs>...])
#
# bin/kernels/worker_<backend>: all that bin/worker_<backend> has, and these files of LADDER_KERNELS. So a change of that folder leaves the worker
# without it as it is. Called when that worker is complete.
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
    target_compile_options(${kernels} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall $<$<CXX_COMPILER_ID:GNU>:-fmax-errors=5>>)
    target_link_libraries(${kernels} PRIVATE ${its_FLAGS})
    set_target_properties(${kernels} PROPERTIES EXCLUDE_FROM_ALL ON)
    compile_as_rungs(${kernels} ${language} ${its_OPTIONS} --keep-going)
    list(PREPEND objects $<TARGET_OBJECTS:${kernels}>)
  endif()
  set(worker worker_${backend}_with_kernels)
  add_executable(${worker} EXCLUDE_FROM_ALL ${objects})
  set_target_properties(${worker} PROPERTIES OUTPUT_NAME worker_${backend} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin/kernels LINKER_LANGUAGE CXX)
  target_link_libraries(${worker} PRIVATE ${libraries})
  add_dependencies(${worker} origin_of_kernels)
endfunction()

# find_rungs(<variable> <folder or nothing> <pattern>...): the files there that fit and have the name of a rung, as `unfit` in the script ladder has it.
# An editor's lock file, such as .#rung.cu, has none.
function(find_rungs variable folder)
  set(rungs)
  if(folder)
    list(TRANSFORM ARGN PREPEND "${folder}/")
    file(GLOB found CONFIGURE_DEPENDS ${ARGN})
    foreach(file IN LISTS found)
      if(EXISTS ${file} AND file MATCHES "/[A-Za-z0-9_]+/[A-Za-z0-9_]+(\\.(sm[0-9]+|cccl[0-9]+|nccl))*\\.(cu|cpp)$")
        list(APPEND rungs ${file})
      endif()
    endforeach()
  endif()
  set(${variable} ${rungs} PARENT_SCOPE)
endfunction()
