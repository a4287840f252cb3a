// The stacks of the fibers, one for each CUDA thread of a block, in one range of addresses: "is this the kernel's local memory" is one comparison.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ladder::emulated {

class Stacks {
 public:
  explicit Stacks(unsigned count);  // before main: so that what is missing is said only when it is needed
  void require() const;             // throws backend::OutOfMemory where there are none

  bool contains(std::uintptr_t address) const { return address - base_ < size_; }
  void* top(unsigned index) const;  // where a stack begins; it grows downwards
  static constexpr std::size_t usable = 252 * 1024;

 private:
  std::uintptr_t base_;
  std::size_t size_;
};

}  // namespace ladder::emulated
