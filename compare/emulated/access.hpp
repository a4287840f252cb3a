// One lane's access to memory that others can see too, as the hooks report it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "compare/emulated/here.hpp"

namespace ladder::emulated {

enum class Access : std::uint8_t { load, store, atomic };

// Global memory, or the shared memory of a block that runs: of the one in this slot (scheduler.hpp).
struct Space {
  bool is_shared = false;
  unsigned slot = 0;

  bool operator==(const Space&) const = default;
};
constexpr Space global_memory;

// Where memory lies. Each block has a static shared array at the same address.
struct Location {
  Space space;
  std::uintptr_t address = 0;

  bool operator==(const Location&) const = default;
};

constexpr unsigned most_in_turns = 4;  // blocks of an ordinary grid that run at a time

// Where in the program.
struct Place {
  const void* instruction = nullptr;  // the return address of the hook ..
  std::optional<Here> where = {};     // .. or the line in the source
};

// One access of the running thread to memory other than its own stack.
struct MemoryAccess {
  Access access;
  std::uintptr_t address;
  std::size_t size;
  bool needs_alignment;  // to its size, as the hardware's instruction does; false: of a struct or a copy, whose padding nobody writes
  bool is_volatile;
  Place place;
  bool is_exchange = false;   // an atomic that stores a value whatever was there
  bool is_read_only = false;  // a load that takes memory for constant while the kernel runs: __ldg
  bool finds_older = false;   // an atomic that finds a value from before the last store
  bool of_system = true;      // false: an atomic that is one to the threads of its device only
};

}  // namespace ladder::emulated
