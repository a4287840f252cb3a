// launch() and dynamic_shared() under nvcc. Included by compare/launch.hpp.
#pragma once

#include <cstddef>
#include <source_location>
#include <type_traits>

#include "compare/contract.hpp"
#include "compare/cuda/check.hpp"

namespace ladder {

// The dynamic shared memory of this block, as an array of T.
template <class T>
__device__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char arena[];
  return reinterpret_cast<T*>(arena);
}

template <class... Parameters>
void launch(void (*kernel)(Parameters...), LaunchShape shape, Stream stream, std::type_identity_t<Parameters>... arguments) {
  constexpr std::size_t without_asking = 48 * 1024;  // more dynamic shared memory must be opted into, kernel by kernel
  if (shape.shared_bytes > without_asking) {
    cuda::check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(shape.shared_bytes)));
  }
  void* pointers[] = {&arguments..., nullptr};
  cuda::check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(shape.grid), dim3(shape.block), pointers, shape.shared_bytes,
                               static_cast<cudaStream_t>(stream.handle)));
}

}  // namespace ladder
