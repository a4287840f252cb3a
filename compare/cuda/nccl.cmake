# NCCL, for rungs over devices: a header and a library that most toolkits bring along. NCCL_ROOT
# names a folder with both. Makes the target nccl, where there is one.
set(nccl_folders $ENV{NCCL_ROOT} ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_DIR})
find_path(nccl_include nccl.h HINTS ${nccl_folders} PATH_SUFFIXES include NO_CACHE)
find_library(nccl_library NAMES nccl libnccl.so.2 HINTS ${nccl_folders}
  PATH_SUFFIXES lib lib64 NO_CACHE)
if(nccl_include AND nccl_library)
  add_library(nccl INTERFACE)
  target_include_directories(nccl SYSTEM INTERFACE ${nccl_include})
  target_link_libraries(nccl INTERFACE ${nccl_library})
endif()
