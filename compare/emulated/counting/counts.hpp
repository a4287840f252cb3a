// What is counted of the kernels of a run.
#pragma once

#include <cstdint>

namespace ladder::emulated {

struct Counts {
  struct Direction {
    std::uint64_t bytes = 0, requests = 0, sectors = 0, lanes = 0;
    bool operator==(const Direction&) const = default;
  };
  struct Shared {
    std::uint64_t requests = 0, wavefronts = 0;
    bool operator==(const Shared&) const = default;
  };
  Direction loads, stores;  // global memory
  Shared shared;            // loads, stores and atomics
  struct Atomics {
    // on_one_word: the lanes of all requests that meet on the word where most of them meet
    std::uint64_t requests = 0, on_one_word = 0;
    bool operator==(const Atomics&) const = default;
  };
  Atomics atomic;
  std::uint64_t atomics = 0;           // one for each thread that does one
  std::uint64_t barriers = 0;          // once for the block
  std::uint64_t barrier_arrivals = 0;  // once for each thread
  std::uint64_t launches = 0, blocks = 0, threads = 0;
  std::uint64_t shuffles_of_absent_lanes = 0;  // undefined values, often unused
  // Bytes in the memory of other devices; stores: with atomics, one for each thread, and copies by
  // the host.
  std::uint64_t peer_load_bytes = 0, peer_store_bytes = 0;

  bool operator==(const Counts&) const = default;
};

}  // namespace ladder::emulated
