// Which bytes hold a value: since an array in device memory was allocated, or since a block began, for shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ladder::emulated {

class Initialised {
 public:
  // Arrays in device memory. One that was never announced counts as written.
  void allocated(std::uintptr_t address, std::size_t size) { global_[address].assign(size, false); }
  void released(std::uintptr_t address) { global_.erase(address); }
  void forget_all() { global_.clear(); }
  void begin_block() { running_.number = ++blocks_; }

  // Of each page of shared memory that a kernel has written to, the number of the last block to write each byte.
  struct OfBlock {
    std::map<std::uintptr_t, std::vector<std::uint32_t>> pages;
    std::uint32_t number = 0;
  };
  void exchange(OfBlock& block) { std::swap(running_, block); }

  void written_global(std::uintptr_t address, std::size_t size) { mark_global(address, size, true); }
  void unwritten_global(std::uintptr_t address, std::size_t size) { mark_global(address, size, false); }
  void written_shared(std::uintptr_t address, std::size_t size);
  bool is_global(std::uintptr_t address, std::size_t size);
  bool is_shared(std::uintptr_t address, std::size_t size);

 private:
  void mark_global(std::uintptr_t address, std::size_t size, bool written);
  std::vector<bool>* array_at(std::uintptr_t address, std::size_t& offset);

  std::map<std::uintptr_t, std::vector<bool>> global_;  // of each array, its bytes
  static constexpr std::size_t page_size = 1024;
  OfBlock running_;
  std::uint32_t blocks_ = 0;
};

}  // namespace ladder::emulated
