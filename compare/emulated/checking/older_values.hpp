// What a read may find besides the last value stored: memory here is sequentially consistent, and a
// GPU's is not.
//
// A volatile read, and an atomic that would change nothing, may find a value from before a store
// that nothing orders before the read, as long as neither its thread nor an access ordered before
// it has found a newer one. PTX's memory model allows no less and little more: so the answer of a
// kernel that reads a flag and then a value, without fences, comes out wrong here as it may on a
// GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

#include "compare/emulated/checking/happens_before.hpp"
#include "compare/emulated/checking/shadow_memory.hpp"

namespace ladder::emulated {

class OlderValues {
 public:
  struct Version {
    std::uint64_t number = 0;
    std::uint64_t value = 0;
    Message carried;
    Seen overwritten_by;
  };

  void begin() { words_.clear(); }
  static bool may_concern(std::uintptr_t address, std::size_t size) {
    return (size == 4 || size == 8) && address % size == 0;
  }

  void overwritten(std::uintptr_t address, std::size_t size, std::uint64_t value, Message carried,
                   const Seen& by);
  void forget(std::uintptr_t address, std::size_t size);  // it is accessed in another way
  // One that the thread may find in place of the present one, half of the time; null where it finds
  // the present one.
  const Version* choose(std::uintptr_t address, std::size_t size, const Order& order,
                        unsigned thread, std::mt19937_64& random) const;
  // null: the present one
  void found(std::uintptr_t address, const Epoch& by, const Version* version);

 private:
  struct Observer {
    Epoch epoch;
    std::uint64_t number;  // of the version it has found
  };
  struct Word {
    explicit Word(std::size_t bytes) : size(bytes) {}

    std::size_t size;
    std::uint64_t stores = 0;
    std::vector<Version> versions;
    std::vector<Observer> observers;
    bool crowded = false;  // more observers than are remembered: no older values any more
  };
  static constexpr std::size_t most_versions = 4, most_observers = 128;

  std::unordered_map<std::uintptr_t, Word> words_;
};

}  // namespace ladder::emulated
