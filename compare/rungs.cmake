# add_rungs(<target> <backend> <language> <file>...)
#
# An OBJECT library of implementations, each compiled with the path that is its name. OBJECT, because the linker drops registrations from a STATIC
# library. Call it once in a directory: LANGUAGE belongs to a source file for the whole of one directory, so a second call for the same files
# with another language would be ignored without a word.
function(add_rungs target backend language)
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PRIVATE ladder_flags)
  foreach(file IN LISTS ARGN)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    string(REGEX REPLACE "\\.(sm[0-9]+\\.)?(cu|cpp)$" "" path ${path})
    string(MAKE_C_IDENTIFIER ${backend}_${path} unit)
    set_source_files_properties(${file} PROPERTIES LANGUAGE ${language} COMPILE_DEFINITIONS "LADDER_RUNG=\"${path}\";LADDER_UNIT=${unit}")
  endforeach()
endfunction()
