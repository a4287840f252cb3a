// Which bytes hold a value: since an array in device memory was allocated, or since a block began,
// for shared memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

class Initialised {
 public:
  // Arrays in device memory. One that was never announced counts as written.
  void allocated(std::uintptr_t address, std::size_t size) { global_[address].assign(size, false); }
  void released(std::uintptr_t address) {
    global_.erase(address);
    last_ = nullptr;
  }
  void forget_all() {
    global_.clear();
    last_ = nullptr;
  }
  void begin_block(unsigned slot) {
    if (slot >= shared_.size()) shared_.resize(slot + 1);
    ++shared_[slot].block;
  }

  void written(Space space, std::uintptr_t address, std::size_t size) {
    mark(space, address, size, true);
  }
  void unwritten(Space space, std::uintptr_t address, std::size_t size) {
    mark(space, address, size, false);
  }
  bool all_written(Space space, std::uintptr_t address, std::size_t size);
  bool any_written(Space space, std::uintptr_t address, std::size_t size);

 private:
  template <class Visit>
  bool each_byte(Space space, std::uintptr_t address, std::size_t size, const Visit& visit);
  void mark(Space space, std::uintptr_t address, std::size_t size, bool written);
  std::vector<bool>* array_at(std::uintptr_t address, std::size_t& offset);

  using Arrays = std::map<std::uintptr_t, std::vector<bool>>;
  Arrays global_;                       // each array with its bytes
  Arrays::value_type* last_ = nullptr;  // that was looked at
  // The number of the last block in this slot to write each byte, from 1 on, of each page of shared
  // memory that a kernel has looked at.
  static constexpr std::size_t page_size = 1024;
  using Page = std::array<std::uint32_t, page_size>;
  struct Shared {
    std::map<std::uintptr_t, Page> pages;
    std::uint32_t block = 0;
    std::uintptr_t last_number = 0;
    Page* last = nullptr;
  };
  static Page& page_of(Shared& shared, std::uintptr_t shared_byte);
  std::vector<Shared> shared_;
};

}  // namespace ladder::emulated
