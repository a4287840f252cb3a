#pragma once

#include "compare/emulated/cuda/cub/collectives.hpp"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// Each algorithm is the last one.
template <class T, int threads, BlockScanAlgorithm = BLOCK_SCAN_RAKING>
struct BlockScan : detail::Scan<T, threads, true> {
  using detail::Scan<T, threads, true>::Scan;
};

}  // namespace cub
