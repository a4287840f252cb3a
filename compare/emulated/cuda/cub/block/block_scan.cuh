#pragma once

#include "compare/emulated/cuda/cub/collectives.hpp"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// Each algorithm is the last one.
template <class T, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1>
struct BlockScan : detail::Scan<T, true, x, y, z> {
  using detail::Scan<T, true, x, y, z>::Scan;
};

}  // namespace cub
