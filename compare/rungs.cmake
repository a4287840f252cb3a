# compile_as_rungs(<target> <language> [--translate] [--keep-going]): by way of compare/rung_compiler/. --keep-going: a file that does not compile is
# left out; where warnings are errors, it is an error.
function(compile_as_rungs target language)
  set(options ${ARGN})
  if(LADDER_WERROR)
    list(REMOVE_ITEM options --keep-going)
  endif()
  set(launcher $<TARGET_FILE:rung_compiler> ${options} ${CMAKE_${language}_COMPILER_LAUNCHER})
  set_target_properties(${target} PROPERTIES ${language}_COMPILER_LAUNCHER "${launcher}")
  add_dependencies(${target} rung_compiler)
endfunction()

# add_rungs(<target> <backend> <language> <file>...)
#
# An OBJECT library of implementations. OBJECT, because the linker drops registrations from a STATIC library. LADDER_UNIT is a namespace of each file's
# own. nvcc takes the files of a folder together, in less than half the time: they include the same libraries and instantiate the same kernels of them.
# Call it once in a directory: LANGUAGE belongs to a source file for the whole of one directory, so a second call for the same files with another
# language would be ignored without a word.
function(add_rungs target backend language)
  set(sources)
  foreach(file IN LISTS ARGN)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    string(REGEX REPLACE "\\.((sm|cccl)[0-9]+\\.)?(cu|cpp)$" "" path ${path})
    string(MAKE_C_IDENTIFIER ${backend}_${path} unit)
    if(LADDER_TOGETHER AND language STREQUAL CUDA)
      cmake_path(GET path PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER ${folder} folder)
      list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/${target}/${folder}.cu)
      string(APPEND text_${folder} "#define LADDER_UNIT ${unit}\n#include \"${file}\"\n#undef LADDER_UNIT\n")
      file(CONFIGURE OUTPUT ${target}/${folder}.cu CONTENT "${text_${folder}}" @ONLY)
    else()
      list(APPEND sources ${file})
      set_source_files_properties(${file} PROPERTIES LANGUAGE ${language} COMPILE_DEFINITIONS LADDER_UNIT=${unit})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES sources)
  add_library(${target} OBJECT ${sources})
  target_link_libraries(${target} PRIVATE ladder_flags)
endfunction()
