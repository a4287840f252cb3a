// Grids, as kernels are launched and as they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "compare/emulated/types/shape.hpp"

namespace ladder::emulated {

// A kernel did what CUDA does not allow: what, where, which block and threads, and what usually
// mends it. The launch is over, the device memory is as the kernel left it, and the next launch
// starts afresh.
struct KernelFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Grid {
  const void* kernel;  // its code, to name it by
  Shape shape;
  std::size_t shared_bytes;
  void (*body)(const void* arguments);  // calls the kernel as one thread
  std::shared_ptr<const void> arguments;
  bool resident = false;  // its blocks may wait for each other
  // What follows from the shape: blocks, threads of a block, and neighbours that may wait for each
  // other and reach each other's shared memory.
  unsigned blocks = 0, threads = 0, cluster = 1;
  std::shared_ptr<unsigned> barrier = {};  // of a resident one: two words for barriers of the grid
};

constexpr unsigned max_threads = 1024;  // of a block
constexpr unsigned lanes_per_warp = 32;

// How many threads of a block have come to a barrier, and how many of them said yes there.
struct Votes {
  unsigned all = 0, yes = 0;
};

// What lanes of a warp meet for. Each brings a value. Where there is a fold, each takes away that
// of all values; it is told apart from others by its address.
struct Intrinsic {
  const char* name;
  std::uint64_t (*fold)(std::uint64_t a, std::uint64_t b) = nullptr;
};
namespace intrinsics {
inline constexpr Intrinsic syncwarp{"__syncwarp"}, shuffle{"a shuffle"},
    match_any{"__match_any_sync"};
}

enum class Scope : std::uint8_t { block, device, system };

}  // namespace ladder::emulated
