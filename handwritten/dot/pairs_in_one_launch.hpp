// The host side of the dot rungs that finish in one launch, whose shape goes by the size.
#pragma once

#include <type_traits>

#include "handwritten/dot/pairs.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {

template <unsigned width>
using Width = std::integral_constant<unsigned, width>;

// `kernel_of` gives the kernel of a Shape and of the Width of the vectors that it reads.
// `words_of_block` words for each block are 0 before and after the launch.
template <class T, class Large = Shape<1024, 4, true>>
class PairsInOneLaunch {
 public:
  template <class KernelOf>
  PairsInOneLaunch(const typename Dot<T>::Device& device, KernelOf kernel_of,
                   std::size_t words_of_block)
      : device_(device),
        pairs_(device),
        shape_(shape_for_stream<Large>(
            device.n * sizeof(T), 2,
            [&](auto shape) {
              return pairs_.width == 1 ? kernel_of(shape, Width<1>())
                                       : kernel_of(shape, Width<elements_of_vector<T>>());
            })),
        words_(zeros<Word>(shape_.blocks * words_of_block)) {}

  void operator()(Stream stream, Accumulator<T>* out) {
    launch(shape_.kernel, shape_.launch(), stream, device_.a, device_.b, device_.n, pairs_.head,
           words_.data(), out);
  }

 private:
  typename Dot<T>::Device device_;
  Pairs<T> pairs_;
  Shaped<void (*)(const T* a, const T* b, std::size_t n, unsigned head, Word* words,
                  Accumulator<T>* out)>
      shape_;
  DeviceArray<Word> words_;
};

}  // namespace ladder
