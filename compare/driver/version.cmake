# Writes version.cpp: the commit of the sources and whether they differ from it. Run at every build; touches the file only if something changed.
# cmake -DSOURCE=<checkout> -DOUTPUT=<version.cpp> -DVERSION=<of the project> -P version.cmake
set(commit "unknown")
set(dirty false)
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse HEAD RESULT_VARIABLE failed OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(commit ${head})
    execute_process(COMMAND ${GIT} --no-optional-locks -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      set(dirty true)
    endif()
  endif()
endif()

set(text "#include \"compare/driver/version.hpp\"

namespace ladder {

const char* const source_version = \"${VERSION}\";
const char* const source_commit = \"${commit}\";
const bool source_dirty = ${dirty};

}  // namespace ladder
")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
