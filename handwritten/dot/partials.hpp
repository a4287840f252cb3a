// The host side that the note's dot rungs share. A kernel of theirs multiplies a slice of a and b
// for each block and adds the products up to one partial; the note adds the partials on the host.
// To leave one value in device memory, a second kernel adds them, level by level.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// Each block adds blockDim.x partials, a power of two, up to one.
template <class T>
__global__ void add_partials_kernel(const T* in, std::size_t n, T* out) {
  const Sum plus;
  T* tile = dynamic_shared<T>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned t = threadIdx.x;

  tile[t] = i < n ? in[i] : T(0);
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = plus(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

// The note's host total: of the element type in dot0 and dot1, double from dot2 on. Integers wrap
// in their own type.
template <class T>
using DoubleTotal = std::conditional_t<std::is_floating_point_v<T>, double, T>;

// `threads` of a block, and as many pairs of elements.
template <class T, void (*kernel)(const T* a, const T* b, std::size_t n, T* partials),
          unsigned threads, class HostTotal = T>
struct DotByPartials {
  static constexpr unsigned adders = 1024;

  typename Dot<T>::Device device;
  unsigned blocks = blocks_for(device.n, threads);
  DeviceArray<T> odd{blocks};
  DeviceArray<T> even{blocks_for(blocks, adders)};
  std::vector<T> on_host = std::vector<T>(blocks);

  void operator()(Stream stream) {
    T* partials = odd.data();
    T* spare = even.data();
    multiply(stream, blocks == 1 ? device.out : partials);
    for (unsigned left = blocks; left > 1;) {
      const unsigned next = blocks_for(left, adders);
      launch(add_partials_kernel<T>, {next, adders, adders * sizeof(T)}, stream, partials, left,
             next == 1 ? device.out : spare);
      std::swap(partials, spare);
      left = next;
    }
  }

  void to_host(Stream stream, T* out) {
    multiply(stream, odd.data());
    backend::download(on_host.data(), odd.data(), blocks * sizeof(T), stream);
    HostTotal total = 0;
    for (const T partial : on_host) total = Sum()(total, static_cast<HostTotal>(partial));
    *out = static_cast<T>(total);
  }

  void multiply(Stream stream, T* partials) {
    launch(kernel, {blocks, threads}, stream, device.a, device.b, device.n, partials);
  }
};

}  // namespace LADDER_UNIT
}  // namespace ladder
