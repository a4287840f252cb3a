# The toolkit's CCCL. Sets toolkit_cccl, its version as in compare/cccl.cmake, and empties
# newer_cccl where that is not newer.
foreach(include ${CUDAToolkit_INCLUDE_DIRS})
  foreach(folder ${include}/cccl ${include})
    if(NOT toolkit_cccl)
      read_cccl_version(${folder} toolkit_cccl)
    endif()
  endforeach()
endforeach()
if(newer_cccl AND NOT newer_cccl GREATER toolkit_cccl)
  message(STATUS "The CCCL in ${newer_cccl_include} is not newer than the toolkit's, \
so only the toolkit's is compiled.")
  set(newer_cccl "")
endif()
