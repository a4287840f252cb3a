// One lane's access to memory that others can see too, as the hooks report it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "compare/emulated/here.hpp"

namespace ladder::emulated {

enum class Access { load, store, atomic };
enum class Space { global, shared };

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
  bool needs_alignment;  // to its size, as the hardware's instruction does
  bool is_volatile;
  Place place;
};

}  // namespace ladder::emulated
