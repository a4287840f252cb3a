# How tests are registered: with ctest, and in a file of the build folder that says which targets
# each needs. ./ladder test -R asks it by way of which_programs.cmake.
set(programs_of_tests ${PROJECT_BINARY_DIR}/programs_of_tests.cmake)
file(WRITE ${programs_of_tests} "")

function(note_tests function)
  set(line)
  foreach(word IN LISTS ARGN)
    string(APPEND line " [==[${word}]==]")
  endforeach()
  file(APPEND ${programs_of_tests} "${function}(${line})\n")
endfunction()

# discover_tests(<program> <option of catch_discover_tests>...)
function(discover_tests program)
  catch_discover_tests(${program} DISCOVERY_MODE PRE_TEST ${ARGN})
  cmake_parse_arguments(PARSE_ARGV 1 its "" "TEST_PREFIX" "")
  get_target_property(sources ${program} SOURCES)
  get_target_property(folder ${program} SOURCE_DIR)
  list(FILTER sources EXCLUDE REGEX "^\\$<|\\.o$")  # objects
  list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/]")
  note_tests(tests_in ${program} "${its_TEST_PREFIX}" ${CMAKE_CURRENT_BINARY_DIR} ${sources})
endfunction()

# command_test(<name> <what it needs: a list of targets> <command>...)
function(command_test name needed)
  add_test(NAME ${name} COMMAND ${ARGN})
  note_tests(test_named ${name} ${needed})
endfunction()
