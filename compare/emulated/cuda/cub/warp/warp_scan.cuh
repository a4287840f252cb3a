#pragma once

#include "compare/emulated/cuda/cub/collectives.hpp"

namespace cub {

template <class T, int threads = warpSize>
struct WarpScan : detail::Scan<T, false, threads> {
  using detail::Scan<T, false, threads>::Scan;
};

}  // namespace cub
