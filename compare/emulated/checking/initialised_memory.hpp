// Which bytes hold a value: since an array in device memory was allocated, or since a block began,
// for shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compare/emulated/checking/sparse_array.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

class Initialised {
 public:
  // Device memory that was never declared unwritten counts as written.
  void forget_all() { global_ = {}; }
  // Nothing in its shared memory is written.
  void begin_block(unsigned slot) {
    if (slot >= shared_.size()) shared_.resize(slot + 1);
    shared_[slot] = {};
  }

  void mark(Space space, std::uintptr_t address, std::size_t size, bool written);
  bool all_written(Space space, std::uintptr_t address, std::size_t size);
  bool any_written(Space space, std::uintptr_t address, std::size_t size);

 private:
  // Of each byte, whether it is not as all are at first.
  using Bytes = SparseArray<bool>;
  Bytes& bytes_of(Space space) { return space.is_shared() ? shared_[space.slot] : global_; }

  Bytes global_;
  std::vector<Bytes> shared_;
};

}  // namespace ladder::emulated
