# The targets that the tests with a matching name need, a line each. The names of tests come from
# the programs, so here they are read from the sources. Where a name is not known before a program
# runs, that program is taken unless a word of the pattern occurs in none of its names.
#
#   cmake -D TESTS=<build>/programs_of_tests.cmake -P which_programs.cmake
#
# with the pattern of ctest -R in LADDER_PATTERN.
cmake_minimum_required(VERSION 3.22)
set(pattern "$ENV{LADDER_PATTERN}")
cmake_path(SET root NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
set_property(GLOBAL PROPERTY needed "")

function(needs)
  set_property(GLOBAL APPEND PROPERTY needed ${ARGN})
endfunction()

# may_match(<text> <variable>): whether the pattern may match a name whose words are all in the
# text. What ^ $ . .* and | do is known. All else that a regular expression has is not looked into.
function(may_match text variable)
  string(REGEX REPLACE "\\.[*+]?|\\^|\\$" " " alternatives "${pattern}")
  set(${variable} TRUE PARENT_SCOPE)
  if(alternatives MATCHES "[][()*+?\\;]")
    return()
  endif()
  string(REPLACE "|" ";" alternatives "${alternatives};")
  foreach(alternative IN LISTS alternatives)
    string(REGEX MATCHALL "[A-Za-z0-9_]+" words "${alternative}")
    set(all TRUE)
    foreach(word IN LISTS words)
      string(REGEX REPLACE "(_[0-9]*)+$" "" word "${word}")  # the version of a library
      string(FIND "${text}" "${word}" at)
      if(at EQUAL -1)
        set(all FALSE)
      endif()
    endforeach()
    if(all AND NOT alternative STREQUAL "")
      return()
    endif()
  endforeach()
  set(${variable} FALSE PARENT_SCOPE)
endfunction()

# test_named(<name> <target>...): a test that is a command
function(test_named name)
  if(name MATCHES "${pattern}")
    needs(${ARGN})
  endif()
endfunction()

# tests_named_by(<program> <words or file>...): the names of its tests are made of these words, and
# of the words in quotes in these files
function(tests_named_by program)
  set(text)
  foreach(one IN LISTS ARGN)
    if(IS_ABSOLUTE "${one}" AND EXISTS "${one}")
      file(READ "${one}" text_of_file)
      string(REPLACE "'\"'" "" text_of_file "${text_of_file}")
      string(REGEX MATCHALL "\"([^\"\\\n]|\\\\.)*\"" one "${text_of_file}")
    endif()
    string(APPEND text " ${one}")
  endforeach()
  may_match("${text}" may)
  if(may)
    needs(${program})
  endif()
endfunction()

# named_by_rungs(<program> <words or file>...): and of the paths of rungs, and operations
function(named_by_rungs program)
  file(GLOB rungs RELATIVE ${root} ${root}/handwritten/*/*.cu ${root}/vendor/*/*.c*)
  file(GLOB operations ${root}/compare/operations/*.hpp)
  tests_named_by(${program} ${rungs} ${operations} ${ARGN})
endfunction()

# tests_in(<program> <prefix> <folder with its list of tests> <source>...): TEST_CASEs are its tests
function(tests_in program prefix lists)
  # what ctest lists in place of the tests of a program that is not built
  file(GLOB files ${lists}/${program}*_include*.cmake)
  foreach(file IN LISTS files)
    file(STRINGS ${file} name REGEX "_NOT_BUILT")
    string(REGEX REPLACE ".*add_test\\(([^ ]*).*" "\\1" name "${name}")
    test_named(${name} ${program})
  endforeach()
  string(STRIP "${prefix}" bare)  # as some versions of Catch2 take it
  foreach(file IN LISTS ARGN)
    file(READ ${file} text)
    # these would part a list
    string(REPLACE ";" "<semicolon>" text "${text}")
    string(REPLACE "[" "<open>" text "${text}")
    string(REPLACE "]" "<close>" text "${text}")
    string(REGEX MATCHALL "TEST_CASE[A-Z_]*\\(" cases "${text}")
    string(REGEX MATCHALL
      "[A-Z_]*TEST_CASE[A-Z_]*\\([ \n]*(\"([^\"\\]|\\\\.)*\"[ \n]*)+[^{]*" read "${text}")
    list(LENGTH cases all)
    list(LENGTH read some)
    if(NOT all EQUAL some)
      needs(${program})
    endif()
    foreach(case IN LISTS read)
      string(REPLACE "<open>" "[" case "${case}")
      string(REPLACE "<close>" "]" case "${case}")
      string(REPLACE "<semicolon>" ";" case "${case}")
      string(REGEX REPLACE "\"[ \n]+\"" "" case "${case}")
      string(REGEX MATCH "\"(([^\"\\]|\\\\.)*)\"" name "${case}")
      string(REGEX REPLACE "\\\\(.)" "\\1" name "${CMAKE_MATCH_1}")
      test_named("${prefix}${name}" ${program})
      test_named("${bare}${name}" ${program})
      if(case MATCHES "^TEMPLATE")  # there are types, or numbers, at the end of their names
        tests_named_by(${program} "${prefix}" "${case}" "0 1 2 3 4 5 6 7 8 9")
      endif()
    endforeach()
  endforeach()
endfunction()

include(${TESTS})
get_property(needed GLOBAL PROPERTY needed)
list(REMOVE_DUPLICATES needed)
list(JOIN needed "\n" needed)
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${needed}")
