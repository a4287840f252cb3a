// A CUDA thread: its fiber, and what it waits for.
#pragma once

#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <cstdint>

#include "compare/emulated/types/grid.hpp"
#include "compare/emulated/types/here.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

enum class State : std::uint8_t { ready, at_barrier, at_warp, exited };

// One CUDA thread. Its fiber is created once and runs the threads of that index of all blocks and
// launches.
struct Thread {
  // where it goes on; null: the fiber has to be created
  boost::context::detail::fcontext_t context = nullptr;
  State state = State::exited;
  Here where;       // it waits, while at_barrier or at_warp
  Place last_look;  // its last access by which it could learn of others

  const char* barrier = "";              // its name, while at_barrier
  const Intrinsic* intrinsic = nullptr;  // while at_warp
  std::uint32_t mask = 0;
  unsigned source = 0;
  std::uint64_t value = 0;   // brought
  std::uint64_t result = 0;  // taken away

  std::uintptr_t last_access = 0;  // while others run
  // What it had read when it last waited, and when its turn last ended.
  struct Reading {
    std::uintptr_t address = 0, access_before = 0;
    bool operator==(const Reading&) const = default;
  };
  // A thread that waits for a value in several words reads them in turn.
  static constexpr unsigned most_words = 8;
  std::array<Reading, most_words> waited;
  unsigned next_waited = 0;
  Reading turn_ended;

  // Anew, with nothing of an earlier block: what a block counts does not depend on what ran before.
  void begin() {
    state = State::ready;
    last_look = {};
    if (next_waited > 0) waited = {};
    next_waited = 0;
    turn_ended = {};
  }
};

}  // namespace ladder::emulated
