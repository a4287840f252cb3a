// What the rungs that scan block by block share: how the blocks are joined. (The notes scan one
// block and do not say how to go on.)
//
// A rung's kernel scans a slice of the input in each block and also writes the slice's total. The
// totals are scanned by the same kernel, level by level until one block is left; then each slice is
// combined with all that comes before it. For n elements that is 2 n words read and 2 n written,
// where n and n would do.
#pragma once

#include <vector>

#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"

namespace ladder {

// One block for each slice of `per_block` elements. before[b]: all that comes before slice b, in
// order.
template <class T, class Op>
__global__ void combine_kernel(T* out, std::size_t n, unsigned per_block, const T* before) {
  const Op op;
  const std::size_t first = std::size_t{blockIdx.x} * per_block;
  const T mine = before[blockIdx.x];
  for (unsigned k = threadIdx.x; k < per_block && first + k < n; k += blockDim.x)
    out[first + k] = op(mine, out[first + k]);
}

template <class T, class Op>
class ScanByBlocks {
 public:
  // Block b scans the b-th slice of `in` into the same slice of `out`, which may be `in` itself,
  // and leaves the slice's total in totals[b].
  using Kernel = void (*)(const T* in, std::size_t n, T* out, T* totals);

  // What a block is launched with, and the elements of its slice.
  struct Shape {
    unsigned threads, per_block;
    std::size_t shared_bytes = 0;
  };

  // kernel: of the kind that is wanted. exclusive: for the totals.
  ScanByBlocks(const ScanArguments<T>& device, Kernel kernel, Kernel exclusive, const Shape& shape)
      : device_(device), kernel_(kernel), exclusive_(exclusive), shape_(shape) {
    for (std::size_t n = device.n; totals_.empty() || n > 1; n = blocks_for(n, shape.per_block))
      totals_.emplace_back(blocks_for(n, shape.per_block));
  }

  void operator()(Stream stream) { scan(kernel_, device_.in, device_.n, device_.out, 0, stream); }

 private:
  void scan(Kernel kernel, const T* in, std::size_t n, T* out, std::size_t level,
            Stream stream) const {
    const unsigned blocks = blocks_for(n, shape_.per_block);
    T* const totals = totals_[level].data();
    launch(kernel, {blocks, shape_.threads, shape_.shared_bytes}, stream, in, n, out, totals);
    if (blocks == 1) return;
    scan(exclusive_, totals, blocks, totals, level + 1, stream);
    launch(combine_kernel<T, Op>, {blocks - 1, shape_.threads}, stream, out + shape_.per_block,
           n - shape_.per_block, shape_.per_block, totals + 1);
  }

  ScanArguments<T> device_;
  Kernel kernel_, exclusive_;
  Shape shape_;
  std::vector<DeviceArray<T>> totals_;  // of each level's slices
};

}  // namespace ladder
