# Writes a file that says the commit of a folder, and whether its files differ from it: TEMPLATE,
# with @commit@ and @dirty@ replaced. Run at every build; touches the file only if something
# changed.
# cmake -DSOURCE=<folder in a checkout> -DTEMPLATE=<file> -DOUTPUT=<file> [-DVERSION=<of the
# project>] -P version.cmake
set(commit "unknown")
set(dirty false)
find_program(GIT git)
if(GIT)
  # the checkout may be another user's, as on a volume of a container
  list(APPEND GIT -c safe.directory=*)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse HEAD RESULT_VARIABLE failed
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT} -C ${SOURCE} ls-files -- . OUTPUT_VARIABLE files ERROR_QUIET)
  if(NOT failed AND files)  # no file: git ignores the folder, or has not seen it
    set(commit ${head})
    execute_process(COMMAND ${GIT} --no-optional-locks -C ${SOURCE} status --porcelain -- .
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      set(dirty true)
    endif()
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
