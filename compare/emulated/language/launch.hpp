// dynamic_shared() and launch() on the emulated backend, with the words of CUDA C++. Included by
// compare/launch.hpp only.
#pragma once

#include <memory>
#include <type_traits>

#include "compare/emulated/calls/asynchronous.hpp"
#include "compare/emulated/calls/runtime.hpp"
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

// Runs the kernel to its end, or enqueues it in the stream of a device. Throws
// emulated::KernelFault where it does what CUDA does not allow.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), LaunchShape shape, Stream stream,
            std::type_identity_t<Parameters>... arguments) {
  // Not instrumented: the arguments lie in the host's memory, and passing them is no access of the
  // kernel.
  const auto call = [=]() __attribute__((no_sanitize("thread"))) {
    kernel(arguments...);
  };
  const auto body = [](const void* bound) __attribute__((no_sanitize("thread"))) {
    (*static_cast<const decltype(call)*>(bound))();
  };
  const auto along = [](const Extent& extent) { return uint3{extent.x, extent.y, extent.z}; };
  emulated::launch_grid({reinterpret_cast<const void*>(kernel),
                         {along(shape.grid), along(shape.block), along(shape.cluster)},
                         shape.shared_bytes,
                         body,
                         std::make_shared<decltype(call)>(call),
                         shape.resident},
                        stream);
}

// kernel<<<grid, block, shared_bytes, stream>>>(arguments...) is configured(kernel, grid, block,
// shared_bytes, stream)(arguments...), and so where the kernel has __cluster_dims__(cluster).
template <class... Parameters>
auto configured_in_clusters(Extent cluster, void (*kernel)(Parameters...), Extent grid,
                            Extent block, std::size_t shared_bytes = 0, Stream stream = {}) {
  constexpr std::size_t without_asking = 48 * 1024;
  if (shared_bytes > without_asking)
    throw emulated::KernelFault(
        "more than 48 KiB of dynamic shared memory by <<< >>>; launch() asks for it");
  const LaunchShape shape{
      .grid = grid, .block = block, .shared_bytes = shared_bytes, .cluster = cluster};
  return [=](std::type_identity_t<Parameters>... arguments) {
    launch(kernel, shape, stream, arguments...);
  };
}
template <class... Parameters, class... Shape>
auto configured(void (*kernel)(Parameters...), Shape... shape) {
  return configured_in_clusters(1, kernel, shape...);
}
// Called by such a kernel.
inline void expect_cluster(Extent blocks, emulated::Here where = emulated::Here::current()) {
  emulated::expect_cluster({blocks.x, blocks.y, blocks.z}, where);
}

}  // namespace ladder
