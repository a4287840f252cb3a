// A scan by waves. Block b of G resident ones takes tiles b, G + b, 2 G + b, .. What comes before a tile is the carry of all earlier waves and the
// totals of the blocks before b in this wave: one read of G words, and the same order of combination in every run. It works because a tile is in
// shared memory, and its total published, some waves before the tile is scanned: when a block asks for the totals of a wave, they have long been
// there.
//
// A block has one warp more than its tiles have. It does what the others need not wait for: it publishes the totals, gathers those of the next wave,
// and sends tiles away.
//
// How tiles come and go is the ring's business, a class with
//   arrived(j)    of each warp that scans: its part of the block's j-th tile is in stage(j)
//   stage(j)      the vectors of the j-th tile, in order
//   leave(j)      of each warp that scans, once it has written its part of stage(j): it goes to the output
//   depart(j)     of the other warp, once all have left
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

// What the warps of a block tell each other, in shared memory.
template <class T, unsigned warps, unsigned ahead>
struct Board {
  T of_warp[ahead + 1][warps];  // of the tiles from this one to `ahead` later: the totals of the warps, then what comes before each in its tile
  T before_tile[2];             // of this wave and the next
};

// The first word of each total of a wave, then the second of each: what a warp reads at the same time lies together. On an H200, an inclusive sum of
// 2^28 `f64` then takes 1,078 us in place of 1,119 with the words of each total together.
template <class T>
__device__ Word* totals_of_wave(const Waves<T>& waves, unsigned j) {
  return waves.totals + std::size_t{j} * gridDim.x * words<T>;
}

// The totals of a wave, `rows` times 32 at a time. A warp asks for them, goes on, and waits for those that were not there only when it needs them.
template <class Op, unsigned rows, class T>
class TotalsOfWave {
 public:
  __device__ TotalsOfWave(const Waves<T>& waves, unsigned tag) : waves_(waves), tag_(tag) {}

  __device__ void ask(unsigned j) {
    const std::size_t first = std::size_t{j} * gridDim.x;
    if (first >= waves_.tiles) return;
    const std::size_t left = waves_.tiles - first;
    live_ = left < gridDim.x ? static_cast<unsigned>(left) : gridDim.x;
    from_ = totals_of_wave(waves_, j);
    ask_for_rows(0);
  }

  // Of all blocks, and of those before this one; in lane 0.
  __device__ void fold(T& all, T& before) {
    const T identity = Op::template identity<T>();
    all = before = identity;
    for (unsigned first = 0; first < live_; first += rows * 32) {
      if (first > 0) ask_for_rows(first);
      while (!are_there(first)) ask_for_rows(first);
      T total[rows + 1];
      total[rows] = identity;
      const unsigned own_row = (blockIdx.x - first) / 32;
#pragma unroll
      for (unsigned r = 0; r < rows; ++r) {
        const unsigned k = first + r * 32 + threadIdx.x % 32;
        total[r] = k < live_ ? found_[r].value() : identity;
        if (r == own_row && k < blockIdx.x) total[rows] = total[r];
      }
      fold_warp<Op>(total);
#pragma unroll
      for (unsigned r = 0; r < rows; ++r) {
        if (r == own_row) before = Op{}(all, total[rows]);
        all = Op{}(all, total[r]);
      }
    }
  }

 private:
  __device__ void ask_for_rows(unsigned first) {
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      const unsigned k = first + r * 32 + threadIdx.x % 32;
      if (k < live_) found_[r].ask(from_ + k, gridDim.x);
    }
  }

  __device__ bool are_there(unsigned first) const {
    bool all = true;
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) all &= first + r * 32 + threadIdx.x % 32 >= live_ || found_[r].has(tag_);
    return all;
  }

  const Waves<T>& waves_;
  const unsigned tag_;
  const Word* from_;
  unsigned live_;
  Found<T> found_[rows];
};

// What the warp does that scans nothing.
template <class Op, unsigned warps, unsigned ahead, unsigned rows, class T>
class Account {
 public:
  __device__ Account(const Waves<T>& waves, Board<T, warps, ahead>& board)
      : waves_(waves), board_(board), tag_(*static_cast<volatile unsigned*>(waves.run)), totals_(waves, tag_) {}

  // Once all warps have added up tile j.
  __device__ void tell(unsigned j) {
    if (j >= count_) return;
    const T identity = Op::template identity<T>();
    const unsigned lane = threadIdx.x % 32;
    T* const of_warp = board_.of_warp[j % (ahead + 1)];
    const T scanned = scan_warp<Op>(lane < warps ? of_warp[lane] : identity);
    if (lane == warps - 1) publish(totals_of_wave(waves_, j) + blockIdx.x, tag_, scanned, gridDim.x);
    const T left = __shfl_up_sync(whole_warp, scanned, 1);
    if (lane < warps) of_warp[lane] = lane == 0 ? identity : left;
  }

  __device__ void ask(unsigned j) { totals_.ask(j); }

  // With the totals asked for last, which are of wave j.
  __device__ void carry_on(unsigned j) {
    if (j >= count_) return;
    T all, before;
    totals_.fold(all, before);
    if (threadIdx.x % 32 > 0) return;
    board_.before_tile[j % 2] = Op{}(carry_, before);
    carry_ = Op{}(carry_, all);
    const bool is_last = tile_of_block(j) == waves_.tiles - 1;  // every block has published, and so has read the run
    if (is_last) *static_cast<volatile unsigned*>(waves_.run) = tag_ + 1;
  }

 private:
  const Waves<T>& waves_;
  Board<T, warps, ahead>& board_;
  const unsigned count_ = tiles_of_block(waves_.tiles), tag_;
  TotalsOfWave<Op, rows, T> totals_;
  T carry_ = Op::template identity<T>();  // of all earlier waves
};

// A thread scans `vectors` neighbouring vectors of a tile, an odd number, so that the eight threads that shared memory serves together find theirs in
// different banks.
template <class Op, unsigned vectors, class T>
__device__ T fold_vectors(const Vector<T>* mine) {
  static_assert(vectors % 2 == 1);
  T total = Op::template identity<T>();
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    const Vector<T> vector = mine[k];
#pragma unroll
    for (unsigned e = 0; e < elements_of_vector<T>; ++e) total = Op{}(total, vector.element[e]);
  }
  return total;
}

// `before`: what comes before the warp.
template <class Op, ScanKind kind, unsigned vectors, class T>
__device__ void scan_vectors(Vector<T>* mine, T before) {
  constexpr unsigned last = elements_of_vector<T> - 1;
  Vector<T> value[vectors];
  T total = Op::template identity<T>();
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    value[k] = mine[k];
    scan_vector<Op>(value[k]);
    total = Op{}(total, value[k].element[last]);
  }
  const T left = __shfl_up_sync(whole_warp, scan_warp<Op>(total), 1);
  if (threadIdx.x % 32 > 0) before = Op{}(before, left);
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    const T of_vector = value[k].element[last];
    put_before<Op, kind>(before, value[k]);
    before = Op{}(before, of_vector);
    mine[k] = value[k];
  }
}

// The warps of a block come to the same barrier from loops of their own: with one loop for all, what one warp keeps in registers would take registers
// of every thread. CUDA C++ wants all threads at the same __syncthreads(). PTX (ISA, "barrier") lets warps come to one barrier by different
// instructions, with the same name and number of threads. It also says that bar.sync expects the whole block at one instruction; synccheck of
// compute-sanitizer goes by that, and reports this barrier. The named barriers of CUTLASS are bar.sync as well. barrier.sync has no such expectation,
// but nvcc then adds a third to the kernel's instructions: on an H200 an exclusive sum of 2^28 `f64` takes 1,140 us in place of 1,068.
template <unsigned threads>
__device__ void meet() {
#ifdef __CUDA_ARCH__
  asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
#else
  __syncthreads();
#endif
}

// By blocks of warps + 1 warps. The last one reads `rows` times 32 totals at once: an H200 with a block on each multiprocessor has five rows.
template <class Op, ScanKind kind, unsigned warps, unsigned vectors, unsigned ahead, unsigned rows, class T, class Ring>
__device__ void scan_by_waves(const Waves<T>& waves, Ring& ring) {
  constexpr unsigned threads = warps * 32 + 32;
  __shared__ Board<T, warps, ahead> board;
  const unsigned warp = threadIdx.x / 32, count = tiles_of_block(waves.tiles);

  if (warp == warps) {
    Account<Op, warps, ahead, rows, T> account(waves, board);
    for (unsigned j = 0; j < ahead; ++j) {
      meet<threads>();
      account.tell(j);
    }
    account.ask(0);
    account.carry_on(0);
    account.ask(1);
    for (unsigned j = 0; j < count; ++j) {
      meet<threads>();
      account.tell(j + ahead);
      meet<threads>();
      ring.depart(j);
      account.carry_on(j + 1);
      account.ask(j + 2);
    }
    return;
  }

  const auto add_up = [&](unsigned j) {
    if (j >= count) return;
    ring.arrived(j);
    const T total = fold_warp<Op>(fold_vectors<Op, vectors>(ring.stage(j) + threadIdx.x * vectors));
    if (threadIdx.x % 32 == 0) board.of_warp[j % (ahead + 1)][warp] = total;
  };
  for (unsigned j = 0; j < ahead; ++j) {
    add_up(j);
    meet<threads>();
  }
  for (unsigned j = 0; j < count; ++j) {
    add_up(j + ahead);
    meet<threads>();
    const T before = Op{}(board.before_tile[j % 2], board.of_warp[j % (ahead + 1)][warp]);
    scan_vectors<Op, kind, vectors>(ring.stage(j) + threadIdx.x * vectors, before);
    ring.leave(j);
    meet<threads>();
  }
}

// The blocks, and the words that they hand to each other.
template <class T>
class WavesOf {
 public:
  WavesOf(const ScanArguments<T>& device, unsigned vectors_of_tile, unsigned most_blocks) : waves_{ScanVectors<T>(device), 0, nullptr, nullptr} {
    waves_.tiles = waves_.arrays.tiles(vectors_of_tile);
    blocks_ = waves_.tiles < most_blocks ? waves_.tiles : most_blocks;
    const std::size_t room = std::size_t{(waves_.tiles + blocks_ - 1) / blocks_} * blocks_ * words<T>;
    totals_ = DeviceArray<Word>(room);
    run_ = DeviceArray<unsigned>(1);
    backend::fill(totals_.data(), 0, room * sizeof(Word));
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
