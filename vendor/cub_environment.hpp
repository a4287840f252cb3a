// What a call of CUB takes, from CCCL 3.5 on, in place of scratch memory and a stream.
#pragma once

#include <cuda/execution>
#include <cuda/memory_resource>
#include <cuda/std/execution>
#include <cuda/stream_ref>

#include <cstddef>

#include "vendor/kept_block.hpp"

namespace ladder {

// A block that is kept, as a memory resource. The environment copies it.
struct KeptMemory {
  KeptBlock* block;

  void* allocate_sync(std::size_t bytes, std::size_t) const {
    return block->allocate(static_cast<std::ptrdiff_t>(bytes));
  }
  void deallocate_sync(void*, std::size_t, std::size_t) const {}
  void* allocate(::cuda::stream_ref, std::size_t bytes, std::size_t alignment) const {
    return allocate_sync(bytes, alignment);
  }
  void deallocate(::cuda::stream_ref, void*, std::size_t, std::size_t) const {}
  bool operator==(const KeptMemory&) const = default;
};

// The call is enqueued there, keeps its scratch memory here, and promises this.
template <class Promise>
auto cub_environment(Stream stream, KeptBlock& scratch, Promise promise) {
  return ::cuda::std::execution::env{
      ::cuda::stream_ref{stream}, ::cuda::execution::require(promise),
      ::cuda::std::execution::prop{::cuda::mr::get_memory_resource, KeptMemory{&scratch}}};
}

}  // namespace ladder
