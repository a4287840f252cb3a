#pragma once

#include "compare/emulated/cuda/cub/collectives.hpp"

namespace cub {

template <class T, int threads = warpSize>
class WarpReduce {
 public:
  struct TempStorage : detail::Cells<T, threads> {};
  WarpReduce(TempStorage& storage, detail::Here where = detail::Here::current())
      : cells_(storage.cells()), where_(where) {}

  __forceinline__ T Sum(T input, int valid = threads) {
    return Reduce(input, std::plus<>(), valid);
  }
  template <class Op>
  __forceinline__ T Reduce(T input, Op op, int valid = threads) {
    using Lanes = detail::Lanes<threads>;
    const T all = Lanes::fold(cells_, input, valid, op, where_);
    return Lanes::rank() == 0 ? all : detail::undefined<T>();
  }

 private:
  T* cells_;
  detail::Here where_;
};

}  // namespace cub
