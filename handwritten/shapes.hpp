// The shapes of a grid that reads its input once and finishes by gathering, by the bytes that it reads.
//
// On an H200, cold, i32: up to 16 KiB one block is fastest, which waits for no one. Up to 1 MiB small blocks with one load in each thread are, on as
// many multiprocessors as there is work for; then two blocks of 1,024 threads on each, with more loads in flight the more there is to read.
#pragma once

#include "handwritten/stream.hpp"

namespace ladder {

constexpr std::size_t bytes_for_one_block = 16 << 10;
constexpr std::size_t bytes_for_small_blocks = 8 << 10;  // for each multiprocessor
constexpr std::size_t bytes_for_two_loads = 32 << 10;    // for each multiprocessor

// A kernel is compiled for each shape that it may be launched with.
template <unsigned threads_of_block, unsigned vectors_of_thread>
struct Shape {
  static constexpr unsigned threads = threads_of_block, vectors = vectors_of_thread;
};

template <class Kernel>
struct Shaped {
  Kernel kernel;
  unsigned threads, blocks;
};

// `kernel_of` gives the kernel of a Shape, whose `vectors` are the loads in flight. Each thread has a vector to read.
template <class KernelOf>
auto shape_for_stream(std::size_t bytes, KernelOf kernel_of) {
  const std::size_t multiprocessors = backend::multiprocessors();
  const auto with = [&]<class Chosen>(Chosen shape) {
    const unsigned enough = bytes <= bytes_for_one_block ? 1 : blocks_for(bytes, Chosen::threads * 16);
    const unsigned resident = threads_of_multiprocessor / Chosen::threads * backend::multiprocessors();
    return Shaped<decltype(kernel_of(shape))>{kernel_of(shape), Chosen::threads, enough < resident ? enough : resident};
  };
  if (bytes > bytes_for_one_block && bytes <= bytes_for_small_blocks * multiprocessors) return with(Shape<512, 1>());
  if (bytes <= bytes_for_two_loads * multiprocessors) return with(Shape<1024, 2>());
  return with(Shape<1024, 4>());
}

}  // namespace ladder
