// One lane's access to memory that others can see too, as the hooks report it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "compare/emulated/types/here.hpp"

namespace ladder::emulated {

inline std::uintptr_t address_of(const volatile void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

enum class Access : std::uint8_t { load, store, atomic };

// Global memory, or the shared memory of a block that runs: of the one in this slot
// (scheduler.hpp).
// One word, since it is stored and loaded at each access: two would take longer.
struct Space {
  static constexpr unsigned none = ~0U;  // global memory

  unsigned slot = none;

  bool is_shared() const { return slot != none; }
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

// Where in the program: the line in the source, or the return address of the hook. In two words,
// for each word of checked memory has several.
class Place {
 public:
  Place() = default;
  Place(const void* instruction) : at_(address_of(instruction)) {}
  Place(const Here& where)
      : file_(where.file), at_(std::uint64_t{where.line} << 32 | where.column) {}

  bool exists() const { return file_ != nullptr || at_ != 0; }
  std::optional<Here> where() const {
    if (file_ == nullptr) return {};
    return Here{file_, static_cast<unsigned>(at_ >> 32), static_cast<unsigned>(at_)};
  }
  std::uintptr_t instruction() const { return file_ == nullptr ? at_ : 0; }
  std::uint64_t hash() const { return address_of(file_) ^ at_; }
  bool operator==(const Place&) const = default;

 private:
  const char* file_ = nullptr;
  std::uint64_t at_ = 0;  // the address, or the line and the column
};

// One access of the running thread to memory other than its own stack.
struct MemoryAccess {
  Access access;
  std::uintptr_t address;
  std::size_t size;
  Place place;
  // to its size, a power of two, as the hardware's instruction does; false: of a struct or a copy,
  // whose padding nobody writes
  bool needs_alignment = true;
  bool is_volatile = false;
  bool is_exchange = false;   // an atomic that stores a value whatever was there
  bool is_read_only = false;  // a load that takes memory for constant while the kernel runs: __ldg
  bool finds_older = false;   // an atomic that finds a value from before the last store
  bool of_system = true;      // false: an atomic that is one to the threads of its device only
};

}  // namespace ladder::emulated
