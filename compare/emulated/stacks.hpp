// The stacks of the fibers, one for each CUDA thread of each block that runs, in one range of addresses: "is this the kernel's local memory" is one
// comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ladder::emulated {

class Stacks {
 public:
  Stacks(unsigned threads, unsigned blocks);  // before main: so that what is missing is said only when it is needed
  void require() const;                       // throws backend::OutOfMemory where there are none

  bool contains(std::uintptr_t address) const { return address - base_ < size_; }
  void* top(unsigned block, unsigned thread) const;  // where a stack begins; it grows downwards
  unsigned blocks() const { return blocks_; }        // 1 where there are not enough addresses for more
  static constexpr std::size_t usable = 252 * 1024;

 private:
  unsigned threads_, blocks_;
  std::uintptr_t base_ = 0;
  std::size_t size_ = 0;
  mutable std::vector<bool> guarded_;  // of each stack, whether it has its guard yet
};

}  // namespace ladder::emulated
