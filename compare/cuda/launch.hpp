// launch() and dynamic_shared() under nvcc. Included by compare/launch.hpp.
#pragma once

#include <cstddef>
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

// False where no block can have as much.
inline bool allow_shared_bytes(const void* kernel, std::size_t bytes) {
  // More than 48 KiB must be opted into, kernel by kernel, and static arrays count too: 16 KiB are
  // left to those.
  constexpr std::size_t without_asking = 32 * 1024;
  if (bytes <= without_asking) return true;
  const cudaError_t error = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error == cudaErrorInvalidValue) {
    static_cast<void>(cudaGetLastError());  // this one: nobody else is to find it
    return false;
  }
  gpu::check(error);
  return true;
}

// The blocks of such a grid that the GPU holds at the same time: 0 where no block can have as much
// shared memory.
template <class... Parameters>
unsigned resident_blocks(void (*kernel)(Parameters...), Extent block, std::size_t shared_bytes) {
  const auto* const code = reinterpret_cast<const void*>(kernel);
  int of_multiprocessor = 0;
  if (allow_shared_bytes(code, shared_bytes))
    gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &of_multiprocessor, code, static_cast<int>(block.count()), shared_bytes));
  return static_cast<unsigned>(of_multiprocessor) * backend::multiprocessors();
}

// Programmatic dependent launch (CUDA Programming Guide): a GPU of sm_90 or later begins a launch
// whose shape is `early` once all blocks of the launch before it have come to
// let_next_launch_begin() or have ended. What that launch writes is there after
// wait_for_launch_before().
__device__ inline void let_next_launch_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ inline void wait_for_launch_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}
inline bool launches_begin_early() {
  static const bool they_do = gpu::attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
  return they_do;
}

template <class... Parameters>
void launch(void (*kernel)(Parameters...), LaunchShape shape, Stream stream,
            std::type_identity_t<Parameters>... arguments) {
  const auto* const code = reinterpret_cast<const void*>(kernel);
  static_cast<void>(allow_shared_bytes(code, shape.shared_bytes));  // else the launch is refused
  void* pointers[] = {&arguments..., nullptr};
  cudaLaunchAttribute attributes[3]{};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = shape.resident ? 1 : 0;
  unsigned count = 1;
  if (shape.cluster.count() > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count++].val.clusterDim = {shape.cluster.x, shape.cluster.y, shape.cluster.z};
  }
  if (shape.early && launches_begin_early()) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.grid.x, shape.grid.y, shape.grid.z);
  config.blockDim = dim3(shape.block.x, shape.block.y, shape.block.z);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  gpu::check(cudaLaunchKernelExC(&config, code, pointers));
}

// The same in a cudaStream_t.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), LaunchShape shape, cudaStream_t stream,
            std::type_identity_t<Parameters>... arguments) {
  launch(kernel, shape, Stream{stream}, arguments...);
}

}  // namespace ladder
