// What CUB's collectives share on the emulated backend. They stand in place of the toolkit's, which
// exchange values by inline PTX. They keep CUB's contract and take none of its shortcuts: all
// values go through the TempStorage, and after their last barrier threads read what others wrote
// there. So the checker sees who shares a TempStorage, or uses it again without a barrier. What CUB
// leaves undefined is a value that shows. They are inlined into the kernel, so that findings name
// its lines.
#pragma once

#include <algorithm>
#include <cstring>
#include <cuda/functional>
#include <optional>
#include <type_traits>

#include "compare/emulated/language/intrinsics.hpp"
#include "compare/emulated/language/ranks.hpp"

namespace cub::detail {

using ladder::emulated::Here;

// It is not constructed, as CUB's is not, so it may lie in shared memory and in a union.
template <class T, int count>
struct Cells {
  alignas(T) unsigned char bytes[count * sizeof(T)];
  T* cells() { return reinterpret_cast<T*>(bytes); }
};

template <class T>
T undefined() {
  T value;
  std::memset(static_cast<void*>(&value), 0xde, sizeof value);
  return value;
}

template <class T, class Op>
__forceinline__ T joined(const std::optional<T>& before, T value, Op op) {
  return before ? static_cast<T>(op(*before, value)) : value;
}

template <int count, class T, class Op>
__forceinline__ T fold_items(const T* items, Op op) {
  T all = items[0];
  for (int k = 1; k < count; ++k) all = joined<T>(all, items[k], op);
  return all;
}

inline void require(bool holds, Here where) {
  if (!holds)
    __assert_fail("that the block has the threads that its collective of CUB counts on", where.file,
                  where.line, "");
}

// CUB numbers threads by the extents that it is told.
inline bool block_is(unsigned x, unsigned y, unsigned z) {
  return blockDim.x == x && blockDim.y == y && blockDim.z == z;
}

// So many neighbours in a warp, and a cell for each.
template <int count>
struct Lanes {
  static_assert(count >= 1 && count <= warpSize, "1 to 32 threads");

  static int rank() { return static_cast<int>(ladder::emulated::lane_index()) % count; }
  static void sync(Here where) {
    const unsigned lane = ladder::emulated::lane_index();
    __syncwarp(static_cast<unsigned>((1ULL << count) - 1) << (lane / count * count), where);
  }

  // The fold of the values from the caller's to that of the last lane of the first `valid` ones.
  template <class T, class Op>
  static __forceinline__ T fold(T* cells, T value, int valid, Op op, Here where) {
    for (int reach = 1; reach < count; reach *= 2) {
      if (reach > 1) sync(where);
      cells[rank()] = value;
      sync(where);
      if (const int other = rank() + reach; other < std::min(valid, count))
        value = joined<T>(value, cells[other], op);
    }
    return value;
  }

  // Leaves in the caller's cell the fold of the values from the first lane's to the caller's.
  template <class T, class Op>
  static __forceinline__ void scan(T* cells, T value, Op op, Here where) {
    cells[rank()] = value;
    for (int reach = 1; reach < count; reach *= 2) {
      sync(where);
      if (rank() >= reach) value = joined<T>(cells[rank() - reach], value, op);
      sync(where);
      cells[rank()] = value;
    }
  }
};

// A scan of lanes, or of a block. In the block each thread may bring an array. The last parameter
// of a scan is nothing, or where the aggregate of all inputs goes, or a callback for the prefix of
// the block.
template <class T, bool of_block, int x, int y = 1, int z = 1>
class Scan {
  static constexpr int threads = x * y * z;
  using Warp = Lanes<std::min(threads, warpSize)>;
  template <class Output>
  using Input = std::type_identity_t<Output>;

 public:
  struct TempStorage : Cells<T, threads + 1> {};  // the last one is for the prefix
  Scan(TempStorage& storage, Here where = Here::current())
      : cells_(storage.cells()), where_(where) {
    require(!of_block || block_is(x, y, z), where);
  }

  template <class Output, class... Last>
  __forceinline__ void InclusiveSum(const Input<Output>& input, Output& output, Last&... last) {
    scan<true>(input, output, {}, std::plus<>(), last...);
  }
  template <class Output, class... Last>
  __forceinline__ void ExclusiveSum(const Input<Output>& input, Output& output, Last&... last) {
    scan<false>(input, output, T{}, std::plus<>(), last...);
  }
  template <class Output, std::invocable<T, T> Op, class... Last>
  __forceinline__ void InclusiveScan(const Input<Output>& input, Output& output, Op op,
                                     Last&... last) {
    scan<true>(input, output, {}, op, last...);
  }
  template <class Output, std::invocable<T, T> Op, class... Last>
  __forceinline__ void ExclusiveScan(const Input<Output>& input, Output& output, Op op,
                                     Last&... last) {
    scan<false>(input, output, {}, op, last...);
  }
  template <class Output, class Op, class... Aggregate>
  __forceinline__ void InclusiveScan(const Input<Output>& input, Output& output, T initial, Op op,
                                     Aggregate&... aggregate) {
    scan<true>(input, output, initial, op, aggregate...);
  }
  template <class Output, class Op, class... Aggregate>
  __forceinline__ void ExclusiveScan(const Input<Output>& input, Output& output, T initial, Op op,
                                     Aggregate&... aggregate) {
    scan<false>(input, output, initial, op, aggregate...);
  }

 private:
  template <bool inclusive, class Items, class Op, class... Last>
  __forceinline__ void scan(const Items& input, Items& output, std::optional<T> before, Op op,
                            Last&... last) {
    static_assert(
        std::is_same_v<Items, T> || (of_block && std::is_same_v<std::remove_extent_t<Items>, T>),
        "a T or, in a block, an array of T");
    constexpr int items = sizeof(Items) / sizeof(T);
    T in[items], *const out = reinterpret_cast<T*>(&output);
    for (int k = 0; k < items; ++k) in[k] = reinterpret_cast<const T*>(&input)[k];

    Warp::scan(cells_ + rank() - Warp::rank(), fold_items<items>(in, op), op, where_);
    sync();
    (finish(before, op, last), ...);
    before = fold_of_first(rank(), before, op);
    for (int k = 0; k < items; ++k) {
      if (!inclusive) out[k] = before ? *before : undefined<T>();
      if (inclusive || k + 1 < items) before = joined(before, in[k], op);
      if (inclusive) out[k] = *before;
    }
  }

  // After `before`. Each warp has left its fold in the cell of its last thread.
  template <class Op>
  __forceinline__ std::optional<T> fold_of_first(int count, std::optional<T> before, Op op) {
    for (int first = 0; first < count; first += warpSize)
      before = joined(before, cells_[std::min(first + warpSize, count) - 1], op);
    return before;
  }

  template <class Op, class Last>
  __forceinline__ void finish(std::optional<T>& before, Op op, Last& last) {
    if constexpr (std::is_same_v<Last, T>) {
      last = *fold_of_first(threads, {}, op);
    } else {
      static_assert(of_block, "only the scan of a block takes a callback for its prefix");
      if (rank() < warpSize) {
        const T prefix = last(*fold_of_first(threads, {}, op));
        if (rank() == 0) cells_[threads] = prefix;
      }
      sync();
      before = cells_[threads];
    }
  }

  int rank() const {
    return of_block ? static_cast<int>(ladder::emulated::thread_rank()) : Warp::rank();
  }
  void sync() const {
    if (of_block) __syncthreads(where_);
    else Warp::sync(where_);
  }

  T* cells_;
  Here where_;
};

}  // namespace cub::detail
