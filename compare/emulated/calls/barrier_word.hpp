// The word of a barrier in shared memory (mbarrier).
#pragma once

#include <cstdint>
#include <cstring>

#include "compare/emulated/types/barrier.hpp"

namespace ladder::emulated {

// Arrivals, or bytes (PTX ISA, "BarrierWord of the mbarrier object")
constexpr std::uint32_t most_in_barrier = (1U << 20) - 1;

// What the word of a barrier holds. A GPU keeps to itself how.
struct BarrierWord {
  unsigned expected, pending;
  std::int64_t bytes;  // that are expected and have not come
  unsigned parity;
  bool never_written = false;
};

inline BarrierWord contents_of(const Barrier* barrier) {
  Barrier word = 0;
  std::memcpy(&word, barrier, sizeof word);
  return {static_cast<unsigned>(word & most_in_barrier),
          static_cast<unsigned>(word >> 20 & most_in_barrier),
          static_cast<std::int64_t>(word << 2) >> 42, static_cast<unsigned>(word >> 62 & 1),
          word >> 63 != 0};
}

inline void put(Barrier* barrier, const BarrierWord& contents) {
  const auto bytes = static_cast<Barrier>(contents.bytes) & ((Barrier{1} << 22) - 1);
  const Barrier word = Barrier{contents.expected} | Barrier{contents.pending} << 20 | bytes << 40 |
                       Barrier{contents.parity} << 62;
  std::memcpy(barrier, &word, sizeof word);
}

}  // namespace ladder::emulated
