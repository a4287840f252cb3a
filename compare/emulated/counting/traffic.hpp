// Counts the memory traffic of kernels as a GPU would see it: in warp-wide requests, 32-byte
// sectors of global memory and passes through the banks of shared memory.
//
// The hooks report one lane's access at a time, lanes run one after another, and a warp's accesses
// belong to one request where the hardware would have issued them together. That is: the same warp,
// the same instruction (return address of the hook, or the line of an atomic), the same kind of
// memory, and the same how-many-eth execution of it by the lane since the warp last converged, at a
// block barrier or at a warp intrinsic of all its lanes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "compare/emulated/counting/warp_request.hpp"

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
    // of all requests, the lanes that meet on the word where most of its lanes meet
    std::uint64_t requests = 0, on_one_word = 0;
    bool operator==(const Atomics&) const = default;
  };
  Atomics atomic;
  std::uint64_t atomics = 0;           // one for each thread that does one
  std::uint64_t barriers = 0;          // once for the block
  std::uint64_t barrier_arrivals = 0;  // once for each thread
  std::uint64_t launches = 0, blocks = 0, threads = 0;
  std::uint64_t shuffles_of_absent_lanes = 0;  // undefined values, often unused
  // of these bytes, in the memory of other devices; stores: with atomics, one for each thread, and
  // copies by the host
  std::uint64_t peer_load_bytes = 0, peer_store_bytes = 0;

  bool operator==(const Counts&) const = default;
};

class Traffic {
 public:
  void begin();  // of queues: forgets the instructions of earlier ones
  void begin_block(unsigned slot, unsigned threads);
  void select(unsigned slot);
  void exit(unsigned warp, unsigned lane);  // the lane has exited
  void access(unsigned warp, unsigned lane, const MemoryAccess& access, Space space);
  void copy_in_bulk(const MemoryAccess& access, Space space);              // no lane's
  void copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);  // by the host
  // all lanes of the warp are at one point
  void converge(unsigned warp);
  void converge_all();

  Counts counts;

 private:
  // Where in the program, and what kind of memory it was for: an instruction that is given a
  // reference may reach either.
  struct Site {
    Place place;  // of an empty entry of the table: none
    bool is_shared = false;
    bool operator==(const Site&) const = default;
  };
  // What one warp has open for one instruction: the requests from number `closed` on.
  struct Open {
    std::array<std::uint32_t, 32> executed{};  // by each lane since the warp converged
    std::uint32_t closed = 0;
    std::size_t head = 0;  // requests[head] is number `closed`
    std::vector<Request> requests;
    Access access = Access::load;
    Space space;
    bool touched = false;
  };
  struct Warp {
    std::uint32_t live = 0;
    std::vector<Open> open;         // by instruction number
    std::vector<unsigned> touched;  // those that have something to close
  };
  struct Block {
    std::array<Warp, 32> warps;
    unsigned count = 0;
  };

  static std::size_t slot_of(const Site& site, std::size_t slots);
  unsigned number_of(const Site& site);
  void count(const Request& request, Access access, Space space);
  void count_peer(const Request& request, Access access);
  void close_oldest(Open& open);
  void close_all(Open& open);

  std::vector<std::unique_ptr<Block>> blocks_;  // that run
  Block* block_ = nullptr;
  // Instruction numbers in order of first execution: an open hash table, a power of two in size,
  // never more than half full.
  std::vector<Site> sites_ = std::vector<Site>(256);
  std::vector<unsigned> numbers_ = std::vector<unsigned>(256);
  unsigned known_ = 0;
};

}  // namespace ladder::emulated
