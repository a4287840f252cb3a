#pragma once

#include "compare/emulated/cuda/cub/collectives.hpp"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

// All algorithms go one way: first each warp, then thread 0. The commutative one turns operands
// round, so an operator that minds comes out wrong.
template <class T, int x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1,
          int z = 1>
class BlockReduce {
  static constexpr int threads = x * y * z;

 public:
  struct TempStorage : detail::Cells<T, threads> {};
  BlockReduce(TempStorage& storage, detail::Here where = detail::Here::current())
      : cells_(storage.cells()), where_(where) {}

  __forceinline__ T Sum(T input, int valid = threads) {
    return Reduce(input, std::plus<>(), valid);
  }
  template <int items>
  __forceinline__ T Sum(T (&inputs)[items]) {
    return Reduce(inputs, std::plus<>());
  }
  template <int items, class Op>
  __forceinline__ T Reduce(T (&inputs)[items], Op op) {
    return Reduce(detail::fold_items<items>(inputs, op), op);
  }
  // A smaller block will do, where it says how many of its threads are valid.
  template <class Op>
  __forceinline__ T Reduce(T input, Op op, int valid = threads) {
    using Warp = detail::Lanes<std::min(threads, warpSize)>;
    const auto join = [&](const T& a, const T& b) {
      return algorithm == BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY ? op(b, a) : op(a, b);
    };
    const int rank = static_cast<int>(ladder::emulated::thread_rank()), first = rank - Warp::rank();
    valid = std::min(valid, threads);
    const bool is_smaller = detail::block_is(blockDim.x, y, z) && y * z == 1 && blockDim.x < x;
    detail::require((is_smaller || detail::block_is(x, y, z)) &&
                        valid <= static_cast<int>(ladder::emulated::threads_of_block()),
                    where_);

    T all = Warp::fold(cells_ + first, input, valid - first, join, where_);
    if (rank == first) cells_[rank] = all;
    if (threads > warpSize) {  // not all algorithms have a barrier for a single warp
      __syncthreads(where_);
      T seen;
      // it may still read when thread 0 has the result
      if (rank != 0) std::memcpy(static_cast<void*>(&seen), cells_, sizeof seen);
      // or the compiler leaves the read out
      asm volatile("" : : "r"(&seen) : "memory");
    }
    if (rank != 0) return detail::undefined<T>();
    for (int next = warpSize; next < valid; next += warpSize)
      all = detail::joined<T>(all, cells_[next], join);
    return all;
  }

 private:
  T* cells_;
  detail::Here where_;
};

}  // namespace cub
