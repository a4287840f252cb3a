// The stacks of the fibers, one for each CUDA thread of a block, in one range of addresses: "is
// this the kernel's local memory" is one comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ladder::emulated {

class Stacks {
 public:
  // Where there are not enough addresses, it has none.
  explicit Stacks(unsigned count, bool guarded = true);
  Stacks(const Stacks&) = delete;
  ~Stacks();
  bool exist() const { return size_ > 0; }
  void require() const;  // throws backend::OutOfMemory where there are none

  bool contains(std::uintptr_t address) const { return address - base_ < size_; }
  void* top(unsigned index) const;  // where a stack begins; it grows downwards
  static constexpr std::size_t usable = 252 * 1024;

 private:
  std::uintptr_t base_ = 0;
  std::size_t size_ = 0;
  // whether each stack has its guard, or is to have none
  mutable std::vector<bool> guarded_;
};

}  // namespace ladder::emulated
