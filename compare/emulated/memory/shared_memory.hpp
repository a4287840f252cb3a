// The shared memory of each block that runs, static and dynamic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compare/emulated/memory/static_shared.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

constexpr std::size_t most_shared_bytes = 227 * 1024;  // of a block, on sm_80 to sm_90

class SharedMemory {
 public:
  void begin_block(unsigned slot, std::size_t dynamic_bytes);
  void select(unsigned slot);  // this block runs

  // Whose shared memory an address is in, that of the block that runs first; `of_others`: also that
  // of other blocks. Nothing where it is in none.
  std::optional<Location> locate(std::uintptr_t address, bool of_others) const;
  void* at(const Location& location);                         // at this moment
  void* reached_at(unsigned slot, const Location& location);  // the same of that block, at any time

  std::uintptr_t dynamic(unsigned slot) const { return address_of(dynamic_[slot]->bytes); }
  std::uintptr_t dynamic() const { return dynamic(slot_); }

  StaticShared statics;

 private:
  struct alignas(1024) Dynamic {
    unsigned char bytes[most_shared_bytes];
  };

  unsigned slot_ = 0;
  std::vector<std::unique_ptr<Dynamic>> dynamic_;
};

extern SharedMemory shared_memory;

}  // namespace ladder::emulated
