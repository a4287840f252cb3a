# NCCL, for rungs over devices: a header and a library that most toolkits bring along. NCCL_ROOT names a folder with both. Sets nccl_include and
# nccl_library, or says in one line that there is none.
set(nccl_folders $ENV{NCCL_ROOT} ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_DIR})
find_path(nccl_include nccl.h HINTS ${nccl_folders} PATH_SUFFIXES include NO_CACHE)
find_library(nccl_library NAMES nccl libnccl.so.2 HINTS ${nccl_folders} PATH_SUFFIXES lib lib64 NO_CACHE)
if(NOT nccl_include OR NOT nccl_library)
  set(why "without NCCL (nccl.h and libnccl; NCCL_ROOT names their folder) the rungs over devices that need it are left out.")
  message(STATUS "${why}")
  file(APPEND ${PROJECT_BINARY_DIR}/left-out "${why}\n")
endif()
