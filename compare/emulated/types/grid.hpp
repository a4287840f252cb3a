// Grids, as kernels are launched and as they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace ladder::emulated {

// A kernel did what CUDA does not allow: what, where, which block and threads, and what usually
// mends it. The launch is over, the device memory is as the kernel left it, and the next launch
// starts afresh.
struct KernelFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Grid {
  const void* kernel;  // its code, to name it by
  unsigned blocks;
  unsigned threads;  // in a block
  std::size_t shared_bytes;
  void (*body)(const void* bound);  // calls the kernel as one thread
  const void* bound;                // the kernel's arguments
  std::shared_ptr<const void> (*copy_of_bound)(const void* bound);
  bool resident = false;  // its blocks may wait for each other
  // so may these many neighbours, and reach each other's shared memory
  unsigned cluster = 1;
  unsigned* barrier = nullptr;  // of a resident one: two words for barriers of the grid
};

constexpr unsigned max_threads = 1024;  // of a block
constexpr unsigned lanes_per_warp = 32;

enum class BlockVote { none, count, all, any };

enum class Intrinsic {
  syncwarp,
  shuffle,
  ballot,
  all,
  any,
  match_any,
  reduce_add,
  reduce_and,
  reduce_or,
  reduce_xor,
  min_i32,
  max_i32,
  min_u32,
  max_u32
};

enum class Scope : std::uint8_t { block, device, system };

}  // namespace ladder::emulated
