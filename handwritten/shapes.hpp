// The shapes of a grid that reads its input once and finishes by gathering, by the bytes that it reads.
//
// Of an H200, cold, i32: up to 16 KiB one block is fastest, which waits for no one. Up to 1 MiB small blocks with one load in each thread are, on as
// many multiprocessors as there is work for; then two blocks of 1,024 threads on each, with more loads in flight the more there is to read.
#pragma once

#include "handwritten/stream.hpp"

namespace ladder {

constexpr std::size_t bytes_for_one_block = std::size_t{16} << 10;
constexpr std::size_t bytes_for_small_blocks = std::size_t{1} << 20;
constexpr std::size_t bytes_for_two_loads = std::size_t{16} << 20;

template <unsigned threads_of_block, unsigned loads_in_flight>
struct StreamShape {
  static constexpr unsigned threads = threads_of_block, unroll = loads_in_flight;
};

template <class Kernel>
struct ShapeOf {
  unsigned threads, blocks;
  Kernel kernel;
};

// `kernel_of` returns the kernel for a StreamShape. Each thread has a vector to read.
template <class KernelOf>
auto shape_for_stream(std::size_t bytes, KernelOf kernel_of) {
  using Kernel = decltype(kernel_of(StreamShape<1024, 1>()));
  const auto with = [&](auto shape) {
    const unsigned enough = bytes <= bytes_for_one_block ? 1 : blocks_for(bytes, shape.threads * 16);
    const unsigned resident = (2048 / shape.threads) * backend::multiprocessors();
    return ShapeOf<Kernel>{shape.threads, enough < resident ? enough : resident, kernel_of(shape)};
  };
  if (bytes <= bytes_for_one_block) return with(StreamShape<1024, 1>());
  if (bytes <= bytes_for_small_blocks) return with(StreamShape<512, 1>());
  if (bytes <= bytes_for_two_loads) return with(StreamShape<1024, 2>());
  return with(StreamShape<1024, 4>());
}

}  // namespace ladder
