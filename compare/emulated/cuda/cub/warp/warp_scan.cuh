#pragma once

#include "compare/emulated/cuda/cub/collectives.hpp"

namespace cub {

template <class T, int threads = warpSize>
struct WarpScan : detail::Scan<T, threads, false> {
  using detail::Scan<T, threads, false>::Scan;
};

}  // namespace cub
