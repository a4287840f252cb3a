// A scan by waves. Block b of G resident ones takes tiles b, G + b, 2 G + b, .. What comes before a tile is the carry of all earlier waves and the
// totals of the blocks before b in this wave: one read of G words, and the same order of combination in every run. It works because a tile is in
// shared memory, and its total published, some waves before the tile is scanned: when a block asks for the totals of a wave, they have long been
// there.
//
// How tiles come and go is the ring's business, a class with
//   arrived(j)    of all threads: the block's j-th tile is in stage(j), for all of them to read
//   stage(j)      the vectors of its j-th tile, in order
//   leave(j)      of all threads, once each has written its vectors of stage(j): they go to the output
#pragma once

#include "handwritten/scan/tile.hpp"

namespace ladder {

// What the blocks of a launch have in common.
template <class T>
struct Waves {
  ScanVectors<T> arrays;
  unsigned tiles;
  Word* totals;   // of each tile
  unsigned* run;  // the tag of this launch's totals: another one in each, and 1 before the first
};

// The number of tiles that this block takes, and the j-th of them.
__device__ inline unsigned tiles_of_block(unsigned tiles) {
  return tiles > blockIdx.x ? (tiles - blockIdx.x + gridDim.x - 1) / gridDim.x : 0;
}
__device__ inline std::size_t tile_of_block(unsigned j) {
  return std::size_t{j} * gridDim.x + blockIdx.x;
}

// A grid of at most `threads` blocks: each thread waits for one total of a wave. A thread scans `vectors` neighbouring vectors of a tile, an odd
// number, so that the eight threads that shared memory serves together find theirs in different banks.
template <class Op, ScanKind kind, unsigned threads, unsigned vectors, unsigned ahead, class T, class Ring>
__device__ void scan_by_waves(const Waves<T>& waves, Ring& ring) {
  static_assert(vectors % 2 == 1);
  constexpr unsigned width = elements_of_vector<T>, warps = threads / 32, kept = ahead + 1;
  const Op op;
  const T identity = Op::template identity<T>();
  __shared__ T of_warp[kept][warps];   // the totals of the warps in the tiles from this one to `ahead` later
  __shared__ T of_tile[kept];          // and of these tiles
  __shared__ T of_wave[2][warps + 1];  // the totals that a warp has waited for, folded; at the end those before this block in its warp
  __shared__ unsigned tag_of_run;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned count = tiles_of_block(waves.tiles), blocks = gridDim.x, block = blockIdx.x;
  const unsigned groups = (blocks + 31) / 32;  // warps that wait for totals

  if (threadIdx.x == 0) tag_of_run = *static_cast<volatile unsigned*>(waves.run);
  const auto add_up = [&](unsigned j) {
    if (j >= count) return;
    ring.arrived(j);
    const Vector<T>* const mine = ring.stage(j) + threadIdx.x * vectors;
    T total = identity;
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) {
      const Vector<T> vector = mine[k];
#pragma unroll
      for (unsigned e = 0; e < width; ++e) total = op(total, vector.element[e]);
    }
    total = fold_warp<Op>(total);
    if (lane == 0) of_warp[j % kept][warp] = total;
  };
  const auto tell = [&](unsigned j) {  // warp 0, behind a barrier after add_up(j)
    if (warp > 0 || j >= count) return;
    const T total = fold_warp<Op>(lane < warps ? of_warp[j % kept][lane] : identity);
    if (lane > 0) return;
    of_tile[j % kept] = total;
    publish(waves.totals + tile_of_block(j) * words<T>, tag_of_run, total);
  };

  for (unsigned j = 0; j < ahead; ++j) add_up(j);
  __syncthreads();
  for (unsigned j = 0; j < ahead; ++j) tell(j);
  __syncthreads();
  const unsigned tag = tag_of_run;

  // A total of the next wave is asked for a wave early, and waited for only if it was not there.
  unsigned found = 0;
  T asked_for = identity;
  bool there = false;
  const auto is_awaited = [&](unsigned j) {
    return threadIdx.x < blocks && threadIdx.x != block && std::size_t{j} * blocks + threadIdx.x < waves.tiles;
  };
  const auto slot = [&](unsigned j) { return waves.totals + (std::size_t{j} * blocks + threadIdx.x) * words<T>; };
  const auto ask = [&](unsigned j) { there = is_awaited(j) && read(slot(j), found, asked_for) && found == tag; };
  ask(0);

  T carry = identity;  // of all earlier waves
  for (unsigned j = 0; j < count; ++j) {
    add_up(j + ahead);
    if (warp < groups) {
      T total = identity;
      if (is_awaited(j)) total = there ? asked_for : wait_for<T>(slot(j), tag);
      else if (threadIdx.x == block) total = of_tile[j % kept];
      ask(j + 1);
      const T all = fold_warp<Op>(total);
      if (lane == 0) of_wave[j % 2][warp] = all;
      if (warp == block / 32) {
        const T before = fold_warp<Op>(threadIdx.x < block ? total : identity);
        if (lane == 0) of_wave[j % 2][warps] = before;
      }
    }
    __syncthreads();
    tell(j + ahead);
    const bool is_last = tile_of_block(j) == waves.tiles - 1;  // every block has published, and so has read the run
    if (is_last && threadIdx.x == 0) *static_cast<volatile unsigned*>(waves.run) = tag + 1;

    T before = carry;
    for (unsigned w = 0; w < groups; ++w) {
      if (w == block / 32) before = op(carry, of_wave[j % 2][warps]);
      carry = op(carry, of_wave[j % 2][w]);
    }
    before = op(before, __shfl_sync(whole_warp, fold_warp<Op>(lane < warp ? of_warp[j % kept][lane] : identity), 0));

    Vector<T>* const mine = ring.stage(j) + threadIdx.x * vectors;
    Vector<T> value[vectors];
    T total = identity;
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) {
      value[k] = mine[k];
      scan_vector<Op>(value[k]);
      total = op(total, value[k].element[width - 1]);
    }
    const T left = __shfl_up_sync(whole_warp, scan_warp<Op>(total), 1);
    if (lane > 0) before = op(before, left);
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) {
      const T of_vector = value[k].element[width - 1];
      put_before<Op, kind>(before, value[k]);
      before = op(before, of_vector);
      mine[k] = value[k];
    }
    ring.leave(j);
  }
}

// The blocks, and the words that they hand to each other.
template <class T>
class WavesOf {
 public:
  WavesOf(const ScanArguments<T>& device, unsigned vectors_of_tile, unsigned most_blocks) : waves_{ScanVectors<T>(device), 0, nullptr, nullptr} {
    waves_.tiles = waves_.arrays.tiles(vectors_of_tile);
    blocks_ = waves_.tiles < most_blocks ? waves_.tiles : most_blocks;
    totals_ = DeviceArray<Word>(std::size_t{waves_.tiles} * words<T>);
    run_ = DeviceArray<unsigned>(1);
    backend::fill(totals_.data(), 0, std::size_t{waves_.tiles} * words<T> * sizeof(Word));
    const unsigned first_run = 1;
    backend::upload(run_.data(), &first_run, sizeof first_run);
    waves_.totals = totals_.data();
    waves_.run = run_.data();
  }

  const Waves<T>& operator*() const { return waves_; }
  unsigned blocks() const { return blocks_; }

 private:
  Waves<T> waves_;
  unsigned blocks_;
  DeviceArray<Word> totals_;
  DeviceArray<unsigned> run_;
};

}  // namespace ladder
