// What the faulty rungs share: one launch of one block, which leaves the right answer unless its
// fault is that it does not.
#pragma once

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"

namespace ladder {

template <class T, class Op>
__device__ T serial_fold(const T* in, std::size_t n) {
  T value = Op::template identity<T>();
  for (std::size_t i = 0; i < n; ++i) value = Op{}(value, in[i]);
  return value;
}

// kernel(in, n, out, scratch), scratch: 32 elements of device memory that this rung has not
// written.
template <class T, class Op, void (*kernel)(const T*, std::size_t, T*, T*), unsigned threads = 64>
class OneBlock {
 public:
  explicit OneBlock(const typename Reduce<T, Op>::Device& device) : device_(device), scratch_(32) {}
  void operator()(Stream stream) {
    launch(kernel, {1, threads}, stream, device_.in, device_.n, device_.out, scratch_.data());
  }

 private:
  typename Reduce<T, Op>::Device device_;
  DeviceArray<T> scratch_;
};

}  // namespace ladder
