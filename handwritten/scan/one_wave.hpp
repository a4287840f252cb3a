// A scan of tiles that are in the GPU all at the same time.
#pragma once

#include "handwritten/scan/tile.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {

// On an H200, cold, i32: 512 threads with a vector each are fastest up to 2^16, with two at 2^18, and 1,024 with up to four above.
constexpr std::size_t bytes_for_one_vector = 2 << 10;  // for each multiprocessor
constexpr std::size_t bytes_for_two_vectors = 8 << 10;
constexpr std::size_t bytes_for_large_blocks = 32 << 10;

// `first`: the number of this launch's first tile. `run` is another one in each launch: the tag of its totals. It is 1 before the first.
template <class T, class Op, ScanKind kind, unsigned threads, unsigned vectors>
__global__ void __launch_bounds__(threads, threads_of_multiprocessor / threads)
    one_wave_kernel(ScanVectors<T> arrays, unsigned first, Word* totals, unsigned* run) {
  constexpr unsigned width = elements_of_vector<T>, warps = threads / 32;
  const Op op;
  const T identity = Op::template identity<T>();
  __shared__ T of_warp[warps], of_totals[warps];
  __shared__ unsigned tag;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  if (threadIdx.x == 0) tag = *static_cast<volatile unsigned*>(run);
  const std::size_t tile = std::size_t{first} + blockIdx.x;
  const std::size_t mine = (tile * warps + warp) * (vectors * 32) + lane;
  Vector<T> value[vectors];
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) value[k] = arrays.template load<Op>(mine + k * 32);

  T so_far = identity;  // of the warp
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    scan_vector<Op>(value[k]);
    const T scanned = scan_warp<Op>(value[k].element[width - 1]);
    const T left = __shfl_up_sync(whole_warp, scanned, 1);
    put_before<Op, kind>(op(so_far, lane == 0 ? identity : left), value[k]);
    so_far = op(so_far, __shfl_sync(whole_warp, scanned, 31));
  }
  if (lane == 0) of_warp[warp] = so_far;
  __syncthreads();

  const T up_to_lane = scan_warp<Op>(lane < warps ? of_warp[lane] : identity);
  const bool is_last = blockIdx.x == gridDim.x - 1;
  if (threadIdx.x == warps - 1 && !is_last) publish(totals + blockIdx.x * words<T>, tag, up_to_lane);
  const T up_to_left = __shfl_sync(whole_warp, up_to_lane, warp == 0 ? 0 : warp - 1);

  // What the launches before have found, then the totals of the tiles before this one: thread after thread, each takes neighbours.
  const std::size_t start = std::size_t{first} * threads * vectors * width - arrays.shift;
  T before = identity;
  if (first > 0 && threadIdx.x == 0) {
    before = op(before, arrays.out[start - 1]);
    if constexpr (kind == ScanKind::exclusive) before = op(before, arrays.in[start - 1]);
  }
  const unsigned each = (blockIdx.x + threads - 1) / threads;
  for (unsigned k = threadIdx.x * each; k < (threadIdx.x + 1) * each && k < blockIdx.x; ++k)
    before = op(before, wait_for<T>(totals + k * words<T>, tag));
  before = fold_for_all<Op, threads>(before, of_totals);
  if (is_last && threadIdx.x == 0) *static_cast<volatile unsigned*>(run) = tag + 1;  // every block has published, and so has read it

  if (warp > 0) before = op(before, up_to_left);
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
#pragma unroll
    for (unsigned e = 0; e < width; ++e) value[k].element[e] = op(before, value[k].element[e]);
    arrays.store(mine + k * 32, value[k]);
  }
}

template <class T, class Op, ScanKind kind>
class OneWave {
 public:
  explicit OneWave(const ScanArguments<T>& device) : arrays_(device), run_(1) {
    const std::size_t bytes = device.n * sizeof(T), multiprocessors = backend::multiprocessors();
    if (bytes <= bytes_for_one_vector * multiprocessors) use<512, 1>();
    else if (bytes <= bytes_for_two_vectors * multiprocessors) use<512, 2>();
    else if (bytes <= bytes_for_large_blocks * multiprocessors) use<1024, 2>();
    else use<1024, 4>();
    totals_ = DeviceArray<Word>(resident_ * words<T>);
    backend::fill(totals_.data(), 0, resident_ * words<T> * sizeof(Word));
    const unsigned first_run = 1;
    backend::upload(run_.data(), &first_run, sizeof first_run);
  }

  void operator()(Stream stream) {
    for (unsigned first = 0; first < tiles_; first += resident_) {
      const unsigned blocks = tiles_ - first < resident_ ? tiles_ - first : resident_;
      launch(kernel_, {blocks, threads_, 0, true}, stream, arrays_, first, totals_.data(), run_.data());
    }
  }

 private:
  template <unsigned threads, unsigned vectors>
  void use() {
    kernel_ = one_wave_kernel<T, Op, kind, threads, vectors>;
    threads_ = threads;
    tiles_ = arrays_.tiles(threads * vectors);
    resident_ = resident_blocks(kernel_, threads, 0);
  }

  ScanVectors<T> arrays_;
  void (*kernel_)(ScanVectors<T> arrays, unsigned first, Word* totals, unsigned* run);
  unsigned threads_, tiles_, resident_;
  DeviceArray<Word> totals_;
  DeviceArray<unsigned> run_;
};

}  // namespace ladder
