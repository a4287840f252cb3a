// The host side of the reduce rungs that read vectors: a launch of as many blocks as the GPU holds
// at once, and one more of a single block, which folds their partials.
#pragma once

#include "compare/operations/reduce.hpp"
#include "handwritten/stream.hpp"

namespace ladder {

template <class T>
using KernelToPartials = void (*)(const T* in, std::size_t n, unsigned head,
                                  Accumulator<T>* partials);

template <class T, KernelToPartials<T> kernel, KernelToPartials<Accumulator<T>> kernel_of_partials,
          unsigned threads, unsigned blocks_per_multiprocessor>
struct InTwoLaunches {
  ReduceArguments<T> device;
  unsigned head = elements_before_boundary(device.in, device.n);
  unsigned blocks =
      blocks_for(device.n, std::size_t{threads} * elements_of_vector<T>, blocks_per_multiprocessor);
  DeviceArray<Accumulator<T>> partials{blocks};

  void operator()(Stream stream) {
    launch(kernel, {blocks, threads}, stream, device.in, device.n, head,
           blocks == 1 ? device.out : partials.data());
    if (blocks > 1)
      launch(kernel_of_partials, {1, threads}, stream, partials.data(), blocks, 0U, device.out);
  }
};

}  // namespace ladder
