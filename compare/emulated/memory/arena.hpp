// Device memory: one reserved range of addresses, so that "is this global memory" is one
// comparison, and "whose" is one table look-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ladder::emulated {

struct Allocation {
  std::uintptr_t begin = 0, end = 0;
  unsigned device = 0;  // whose memory it is
};

class Arena {
 public:
  Arena();

  // Aligned to 64 KiB, filled with 0xff (NaN, -1), with a guard of at least 64 KiB behind it. Null
  // where there is no room.
  void* allocate(std::size_t bytes, unsigned device);
  // throws std::invalid_argument for what is not the start of an allocation
  void release(void* pointer);

  bool contains(std::uintptr_t address) const { return address - base_ < capacity_; }
  bool begins(std::uintptr_t address) const {  // an allocation does there
    const std::uint32_t owner = contains(address) ? owners_[(address - base_) / granule] : 0;
    return owner != 0 && allocations_[owner].begin == address;
  }
  bool holds(std::uintptr_t address, std::size_t bytes) const {
    return contains(address) && bytes <= capacity_ &&
           address + bytes <= allocations_[owners_[(address - base_) / granule]].end;
  }
  // throws std::invalid_argument where it does not hold that
  void require(const void* pointer, std::size_t bytes, const char* call) const;
  // where it holds that
  unsigned device_of(std::uintptr_t address) const {
    return allocations_[owners_[(address - base_) / granule]].device;
  }
  // The allocation that the address lies in, or else that with the nearest end or start; null where
  // nothing is allocated.
  const Allocation* nearest(std::uintptr_t address) const;

  std::size_t capacity() const { return capacity_; }
  std::size_t allocated() const { return allocated_; }
  bool is_spread() const { return elsewhere_ > 0; }  // not all of it is device 0's

 private:
  static constexpr std::size_t granule = 64 * 1024;
  static std::size_t granules_for(std::size_t bytes);

  std::uintptr_t base_ = 0;
  std::size_t capacity_;
  std::size_t allocated_ = 0;
  std::size_t elsewhere_ = 0;  // arrays of other devices than 0
  // for each granule an index into allocations_, 0 where it is free or a guard
  std::vector<std::uint32_t> owners_;
  std::vector<Allocation> allocations_;  // [0] is empty and owns nothing
};

extern Arena arena;

}  // namespace ladder::emulated
