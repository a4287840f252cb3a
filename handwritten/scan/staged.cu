#include "handwritten/scan/carry.hpp"
#include "handwritten/scan/loaded_ring.hpp"
#include "handwritten/scan/staged.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "persistent with the tile in shared memory: warps bring it there in rows, and each thread "
        "then scans neighbouring vectors.",
    .follows = "persistent",
    .step =
        "The registers are free while a tile waits for the totals: the next one is loaded into "
        "them. A warp scans once for all the vectors of its "
        "threads, in place of once for each row. By itself this does not pay: the next two rungs "
        "build on it.",
    .costs = "Every element passes through shared memory.",
    .limited_by =
        "The way of a total from one block to all others, in every wave: no more than one tile is "
        "on its way meanwhile.",
    .source = "Our own.",
};

constexpr unsigned warps = 16, threads = warps * 32;
constexpr unsigned blocks_per_multiprocessor = 2;
constexpr unsigned vectors = 5;  // of a thread: tiles of 40 KiB

template <class T, class Op, ScanKind kind>
__global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    staged_kernel(const Waves<T> waves) {
  __shared__ OfWarps<Accumulator<T>, warps> of_warps;
  __shared__ unsigned tag;

  begin_in_turn();
  LoadedRing<T, Op, warps, vectors, 0> ring(waves);
  Carry<Op, threads, T> carry(waves, tag);
  for (unsigned j = 0; j < tiles_of_block(waves.tiles); ++j) {
    ring.arrived(j);
    Vector<T>* const mine = ring.stage(j) + threadIdx.x * vectors;
    of_warps.gather(fold_warp<Op>(fold_vectors<Op, vectors>(mine)));
    scan_vectors<Op, kind, vectors>(mine, carry.before_warp(j, of_warps));
    ring.leave(j);
  }
}

template <class T>
constexpr std::size_t shared_bytes =  // with any operator
    LoadedRing<T, Sum, warps, vectors, 0>::shared_bytes;

template <class T, class Op, ScanKind kind>
using Staged = ScanInOneShape<T, staged_kernel<T, Op, kind>, threads, vectors,
                              blocks_per_multiprocessor, shared_bytes<T>>;

const RegisterScans<Staged, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
