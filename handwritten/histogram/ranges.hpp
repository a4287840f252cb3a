// Bins in ranges. 65,536 bins are 256 KiB, more than a block can have: 227 KiB on sm_90, 64 KiB on
// sm_75. So the bins are cut into ranges. As many blocks with adjacent numbers walk over the same
// elements at about the same time, and each counts those in its own range: the first of them reads
// an element from memory, and the others find it in the cache. Atomics on global memory would read
// once, but queue up where the input is mostly one value.
#pragma once

#include "handwritten/histogram/copies.hpp"
#include "handwritten/launches.hpp"
#include "handwritten/stream.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// A launch of `groups` times `ranges` blocks. Block b counts range b % ranges of the bins, and is
// number b / ranges of those blocks that do.
struct Ranges {
  unsigned bins, length;  // of each range but the last, which may be shorter
  unsigned ranges, copies, groups, threads;
  std::size_t shared_bytes;

  // A block has enough to do that clearing and adding up its counters is the smaller part.
  Ranges(std::size_t n, unsigned bins_in_all, unsigned most_counters, unsigned most_copies,
         unsigned threads_of_block, std::size_t least_of_block)
      : bins(bins_in_all),
        length(std::min(bins, most_counters)),
        ranges(blocks_for(bins, length)),
        copies(std::min(copies_for(length), most_copies)),
        threads(threads_of_block) {
    // sm_90 has 228 KiB; elsewhere some blocks wait for their turn
    constexpr std::size_t shared_bytes_of_multiprocessor = 200 * 1024;
    shared_bytes = std::size_t{length} * copies * sizeof(std::int32_t);
    const unsigned enough = blocks_for(n, std::max<std::size_t>(least_of_block, length));
    const auto resident = static_cast<unsigned>(
        std::min<std::size_t>(2048 / threads, shared_bytes_of_multiprocessor / shared_bytes));
    groups = std::min(enough, std::max(resident * backend::multiprocessors() / ranges, 1U));
  }

  LaunchShape shape() const { return {groups * ranges, threads, shared_bytes}; }

  __device__ unsigned first_bin() const { return blockIdx.x % ranges * length; }
  __device__ unsigned length_of_block() const {
    return bins - first_bin() < length ? bins - first_bin() : length;
  }
};

// Leaves the counts of this block's range in its copies, behind a barrier.
template <unsigned unroll, bool once = false, class T>
__device__ void count_range(const T* in, std::size_t n, unsigned head, const Ranges& ranges,
                            std::int32_t* counters) {
  const unsigned first_bin = ranges.first_bin(), length = ranges.length_of_block(),
                 copies = ranges.copies;
  clear_copies(counters, length * copies);
  std::int32_t* const counters_of_lane = counters + threadIdx.x % copies;
  stream_elements<unroll, once>(in, n, head,
                                std::size_t{blockIdx.x / ranges.ranges} * blockDim.x + threadIdx.x,
                                std::size_t{gridDim.x / ranges.ranges} * blockDim.x, [&](T value) {
                                  // below first_bin: a large number
                                  const unsigned bin = static_cast<unsigned>(value) - first_bin;
                                  if (bin < length) atomicAdd(&counters_of_lane[bin * copies], 1);
                                });
  __syncthreads();
}

// Adds the counts of all groups to the result, which is 0 once the launch before has ended; a
// single group writes it.
template <class T, unsigned threads, unsigned unroll, bool once = false>
__global__ void __launch_bounds__(threads, threads_of_multiprocessor / threads)
    count_ranges_kernel(const T* in, std::size_t n, unsigned head, const Ranges ranges,
                        std::int32_t* counts) {
  std::int32_t* counters = dynamic_shared<std::int32_t>();
  count_range<unroll, once>(in, n, head, ranges, counters);
  wait_for_launch_before();
  counts += ranges.first_bin();
  for (unsigned bin = threadIdx.x; bin < ranges.length_of_block(); bin += threads) {
    const std::int32_t sum = sum_of_copies(counters, bin, ranges.copies);
    if (ranges.groups == 1) counts[bin] = sum;
    else if (sum != 0) atomicAdd(&counts[bin], sum);
  }
}

}  // namespace LADDER_UNIT
}  // namespace ladder
