// A scan by waves whose blocks have one warp more than scan. It does what the others need not wait
// for: it publishes the totals, gathers those of the next wave, and sends tiles away where the ring
// departs.
#pragma once

#include "handwritten/scan/staged.hpp"
#include "handwritten/scan/totals.hpp"

namespace ladder {

// The warps of a block come to the same barrier from loops of their own: with one loop for all,
// what one warp keeps in registers would take registers of every thread. CUDA C++ wants all threads
// at the same __syncthreads(). PTX (ISA, "barrier") lets warps come to one barrier by different
// instructions, with the same name and number of threads. It also says that bar.sync expects the
// whole block at one instruction; synccheck of compute-sanitizer goes by that, and reports this
// barrier. The named barriers of CUTLASS are bar.sync as well. barrier.sync has no such
// expectation, but nvcc then adds a third to the kernel's instructions: on an H200 an exclusive sum
// of 2^28 `f64` takes 1,140 us in place of 1,068.
template <unsigned threads>
__device__ void meet() {
#ifdef __CUDACC__
  asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
#else
  __syncthreads();
#endif
}

// One meeting for each tile is enough. What a warp writes before a meeting, the extra warp reads
// after it; what that writes then, the warps read after a later one. A warp uses only its own part
// of a stage. A ring that departs needs one more: the whole tile goes at the same time.
//
// By blocks of warps + 1 warps, with a ring as in loaded_ring.hpp. The last one reads `rows` times
// 32 totals at once: an H200 with a block on each multiprocessor has five rows.
template <class Op, ScanKind kind, unsigned warps, unsigned vectors, unsigned ahead, unsigned rows,
          class T, class Ring>
__device__ void scan_by_waves(const Waves<T>& waves, Ring& ring) {
  static_assert(ahead > 0);
  constexpr unsigned threads = warps * 32 + 32;
  __shared__ Board<Accumulator<T>, warps, ahead> board;
  const unsigned warp = threadIdx.x / 32, count = tiles_of_block(waves.tiles);

  if (warp == warps) {
    Totals<Op, warps, ahead, rows, T> totals(waves, board);
    for (unsigned j = 0; j < ahead; ++j) {
      meet<threads>();
      totals.tell(j);
    }
    totals.ask(0);
    totals.carry_on(0);
    totals.ask(1);
    for (unsigned j = 0; j < count; ++j) {
      meet<threads>();
      totals.tell(j + ahead);
      if constexpr (Ring::departs) {
        meet<threads>();
        ring.depart(j);
      }
      totals.carry_on(j + 1);
      totals.ask(j + 2);
    }
    return;
  }

  const auto add_up = [&](unsigned j) {
    if (j >= count) return;
    ring.arrived(j);
    const auto total =
        fold_warp<Op>(fold_vectors<Op, vectors>(ring.stage(j) + threadIdx.x * vectors));
    if (threadIdx.x % 32 == 0) board.of_warp[j % (ahead + 1)][warp] = total;
  };
  for (unsigned j = 0; j < ahead; ++j) {
    add_up(j);
    meet<threads>();
  }
  for (unsigned j = 0; j < count; ++j) {
    add_up(j + ahead);
    meet<threads>();
    const auto before = Op{}(board.before_tile[j % 2], board.of_warp[j % (ahead + 1)][warp]);
    scan_vectors<Op, kind, vectors>(ring.stage(j) + threadIdx.x * vectors, before);
    ring.leave(j);
    if constexpr (Ring::departs) meet<threads>();
  }
}

}  // namespace ladder
