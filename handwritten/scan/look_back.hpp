// How a tile learns, in the launch that scans it, what comes before it: it looks back at the tiles
// before, until one knows all from the start.
#pragma once

#include "handwritten/fold.hpp"
#include "handwritten/words.hpp"

namespace ladder {

// What a tile tells the tiles after it: first its own total, then all up to its end. The tag says
// which, and tells this run from the last: what lies there from the last run needs no reset.
constexpr unsigned tag_of(unsigned run, bool from_start) {
  return 2 * run + (from_start ? 1 : 0);
}

// All that comes before the tile, in lane 0 of the warp that asks; not for the first tile. Each
// lane reads one of the 32 tiles before, the nearest in lane 0, until all of them have published.
// The nearest that knows everything from the start ends the search. If none does, the 32 tiles
// before those are next.
template <class T, class Op>
__device__ T look_back(const Word* descriptors, unsigned tile, unsigned run) {
  const unsigned lane = threadIdx.x % 32;
  T before = Op::template identity<T>();
  for (unsigned end = tile;; end -= 32) {
    const bool exists = lane < end;
    const Word* descriptor = descriptors + (exists ? end - 1 - lane : 0) * std::size_t{words<T>};
    Found<T> found;
    bool is_known;
    do {
      found.ask(descriptor);
      is_known = exists && found.has(tag_of(run, true));
    } while (__any_sync(whole_warp, exists && !is_known && !found.has(tag_of(run, false))));

    T value = found.value();
    const unsigned known = __ballot_sync(whole_warp, is_known);
    const unsigned last =
        known == 0 ? 31 : static_cast<unsigned>(__ffs(static_cast<int>(known))) - 1;
    if (lane > last) value = Op::template identity<T>();
#pragma unroll  // upwards: only neighbours may be combined
    for (unsigned offset = 1; offset < 32; offset *= 2)
      value = Op{}(__shfl_down_sync(whole_warp, value, offset), value);
    before = Op{}(value, before);
    if (known != 0) return before;
  }
}

// The tile of a block, and the number of the run.
struct Turn {
  unsigned tile, run;
};

// With a barrier. Blocks start in any order, but tiles are handed out in theirs: whom a tile waits
// for has started before it. `tickets` counts the blocks of this run in its lower half and the runs
// in its upper half.
__device__ inline Turn take_ticket(Word* tickets) {
  __shared__ Word ticket;
  if (threadIdx.x == 0 && gridDim.x > 1) {
    ticket = atomicAdd(tickets, 1);
    // the last one: on to the next run
    if (static_cast<unsigned>(ticket) == gridDim.x - 1)
      atomicAdd(tickets, (Word{1} << 32) - gridDim.x);
  }
  __syncthreads();
  if (gridDim.x == 1) return {0, 0};
  // a run is never 0, as the tags are at first
  return {static_cast<unsigned>(ticket), static_cast<unsigned>(ticket >> 32) + 1};
}

// Publishes the total of a tile, and returns all that comes before the tile. With a barrier.
template <class Op, class T>
__device__ T before_tile(Word* descriptors, Turn turn, T total) {
  if (gridDim.x == 1) return Op::template identity<T>();
  __shared__ T before;
  if (threadIdx.x < 32) {
    Word* const mine = descriptors + turn.tile * std::size_t{words<T>};
    if (threadIdx.x == 0) publish(mine, tag_of(turn.run, turn.tile == 0), total);
    const T found = turn.tile > 0 ? look_back<T, Op>(descriptors, turn.tile, turn.run)
                                  : Op::template identity<T>();
    if (threadIdx.x == 0) {
      if (turn.tile > 0) publish(mine, tag_of(turn.run, true), Op{}(found, total));
      before = found;
    }
  }
  __syncthreads();
  return before;
}

}  // namespace ladder
