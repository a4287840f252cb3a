// An allocator for Thrust that keeps its block of scratch memory from one call to the next.
#pragma once

#include <cstddef>

#include "compare/launch.hpp"

namespace ladder {

// A call of Thrust asks for one block at most and returns it at its end; the next call uses it
// after that, in the order of the stream. The first call allocates.
class KeptBlock {
 public:
  using value_type = char;

  KeptBlock() = default;
  // Has a rung run once, which allocates; of its members it is the last.
  explicit KeptBlock(auto& rung) {
    rung(Stream{});
    backend::synchronize(Stream{});
  }

  char* allocate(std::ptrdiff_t bytes) {
    if (static_cast<std::size_t>(bytes) > size_) {
      block_ = DeviceArray<char>(static_cast<std::size_t>(bytes));
      size_ = static_cast<std::size_t>(bytes);
    }
    return block_.data();
  }
  void deallocate(char*, std::size_t) {}

 private:
  DeviceArray<char> block_;
  std::size_t size_ = 0;
};

}  // namespace ladder
