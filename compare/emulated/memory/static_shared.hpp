// Where the static shared arrays of all kernels lie: among the thread-local variables of the
// program, of the OS thread that launches. Each block that runs has contents of its own there;
// those of the others are kept aside, in an image each, where the blocks of a cluster reach them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

class StaticShared {
 public:
  void lies_at(std::uintptr_t begin, std::size_t size);
  std::uintptr_t begin() const { return begin_; }
  bool contains(std::uintptr_t address) const { return address - begin_ < arrays_.size(); }

  // that block has, or another of its cluster
  void stored(unsigned slot, std::uintptr_t address, std::size_t size);
  // what was stored there becomes 0xff
  void begin_block(unsigned slot);
  void select(unsigned slot);

  // Where the slot's contents of an address are now, and where others reach them at any time.
  unsigned char* contents(unsigned slot, std::uintptr_t address);
  unsigned char* image(unsigned slot, std::uintptr_t address);
  // Whose image an address is in, and the address in static shared memory; nothing elsewhere.
  std::optional<Location> of_image(std::uintptr_t address) const;

 private:
  static constexpr std::size_t chunk = 64;
  struct Block {
    std::vector<bool> stored;         // of each chunk, whether the block has stored there
    std::vector<std::size_t> chunks;  // where it has stored
    std::vector<unsigned char> image;
  };

  template <class Visit>
  void each_byte(Block& block, const Visit& visit);

  std::uintptr_t begin_ = 0;
  // 0xff for each byte that a kernel has stored to: the host has thread-local variables too
  std::vector<unsigned char> arrays_;
  std::vector<Block> blocks_;
  unsigned slot_ = 0;
};

}  // namespace ladder::emulated
