// A scan in strands: each warp of a grid has one, a part of the array that lies together. It reads
// the strand for its total, and once more to scan it after all that comes before.
#pragma once

#include "handwritten/scan/tile.hpp"

namespace ladder {

template <class T>
struct Strands {
  static constexpr unsigned threads = 256, warps = threads / 32, blocks_of_multiprocessor = 4;
  static constexpr unsigned vectors = 4, step = 32 * vectors;  // that a warp takes at a time: 2 KiB

  ScanVectors<T> arrays;
  std::size_t steps;  // in all
  unsigned blocks;

  explicit Strands(const ScanArguments<T>& part) : arrays(part), steps(arrays.tiles(step)) {
    const std::size_t enough = (steps + warps - 1) / warps,
                      most = blocks_of_multiprocessor * backend::multiprocessors();
    blocks = static_cast<unsigned>(enough < most ? enough : most);
  }

  unsigned count() const { return blocks * warps; }

  // The steps of the running warp's strand: from first_step() on, up to those of the next warp's.
  __device__ std::size_t first_step(unsigned more = 0) const {
    return steps * (blockIdx.x * warps + threadIdx.x / 32 + more) / (std::size_t{blocks} * warps);
  }

  // In lane 0. backwards: from the end, so that the cache then has the beginning.
  template <class Op, bool backwards = false>
  __device__ T total() const {
    const std::size_t first = first_step(), last = first_step(1);
    T total = Op::template identity<T>();
    for (std::size_t k = first; k < last; ++k) {
      Vector<T> value[vectors];
      arrays.template load<Op>((backwards ? first + last - 1 - k : k) * step, value);
      const T of_step = fold_rows<Op>(value);
      total = backwards ? Op{}(of_step, total) : Op{}(total, of_step);
    }
    return total;
  }

  // before: all that comes before the strand.
  template <class Op, ScanKind kind>
  __device__ void scan(T before) const {
    for (std::size_t k = first_step(); k < first_step(1); ++k) {
      Vector<T> value[vectors];
      arrays.template load<Op>(k * step, value);
#pragma unroll
      for (unsigned row = 0; row < vectors; ++row) {
        scan_vector<Op>(value[row]);
        const T scanned = scan_warp<Op>(value[row].element[arrays.width - 1]);
        const T left = __shfl_up_sync(whole_warp, scanned, 1);
        put_before<Op, kind>(threadIdx.x % 32 == 0 ? before : Op{}(before, left), value[row]);
        before = Op{}(before, __shfl_sync(whole_warp, scanned, 31));
      }
      arrays.store(k * step, value);
    }
  }
};

}  // namespace ladder
