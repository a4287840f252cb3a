# Every library the project stands on. What is not found is collected, and named once with the one
# command that installs it.
set(LADDER_MISSING "")

# ladder_need(<Debian package> <find_package arguments>...)
macro(ladder_need debian_package)
  find_package(${ARGN} QUIET)
  if(NOT ${ARGV1}_FOUND)
    list(APPEND LADDER_MISSING ${debian_package})
  endif()
endmacro()

ladder_need(nlohmann-json3-dev nlohmann_json 3.9)
ladder_need(libcli11-dev CLI11)
ladder_need(libfmt-dev fmt)
ladder_need(libboost-context-dev Boost COMPONENTS context)
ladder_need(libtbb-dev TBB)
ladder_need(libvalijson-dev valijson)
ladder_need(libssl-dev OpenSSL)
ladder_need(zlib1g-dev ZLIB)
ladder_need(libbz2-dev BZip2)
if(LADDER_TESTS)
  ladder_need(catch2 Catch2)
endif()

file(REMOVE ${PROJECT_BINARY_DIR}/missing-packages)
if(LADDER_MISSING)
  list(JOIN LADDER_MISSING " " packages)
  file(WRITE ${PROJECT_BINARY_DIR}/missing-packages "${packages}\n")
  message(FATAL_ERROR "Missing libraries. Install them with:\n\
  apt-get install --no-install-recommends ${packages}\n")
endif()
