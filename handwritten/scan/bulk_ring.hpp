// A ring of tiles in shared memory that bulk copies fill and empty: one thread asks for a tile, the hardware moves it, and a barrier in shared memory
// says when it is there. For sm_90 and later.
#pragma once

#include <algorithm>

#include "handwritten/scan/waves.hpp"

namespace ladder {

// The instructions, of PTX ISA, "Data Movement and Conversion Instructions: Bulk copy" and "Parallel Synchronization and Communication: mbarrier".
namespace bulk {

using Barrier = unsigned long long;

__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
__device__ inline void initialise(Barrier* barrier) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}
__device__ inline void arrive(Barrier* barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
__device__ inline void arrive_and_expect(Barrier* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}
__device__ inline void wait(Barrier* barrier, unsigned parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
__device__ inline void load(void* to, const void* from, unsigned bytes, Barrier* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)), "l"(from),
               "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}
__device__ inline void store(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\ncp.async.bulk.commit_group;" ::"l"(to), "r"(shared_address(from)),
               "r"(bytes)
               : "memory");
}
// Until shared memory has been read by this thread's stores; until they are complete.
__device__ inline void wait_until_read() {
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
__device__ inline void wait_until_stored() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
// What this thread has done to shared memory comes before the copies that follow.
__device__ inline void order_before_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

}  // namespace bulk

// Tile j is asked for as soon as the tile `stages` before it has left: `stages` - 1 tiles are on their way or wait for their turn. A tile that is not
// whole, at the ends of the arrays, is moved by the threads, element by element.
template <class T, class Op, unsigned threads, unsigned vectors, unsigned stages, unsigned ahead>
class BulkRing {
 public:
  static constexpr std::size_t shared_bytes = std::size_t{stages} * threads * vectors * 16;

  __device__ explicit BulkRing(const Waves<T>& waves) : arrays_(waves.arrays), count_(tiles_of_block(waves.tiles)), full_(barriers()) {
    static_assert(ahead < stages);
    if (threadIdx.x == 0) {
      for (unsigned s = 0; s < stages; ++s) bulk::initialise(full_ + s);
      bulk::order_before_copies();
      for (unsigned j = 0; j < stages; ++j) ask(j);
    }
    __syncthreads();
  }

  __device__ Vector<T>* stage(unsigned j) { return dynamic_shared<Vector<T>>() + j % stages * vectors_of_tile; }

  __device__ void arrived(unsigned j) {
    bulk::wait(full_ + j % stages, j / stages % 2);
    if (is_whole(j)) return;
    for (unsigned k = threadIdx.x; k < vectors_of_tile; k += threads) stage(j)[k] = arrays_.template load<Op>(first_vector(j) + k);
    __syncthreads();
  }

  __device__ void leave(unsigned j) {
    bulk::order_before_copies();
    __syncthreads();
    if (!is_whole(j)) {
      for (unsigned k = threadIdx.x; k < vectors_of_tile; k += threads) arrays_.store(first_vector(j) + k, stage(j)[k]);
      __syncthreads();
    } else if (threadIdx.x == 0) {
      bulk::store(arrays_.out + first_element(j), stage(j), bytes_of_tile);
    }
    if (threadIdx.x == 0 && j + stages < count_) {
      bulk::wait_until_read();
      ask(j + stages);
    }
  }

  __device__ void end() {
    if (threadIdx.x == 0) bulk::wait_until_stored();
  }

 private:
  static constexpr unsigned vectors_of_tile = threads * vectors, elements_of_tile = vectors_of_tile * elements_of_vector<T>;
  static constexpr unsigned bytes_of_tile = vectors_of_tile * 16;

  __device__ static bulk::Barrier* barriers() {
    __shared__ bulk::Barrier of_stage[stages];
    return of_stage;
  }
  __device__ std::size_t first_vector(unsigned j) const { return tile_of_block(j) * vectors_of_tile; }
  __device__ std::size_t first_element(unsigned j) const { return tile_of_block(j) * elements_of_tile - arrays_.shift; }
  __device__ bool is_whole(unsigned j) const {
    const std::size_t first = first_element(j);
    return arrays_.together && first < arrays_.n && arrays_.n - first >= elements_of_tile;
  }

  __device__ void ask(unsigned j) {
    if (j >= count_) return;
    if (!is_whole(j)) {
      bulk::arrive(full_ + j % stages);  // the phase of a tile that the threads bring
      return;
    }
    bulk::arrive_and_expect(full_ + j % stages, bytes_of_tile);
    bulk::load(stage(j), arrays_.in + first_element(j), bytes_of_tile, full_ + j % stages);
  }

  const ScanVectors<T>& arrays_;
  unsigned count_;
  bulk::Barrier* full_;
};

template <class T, class Op, ScanKind kind, unsigned threads, unsigned vectors, unsigned stages, unsigned ahead>
__global__ void __launch_bounds__(threads, 1) waves_bulk_kernel(const __grid_constant__ Waves<T> waves) {
  BulkRing<T, Op, threads, vectors, stages, ahead> ring(waves);
  scan_by_waves<Op, kind, threads, vectors, ahead>(waves, ring);
  ring.end();
}

// One block on each multiprocessor, which has all of its shared memory.
template <class T, class Op, ScanKind kind, unsigned threads = 512, unsigned vectors = 5, unsigned stages = 5, unsigned ahead = 3>
class ScanInBulkWaves {
 public:
  explicit ScanInBulkWaves(const ScanArguments<T>& device)
      : waves_(device, threads * vectors, std::min(threads, resident_blocks(kernel, threads, shared_bytes))) {}

  void operator()(Stream stream) { launch(kernel, {waves_.blocks(), threads, shared_bytes, true}, stream, *waves_); }

 private:
  static constexpr auto kernel = waves_bulk_kernel<T, Op, kind, threads, vectors, stages, ahead>;
  static constexpr std::size_t shared_bytes = BulkRing<T, Op, threads, vectors, stages, ahead>::shared_bytes;

  WavesOf<T> waves_;
};

}  // namespace ladder
