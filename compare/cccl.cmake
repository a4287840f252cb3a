# The newest CCCL: headers from PyPI, of the version and the hashes in vendor/requirements.txt. They
# have Thrust for the CPU, and the calls of CUB and Thrust that are compiled beside those of the
# CUDA toolkit. LADDER_CCCL names the wheel, or a folder of headers, where one is at hand. Sets
# newer_cccl_include, its folder, and newer_cccl, its version: 300500 is 3.5.0. Where there is none,
# newer_cccl is empty, and build/left-out says why.
set(requirements ${PROJECT_SOURCE_DIR}/vendor/requirements.txt)
file(SHA256 ${requirements} hash)
string(SUBSTRING ${hash} 0 12 hash)
set(fetched ${PROJECT_BINARY_DIR}/cccl/${hash})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${requirements})
if(DEFINED ENV{LADDER_CCCL})
  set(LADDER_CCCL $ENV{LADDER_CCCL} CACHE PATH
    "A wheel of nvidia-cuda-cccl, or a folder of its headers" FORCE)
endif()
file(REMOVE ${PROJECT_BINARY_DIR}/wanted-packages)

# Into <version>: the number in the header. Empty: there is no such header.
function(read_cccl_version include version)
  set(number "")
  if(EXISTS ${include}/cub/version.cuh)
    file(STRINGS ${include}/cub/version.cuh number REGEX "#define CUB_VERSION +[0-9]+")
    string(REGEX MATCH "[0-9]+" number "${number}")
  endif()
  set(${version} "${number}" PARENT_SCOPE)
endfunction()

# Into <wheel>: its file. Empty: no pip fetched it.
function(fetch_cccl wheel)
  set(has_pip FALSE)
  foreach(python $ENV{LADDER_PYTHON} python3)
    execute_process(COMMAND ${python} -m pip --version RESULT_VARIABLE failed
      OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed EQUAL 0)
      continue()
    endif()
    set(has_pip TRUE)
    execute_process(COMMAND ${python} -m pip download --quiet --disable-pip-version-check
      --retries 0 --no-deps --only-binary :all: --require-hashes
      --dest ${fetched} -r ${requirements}
      RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    message(STATUS "${python} -m pip download: ${failed} ${said}")
    file(GLOB file ${fetched}/*.whl)
    if(failed EQUAL 0 AND file)
      break()
    endif()
    if(file)
      file(REMOVE ${file})  # a part of it, where the download was cut
      set(file "")
    endif()
  endforeach()
  if(NOT has_pip)
    # what ./ladder installs where it can
    file(WRITE ${PROJECT_BINARY_DIR}/wanted-packages "python3-pip\n")
  endif()
  set(${wheel} "${file}" PARENT_SCOPE)
endfunction()

set(newer_cccl_include ${fetched}/nvidia/cu13/include/cccl)
if(IS_DIRECTORY "${LADDER_CCCL}")
  set(newer_cccl_include ${LADDER_CCCL})
elseif(LADDER_CCCL OR NOT EXISTS ${newer_cccl_include})
  set(wheel "${LADDER_CCCL}")
  if(NOT wheel)
    fetch_cccl(wheel)
  endif()
  if(EXISTS "${wheel}")
    file(SHA256 ${wheel} hash)
    file(STRINGS ${requirements} line REGEX ${hash})
    if(NOT line)
      message(FATAL_ERROR "${wheel} has none of the hashes in vendor/requirements.txt")
    endif()
    # With its license. Whole, or not at all.
    file(REMOVE_RECURSE ${fetched}.part)
    file(ARCHIVE_EXTRACT INPUT ${wheel} DESTINATION ${fetched}.part)
    file(REMOVE_RECURSE ${fetched})
    file(RENAME ${fetched}.part ${fetched})
  endif()
endif()

read_cccl_version(${newer_cccl_include} newer_cccl)
if(NOT newer_cccl)
  set(why "pip fetched no CCCL, so the calls of Thrust on the CPU are left out, \
and with CUDA those of the newer CUB and Thrust. \
To add them later, go online, remove the build folder and run this again; \
or set LADDER_CCCL to the wheel that vendor/requirements.txt names.")
  if("$ENV{LADDER_REQUIRE_TOOLS}")
    message(FATAL_ERROR "${why}")
  endif()
  note("${why}")
endif()
