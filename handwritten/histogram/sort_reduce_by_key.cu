#include <algorithm>
#include <bit>

#include "handwritten/histogram/counters.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "Sort the elements, so that those of one bin form a run, and sum each run.",
    .follows = "private_then_reduce",
    .step = "No thread waits for a counter, and its memory grows with n, not with threads x bins.",
    .costs =
        "For every 4 bits of the bin number, it reads and writes the elements twice. It takes two "
        "more arrays of n elements.",
    .limited_by =
        "That traffic, 16 words for each element at 65,536 bins, and the scan by a single block in "
        "each pass.",
    .repaired =
        "The note does not say how to sort. Its values are all 1: here they are not carried along, "
        "since their sum over a run is its length.",
    .notes = "N3",
    .source =
        "The sort, tiles first and then the digits of the tiles, is that of N. Satish, M. Harris "
        "and M. Garland, Designing efficient sorting "
        "algorithms for manycore GPUs (2009).",
};

constexpr unsigned threads = 256;
constexpr unsigned warps = threads / 32;
constexpr unsigned keys_of_thread = 16;
constexpr unsigned tile_size = threads * keys_of_thread;
constexpr unsigned digit_bits = 4;  // of the key, sorted in one pass, lowest first
constexpr unsigned digits = 1U << digit_bits;
constexpr unsigned scan_threads = 1024;
constexpr unsigned whole_warp = 0xffffffff;

constexpr unsigned digit_of(unsigned key, unsigned shift) {
  return (key >> shift) & (digits - 1);
}

constexpr unsigned tile_length(std::size_t n, std::size_t first) {
  return n - first < tile_size ? static_cast<unsigned>(n - first) : tile_size;
}

// Where key i of the tile goes when keys with a 0 in this bit move to the front and all else stays
// in order. A warp holds 512 adjacent keys, lane l of it keys l, l + 32, .. of them.
__device__ inline void split(const unsigned (&key)[keys_of_thread], unsigned first_of_lane,
                             unsigned bit, unsigned (&place)[keys_of_thread]) {
  __shared__ unsigned zeros_of_warp[warps];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned lower_lanes = (1U << lane) - 1;

  unsigned zeros = 0;  // of this warp, so far
#pragma unroll
  for (unsigned k = 0; k < keys_of_thread; ++k) {
    const unsigned has_zero = __ballot_sync(whole_warp, ((key[k] >> bit) & 1) == 0);
    place[k] = zeros + __popc(has_zero & lower_lanes);
    zeros += __popc(has_zero);
  }
  if (lane == 0) zeros_of_warp[warp] = zeros;
  __syncthreads();

  unsigned before = 0, of_tile = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w == warp) before = of_tile;
    of_tile += zeros_of_warp[w];
  }
#pragma unroll
  for (unsigned k = 0; k < keys_of_thread; ++k) {
    const unsigned zeros_before = before + place[k];
    const bool is_zero = ((key[k] >> bit) & 1) == 0;
    place[k] = is_zero ? zeros_before : of_tile + (first_of_lane + 32 * k) - zeros_before;
  }
}

// Sorts each tile by one digit, and tells how many of its keys have each: lengths[digit * tiles +
// tile].
template <class T>
__global__ void sort_tiles_kernel(const T* in, std::size_t n, unsigned shift, T* sorted_tiles,
                                  std::size_t* lengths) {
  __shared__ unsigned tile[tile_size];
  __shared__ unsigned start[digits], end[digits];
  const std::size_t first = std::size_t{blockIdx.x} * tile_size;
  const unsigned length = tile_length(n, first);
  const unsigned t = threadIdx.x;
  const unsigned first_of_lane = t / 32 * (32 * keys_of_thread) + t % 32;

  unsigned key[keys_of_thread], place[keys_of_thread];
#pragma unroll
  for (unsigned k = 0; k < keys_of_thread; ++k) {
    const unsigned i = first_of_lane + 32 * k;
    // what fills the last tile up is last, and stays it
    key[k] = i < length ? static_cast<unsigned>(in[first + i]) : ~0U;
  }

  for (unsigned bit = shift; bit < shift + digit_bits; ++bit) {
    split(key, first_of_lane, bit, place);
#pragma unroll
    for (unsigned k = 0; k < keys_of_thread; ++k) tile[place[k]] = key[k];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < keys_of_thread; ++k) key[k] = tile[first_of_lane + 32 * k];
  }

  if (t < digits) start[t] = end[t] = 0;
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < keys_of_thread; ++k) {
    const unsigned i = first_of_lane + 32 * k;
    if (i >= length) break;
    const unsigned digit = digit_of(key[k], shift);
    if (i == 0 || digit_of(tile[i - 1], shift) != digit) start[digit] = i;
    if (i + 1 == length || digit_of(tile[i + 1], shift) != digit) end[digit] = i + 1;
    sorted_tiles[first + i] = static_cast<T>(key[k]);
  }
  __syncthreads();
  if (t < digits) lengths[std::size_t{t} * gridDim.x + blockIdx.x] = end[t] - start[t];
}

// One block: values[i] becomes the sum of all before it.
__global__ void exclusive_scan_kernel(std::size_t* values, std::size_t length) {
  __shared__ std::size_t of_warp[scan_threads / 32];
  const unsigned t = threadIdx.x;
  const unsigned lane = t % 32;

  std::size_t before = 0;
  for (std::size_t first = 0; first < length; first += scan_threads) {
    const std::size_t value = first + t < length ? values[first + t] : 0;
    std::size_t sum = value;  // up to and with this lane
    for (unsigned offset = 1; offset < 32; offset *= 2) {
      const std::size_t left = __shfl_up_sync(whole_warp, sum, offset);
      if (lane >= offset) sum += left;
    }
    if (lane == 31) of_warp[t / 32] = sum;
    __syncthreads();

    std::size_t of_chunk = 0;
    for (unsigned w = 0; w < scan_threads / 32; ++w) {
      if (w == t / 32) sum += of_chunk;
      of_chunk += of_warp[w];
    }
    if (first + t < length) values[first + t] = before + sum - value;
    before += of_chunk;
    __syncthreads();
  }
}

// Moves each tile's keys to where their digit begins in the whole array: starts[digit * tiles +
// tile].
template <class T>
__global__ void scatter_tiles_kernel(const T* sorted_tiles, std::size_t n, unsigned shift,
                                     const std::size_t* starts, T* out) {
  __shared__ unsigned tile[tile_size];
  __shared__ unsigned start[digits];
  const std::size_t first = std::size_t{blockIdx.x} * tile_size;
  const unsigned length = tile_length(n, first);

  for (unsigned i = threadIdx.x; i < length; i += threads)
    tile[i] = static_cast<unsigned>(sorted_tiles[first + i]);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < length; i += threads) {
    const unsigned digit = digit_of(tile[i], shift);
    if (i == 0 || digit_of(tile[i - 1], shift) != digit) start[digit] = i;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < length; i += threads) {
    const unsigned digit = digit_of(tile[i], shift);
    out[starts[std::size_t{digit} * gridDim.x + blockIdx.x] + i - start[digit]] =
        static_cast<T>(tile[i]);
  }
}

// ends[0..bins) are the starts of the runs and ends[bins..2 bins) their ends: 0 and 0 for a bin
// that does not occur.
template <class T>
__global__ void find_runs_kernel(const T* sorted, std::size_t n, unsigned bins, std::size_t* ends) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T bin = sorted[i];
  if (i == 0 || sorted[i - 1] != bin) ends[bin] = i;
  if (i + 1 == n || sorted[i + 1] != bin) ends[bins + bin] = i + 1;
}

__global__ void sum_runs_kernel(const std::size_t* ends, unsigned bins, std::int32_t* counts) {
  const unsigned bin = blockIdx.x * blockDim.x + threadIdx.x;
  if (bin < bins) counts[bin] = static_cast<std::int32_t>(ends[bins + bin] - ends[bin]);
}

template <class T>
struct SortReduceByKey {
  typename Histogram<T>::Device device;
  unsigned tiles = blocks_for(device.n, tile_size);
  DeviceArray<T> sorted_tiles{device.n};
  DeviceArray<T> sorted{device.n};
  DeviceArray<std::size_t> starts{std::size_t{tiles} * digits};
  DeviceArray<std::size_t> ends{std::size_t{device.bins} * 2};

  void operator()(Stream stream) {
    const auto& [in, n, bins, out] = device;
    const T* keys = in;
    for (unsigned shift = 0; shift < static_cast<unsigned>(std::bit_width(bins - 1));
         shift += digit_bits) {
      launch(sort_tiles_kernel<T>, {tiles, threads}, stream, keys, n, shift, sorted_tiles.data(),
             starts.data());
      launch(exclusive_scan_kernel, {1, scan_threads}, stream, starts.data(),
             std::size_t{tiles} * digits);
      launch(scatter_tiles_kernel<T>, {tiles, threads}, stream, sorted_tiles.data(), n, shift,
             starts.data(), sorted.data());
      keys = sorted.data();
    }
    clear(ends.data(), std::size_t{bins} * 2, stream);
    launch(find_runs_kernel<T>, {blocks_for(n, threads), threads}, stream, keys, n, bins,
           ends.data());
    launch(sum_runs_kernel, {blocks_for(bins, threads), threads}, stream, ends.data(), bins, out);
  }
};

const Register<Histogram, SortReduceByKey> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
