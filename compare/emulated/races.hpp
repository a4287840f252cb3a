// Finds data races: two accesses to one byte, by different threads, at least one of them a write, and nothing that orders them (order.hpp). Blocks
// run one after another here, or side by side, which orders nothing.
//
// Two atomics do not race; an atomic and a plain access do. volatile orders nothing; but it is how blocks speak to each other, and PTX makes it a
// relaxed access that cannot tear. So an aligned volatile access of up to 8 bytes does not race
//   with an atomic,
//   with a volatile access of another block,
//   with a volatile access of its own block where the store publishes: its thread stored nothing between a fence and it.
// An atomic has seen all atomics on its word before it. So where the last of them happens before a plain access, with a fence between the two, none
// of them races with that: the last block may reset the ticket it took.
//
// Other volatile accesses within a block do race: lanes that trust volatile to keep them in step are the oldest mistake there is.
#pragma once

#include <cstdint>
#include <optional>

#include "compare/emulated/shadow.hpp"

namespace ladder::emulated {

struct Race {
  Seen first, second;
  bool one_fence_short;  // the second's block has read the flag, and has no fence after it
};

class Races {
 public:
  void begin_kernel();
  void begin_block(unsigned block);
  Order order;

  // What is known of one block.
  struct OfBlock {
    Shadow shared;
    std::array<bool, 1024> fenced{};              // and stored nothing since
    std::array<std::uint32_t, 1024> fenced_at{};  // each thread's clock after its last fence
  };
  void exchange(OfBlock& block) { std::swap(running_, block); }

  void fence(unsigned thread, Scope scope);
  // The first race that the access is in.
  std::optional<Race> access(unsigned thread, const MemoryAccess& access, Space space);

 private:
  Seen seen_now(unsigned thread, const MemoryAccess& access);
  const Seen* conflict(const Cell& cell, const Seen& now) const;
  void remember(Cell& cell, const Seen& now) const;
  bool races(const Seen& before, const Seen& now) const;
  bool seen_by_the_last(const Cell& cell, const Seen& now) const;

  Shadow global_;
  OfBlock running_;
};

}  // namespace ladder::emulated
