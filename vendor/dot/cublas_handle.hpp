// What the cuBLAS calls share: the checked status, and a handle that follows the stream.
#pragma once

#include <cublas_v2.h>

#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

#include "compare/launch.hpp"

namespace ladder {

constexpr Library cublas_library{"cuBLAS", CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};

namespace gpu {

inline void check(cublasStatus_t status,
                  const std::source_location& where = std::source_location::current()) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  check(cudaStreamSynchronize(nullptr), where);  // a device that is lost is reported as that
  throw Failure(std::string(cublasGetStatusString(status)) + " (" + cublasGetStatusName(status) +
                ")");
}

}  // namespace gpu

class CublasHandle {
 public:
  explicit CublasHandle(cublasPointerMode_t results) {
    gpu::check(cublasCreate(&handle_));
    gpu::check(cublasSetPointerMode(handle_, results));
  }
  CublasHandle(const CublasHandle&) = delete;
  CublasHandle& operator=(const CublasHandle&) = delete;
  ~CublasHandle() { cublasDestroy(handle_); }

  // Names the stream only where it is another: that would renew the library's workspace.
  cublasHandle_t on(Stream stream) {
    if (stream.handle != stream_.handle) {
      gpu::check(cublasSetStream(handle_, static_cast<cudaStream_t>(stream.handle)));
      stream_ = stream;
    }
    return handle_;
  }

 private:
  cublasHandle_t handle_ = nullptr;
  Stream stream_;  // the default stream, until told
};

// cublasSdot, cublasDdot or cublasDotEx, through the interface whose n has 64 bits: the older one
// ends at 2^31 - 1 elements. cublasDotEx writes an element at `out`, however wide that is.
template <class T>
cublasStatus_t cublas_dot(cublasHandle_t handle, std::size_t n, const T* a, const T* b,
                          Accumulator<T>* out) {
  const auto count = static_cast<std::int64_t>(n);
  if constexpr (std::is_same_v<T, float>) {
    return cublasSdot_64(handle, count, a, 1, b, 1, out);
  } else if constexpr (std::is_same_v<T, double>) {
    return cublasDdot_64(handle, count, a, 1, b, 1, out);
  } else {
    constexpr cudaDataType_t type = std::is_same_v<T, F16> ? CUDA_R_16F : CUDA_R_16BF;
    return cublasDotEx_64(handle, count, a, type, 1, b, type, 1, out, type, CUDA_R_32F);
  }
}

}  // namespace ladder
