#include "compare/cuda/software.hpp"

#include <thrust/version.h>
#include <cub/version.cuh>

#ifdef LADDER_HAS_CUBLAS
#include <cublas_v2.h>
#endif

namespace ladder::gpu {

namespace {

// 300001 -> "3.0.1"
std::string version(int number) {
  return std::to_string(number / 100000) + "." + std::to_string(number / 100 % 1000) + "." +
         std::to_string(number % 100);
}

// "13.1.0": the library's that is loaded, not its header's. Null where there is none, or where it
// does not say.
std::optional<std::string> cublas_version() {
#ifdef LADDER_HAS_CUBLAS
  std::string found;
  for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    int number = 0;
    if (cublasGetProperty(part, &number) != CUBLAS_STATUS_SUCCESS) return std::nullopt;
    found += (found.empty() ? "" : ".") + std::to_string(number);
  }
  return found;
#else
  return std::nullopt;
#endif
}

}  // namespace

void describe_libraries(reports::Software& software) {
  software.cuda_compiler = "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." +
                           std::to_string(__CUDACC_VER_MINOR__) + "." +
                           std::to_string(__CUDACC_VER_BUILD__);
  software.cuda_flags = LADDER_CUDA_FLAGS;
  software.cccl = version(CUB_VERSION);
  software.thrust = version(THRUST_VERSION);
  software.cublas = cublas_version();
  software.nccl = nccl_in_words();
}

}  // namespace ladder::gpu
