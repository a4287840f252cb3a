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

// Block b scans the b-th slice of `in` into the same slice of `out`, which may be `in` itself, and
// leaves the slice's total in totals[b].
template <class T>
using BlockScan = void (*)(const T* in, std::size_t n, T* out, T* totals);

// kernel: of the kind that is wanted. exclusive: for the totals. per_block: elements of a slice.
template <class T, class Op, BlockScan<T> kernel, BlockScan<T> exclusive, unsigned threads,
          unsigned per_block, std::size_t shared_bytes = 0>
class ScanByBlocks {
 public:
  explicit ScanByBlocks(const ScanArguments<T>& device) : device_(device) {
    for (std::size_t n = device.n; totals_.empty() || n > 1; n = blocks_for(n, per_block))
      totals_.emplace_back(blocks_for(n, per_block));
  }

  void operator()(Stream stream) { scan(kernel, device_.in, device_.n, device_.out, 0, stream); }

 private:
  void scan(BlockScan<T> with, const T* in, std::size_t n, T* out, std::size_t level,
            Stream stream) const {
    const unsigned blocks = blocks_for(n, per_block);
    T* const totals = totals_[level].data();
    launch(with, {blocks, threads, shared_bytes}, stream, in, n, out, totals);
    if (blocks == 1) return;
    scan(exclusive, totals, blocks, totals, level + 1, stream);
    launch(combine_kernel<T, Op>, {blocks - 1, threads}, stream, out + per_block, n - per_block,
           per_block, totals + 1);
  }

  ScanArguments<T> device_;
  std::vector<DeviceArray<T>> totals_;  // of each level's slices
};

}  // namespace ladder
