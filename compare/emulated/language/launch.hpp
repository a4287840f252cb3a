// dynamic_shared() and launch() on the emulated backend, with the words of CUDA C++. Included by
// compare/launch.hpp only.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "compare/emulated/calls/asynchronous.hpp"
#include "compare/emulated/calls/runtime.hpp"
#include "compare/emulated/language/host_calls.hpp"
#include "compare/emulated/language/intrinsics.hpp"
#include "compare/emulated/types/cuda_words.hpp"
#include "compare/operators.hpp"

namespace ladder {

template <class T>
T* dynamic_shared() {
  return static_cast<T*>(emulated::dynamic_arena());
}

// extern __shared__ T array[], outside of functions (compare/rung_compiler/).
template <class T>
struct DynamicShared {
  operator T*() const { return dynamic_shared<T>(); }
};

// Height calls it.
template <class T>
void count(Join<T>) {
  emulated::count_join();
}

// As many as an H200 holds, by threads and shared memory.
template <class... Parameters>
unsigned resident_blocks(void (*)(Parameters...), Extent block, std::size_t shared_bytes) {
  return emulated::resident_blocks_of_multiprocessor(block.count(), shared_bytes) *
         backend::multiprocessors();
}

// Launches run one after the other.
inline void let_next_launch_begin() {}
inline void wait_for_launch_before() {}

// A kernel with its arguments, for a launch of any shape.
template <class... Parameters>
emulated::Grid bound(void (*kernel)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  // Not instrumented: the arguments lie in the host's memory, and passing them is no access of the
  // kernel.
  const auto call = [=]() __attribute__((no_sanitize("thread"))) {
    kernel(arguments...);
  };
  const auto body = [](const void* bound) __attribute__((no_sanitize("thread"))) {
    (*static_cast<const decltype(call)*>(bound))();
  };
  return {.kernel = reinterpret_cast<const void*>(kernel),
          .shape = {},
          .shared_bytes = 0,
          .body = body,
          .arguments = std::make_shared<decltype(call)>(call)};
}

// What launches is inlined: the address that the runtime returns to tells the line of the launch.
// It refuses a launch in a kernel before there is anything to launch.
struct Configured {
  LaunchShape shape;
  Stream stream;

  __forceinline__ void operator<<(emulated::Grid grid) const {
    const auto along = [](const Extent& extent) __attribute__((always_inline)) {
      return uint3{extent.x, extent.y, extent.z};
    };
    grid.shape = {along(shape.grid), along(shape.block), along(shape.cluster)};
    grid.shared_bytes = shape.shared_bytes;
    grid.resident = shape.resident;
    emulated::launch_grid(std::move(grid), stream);
  }
};

// A Stream or a cudaStream_t, 0 among them.
struct AnyStream : Stream {
  AnyStream(Stream stream) : Stream(stream) {}
  AnyStream(CUstream_st* stream = nullptr) : Stream{stream} {}
};

// Runs the kernel to its end, or enqueues it in the stream of a device. Throws
// emulated::KernelFault where it does what CUDA does not allow.
template <class... Parameters>
__forceinline__ void launch(void (*kernel)(Parameters...), LaunchShape shape, AnyStream stream,
                            std::type_identity_t<Parameters>... arguments) {
  emulated::refuse_launch_in_kernel();
  Configured{shape, stream} << bound(kernel, arguments...);
}

// kernel<<<grid, block, shared_bytes, stream>>>(arguments...) is configured(grid, block,
// shared_bytes, stream) << bound(kernel, arguments...), and so where the kernel has
// __cluster_dims__(cluster).
__forceinline__ Configured configured_in_clusters(Extent cluster, Extent grid, Extent block,
                                                  std::size_t shared_bytes = 0,
                                                  AnyStream stream = {}) {
  emulated::refuse_launch_in_kernel();
  constexpr std::size_t without_asking = 48 * 1024;
  if (shared_bytes > without_asking)
    emulated::refuse_launch(
        "more than 48 KiB of dynamic shared memory by <<< >>>; launch() asks for it.");
  return {{.grid = grid, .block = block, .shared_bytes = shared_bytes, .cluster = cluster}, stream};
}
__forceinline__ Configured configured(Extent grid, Extent block, std::size_t shared_bytes = 0,
                                      AnyStream stream = {}) {
  return configured_in_clusters(1, grid, block, shared_bytes, stream);
}

// The same of a kernel that compare/rung_compiler/ knows by its pointer alone: followed by
// (arguments...).
template <class... Parameters>
__forceinline__ auto configured_in_clusters(Extent cluster, void (*kernel)(Parameters...),
                                            Extent grid, Extent block, std::size_t shared_bytes = 0,
                                            AnyStream stream = {}) {
  const Configured shape = configured_in_clusters(cluster, grid, block, shared_bytes, stream);
  return [=](std::type_identity_t<Parameters>... arguments) __attribute__((always_inline)) {
    shape << bound(kernel, arguments...);
  };
}
template <class... Parameters>
__forceinline__ auto configured(void (*kernel)(Parameters...), Extent grid, Extent block,
                                std::size_t shared_bytes = 0, AnyStream stream = {}) {
  return configured_in_clusters(1, kernel, grid, block, shared_bytes, stream);
}

// CUDA's calls for a launch. An argument is where its pointer leads.
template <class... Parameters>
__forceinline__ cudaError_t launch_with(void (*kernel)(Parameters...), LaunchShape shape,
                                        void** arguments, AnyStream stream) {
  emulated::refuse_launch_in_kernel();
  [&]<std::size_t... place>(std::index_sequence<place...>) __attribute__((always_inline)) {
    Configured{shape, stream} << bound(
        kernel, *static_cast<std::remove_reference_t<Parameters>*>(arguments[place])...);
  }
  (std::index_sequence_for<Parameters...>());
  return cudaSuccess;
}

// Called by such a kernel.
inline void expect_cluster(Extent blocks, emulated::Here where = emulated::Here::current()) {
  emulated::expect_cluster({blocks.x, blocks.y, blocks.z}, where);
}

}  // namespace ladder

template <class... Parameters>
__forceinline__ cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid,
                                                        dim3 block, void** arguments,
                                                        std::size_t shared_bytes = 0,
                                                        ladder::AnyStream stream = {}) {
  return ladder::launch_with(
      kernel, {.grid = grid, .block = block, .shared_bytes = shared_bytes, .resident = true},
      arguments, stream);
}
template <class... Parameters>
__forceinline__ cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                             void** arguments, std::size_t shared_bytes = 0,
                                             ladder::AnyStream stream = {}) {
  return ladder::launch_with(kernel, {.grid = grid, .block = block, .shared_bytes = shared_bytes},
                             arguments, stream);
}
#define LADDER_KERNEL_WITHOUT_TYPE                                                \
  __attribute__((                                                                 \
      error("name the kernel without a cast to void*: its parameters are needed " \
            "here")))
LADDER_KERNEL_WITHOUT_TYPE cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**,
                                                                   std::size_t = 0,
                                                                   cudaStream_t = nullptr);
LADDER_KERNEL_WITHOUT_TYPE cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**,
                                                        std::size_t = 0, cudaStream_t = nullptr);
#undef LADDER_KERNEL_WITHOUT_TYPE

// The device of this backend, as far as kernels are launched by it.
struct cudaDeviceProp {
  char name[256] = "emulated";
  int multiProcessorCount = 0, maxThreadsPerMultiProcessor = 2048, maxThreadsPerBlock = 1024;
  int warpSize = 32, major = 7, minor = 5;  // the oldest GPU of this project
  std::size_t sharedMemPerBlock = 48 * 1024;
  int cooperativeLaunch = 1;
};
inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  properties->multiProcessorCount = static_cast<int>(ladder::backend::multiprocessors());
  return cudaSuccess;
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*)(Parameters...),
                                                          int threads, std::size_t shared_bytes) {
  *blocks = static_cast<int>(ladder::emulated::resident_blocks_of_multiprocessor(
      static_cast<unsigned>(threads), shared_bytes));
  return cudaSuccess;
}
