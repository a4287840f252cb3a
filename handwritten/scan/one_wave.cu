#include "handwritten/scan/one_wave.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "All tiles are in the GPU at the same time: each block publishes the total of its tile, "
        "and reads the totals of all tiles before it at once, "
        "a thread each.",
    .follows = "one_block",
    .step =
        "A block for each tile, in a shape that goes by the size. Each publishes its total before "
        "it scans, and so before it waits. Unlike in vector_loads, no block waits for one that "
        "waits, and values are combined in the same order in every run.",
    .costs =
        "Each element is combined twice: for the total, and to scan. Block b reads b totals. What "
        "does not fit the GPU at once takes another launch, which begins where the last has ended.",
    .limited_by =
        "The way of a total from one block to all others. For large inputs, the launches: memory "
        "idles from one to the next.",
    .source = "Our own.",
};

// `first`: the number of this launch's first tile. `run` is another one in each launch: the tag of
// its totals. It is 1 before the first. carry[0]: the total of all launches before, not rounded to
// an element; carry[1] is for the next one.
//
// The tag is read after the loads of the tile are sent. If it were read first, the first warp would
// wait for it before it loads its part of the tile: on an H200, an inclusive sum of 2^22 `f16` then
// takes 10.7 us in place of 10.4. The loads need `first` and `arrays`, so these come first.
template <class T, class Op, ScanKind kind, unsigned threads, unsigned vectors,
          class Total = Accumulator<T>>
__global__ void __launch_bounds__(threads, vectors * sizeof(Accumulators<T>) > 64 ? 2 : 4)
    one_wave_kernel(unsigned first, ScanVectors<T> arrays, Word* totals, unsigned* run,
                    Total* carry) {
  const Op op;
  __shared__ OfWarps<Total, threads / 32> of_warps, of_totals;
  __shared__ unsigned tag;
  const unsigned warp = threadIdx.x / 32;

  begin_in_turn();
  Tile<T, Op, threads, vectors> tile(arrays, std::size_t{first} + blockIdx.x);
  if (threadIdx.x == 0) tag = *static_cast<volatile unsigned*>(run);
  if (warp == 0) bring_to_cache(totals, blockIdx.x * words<Total>);
  of_warps.gather(tile.fold_in_warp());

  const bool is_last = blockIdx.x == gridDim.x - 1;
  if (threadIdx.x == 0 && !is_last)
    publish(totals + blockIdx.x * words<Total>, tag, of_warps.template fold<Op>());
  tile.scan_in_warp();  // while the total is on its way
  Total before = of_warps.template fold<Op>(warp);

  if (blockIdx.x > 0) before = op(wait_for_all<Op>(totals, blockIdx.x, tag, of_totals), before);
  if (first > 0) before = op(carry[0], before);
  if (is_last && threadIdx.x == 0) {
    // every block has published, and so has read it
    *static_cast<volatile unsigned*>(run) = tag + 1;
    carry[1] = op(before, of_warps.template fold<Op>());
  }
  tile.template store<kind>(before);
}

template <class T, class Op, ScanKind kind>
class ScanInOneWave {
 public:
  explicit ScanInOneWave(const ScanArguments<T>& device) : arrays_(device), run_(1) {
    with_shape_of_wave<T>(device.n, [&]<class Shape>(Shape) {
      constexpr unsigned threads = Shape::threads, vectors = Shape::vectors;
      kernel_ = one_wave_kernel<T, Op, kind, threads, vectors>;
      threads_ = threads;
      tiles_ = arrays_.tiles(threads * vectors);
      resident_ = resident_blocks(kernel_, threads, 0);
    });
    totals_ = zeros<Word>(resident_ * words<Accumulator<T>>);
    carry_ = DeviceArray<Accumulator<T>>(tiles_ / resident_ + 2);
    const unsigned first_run = 1;
    backend::upload(run_.data(), &first_run, sizeof first_run);
  }

  void operator()(Stream stream) {
    for (unsigned first = 0; first < tiles_; first += resident_) {
      const unsigned blocks = tiles_ - first < resident_ ? tiles_ - first : resident_;
      launch(kernel_, {.grid = blocks, .block = threads_, .resident = true, .early = true}, stream,
             first, arrays_, totals_.data(), run_.data(), carry_.data() + first / resident_);
    }
  }

 private:
  ScanVectors<T> arrays_;
  void (*kernel_)(unsigned first, ScanVectors<T> arrays, Word* totals, unsigned* run,
                  Accumulator<T>* carry);
  unsigned threads_, tiles_, resident_;
  DeviceArray<Word> totals_;
  DeviceArray<unsigned> run_;
  DeviceArray<Accumulator<T>> carry_;
};

const RegisterScans<ScanInOneWave, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
