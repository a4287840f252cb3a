#include "compare/cuda/software.hpp"

#include <thrust/version.h>
#include <cub/version.cuh>

#include <string>

namespace ladder::cuda {

namespace {

// 300001 -> "3.0.1"
std::string version(int number) {
  return std::to_string(number / 100000) + "." + std::to_string(number / 100 % 1000) + "." + std::to_string(number % 100);
}

}  // namespace

void describe_libraries(reports::Software& software) {
  software.cuda_compiler =
      "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." + std::to_string(__CUDACC_VER_BUILD__);
  software.cuda_flags = LADDER_CUDA_FLAGS;
  software.cccl = version(CUB_VERSION);
  software.thrust = version(THRUST_VERSION);
}

}  // namespace ladder::cuda
