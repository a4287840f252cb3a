// Counts the global memory traffic of kernels as a GPU would see it: in warp-wide requests and 32-byte sectors.
//
// The hooks report one lane's access at a time, lanes run one after another, and a warp's accesses belong to one request where the hardware would
// have issued them together. That is: the same warp, the same instruction (return address of the hook), and the same how-many-eth execution of it
// by the lane since the warp last converged, at a block barrier or at a warp intrinsic of all its lanes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace ladder::emulated {

struct Counts {
  struct Direction {
    std::uint64_t bytes = 0, requests = 0, sectors = 0, lanes = 0;
    bool operator==(const Direction&) const = default;
  };
  Direction loads, stores;
  std::uint64_t atomics = 0;   // one for each thread that does one
  std::uint64_t barriers = 0;  // once for the block
  std::uint64_t launches = 0, blocks = 0;
  std::uint64_t shuffles_of_absent_lanes = 0;  // undefined values, often unused

  bool operator==(const Counts&) const = default;
};

enum class Access { load, store, atomic };

class Traffic {
 public:
  void begin_kernel();  // forgets the instructions of the last one
  void begin_block(unsigned threads);
  void exit(unsigned warp, unsigned lane);  // the lane has exited
  void access(unsigned warp, unsigned lane, Access access, std::uintptr_t address, unsigned size, const void* instruction);
  void converge(unsigned warp);  // all lanes of the warp are at one point
  void converge_all();

  Counts counts;

 private:
  struct Request {
    std::uint32_t lanes = 0;  // that took part
    unsigned size = 0;        // bytes for each
    std::array<std::uintptr_t, 32> address;
  };
  // What one warp has open for one instruction: the requests from number `closed` on.
  struct Open {
    std::array<std::uint32_t, 32> executed{};  // by each lane since the warp converged
    std::uint32_t closed = 0;
    std::size_t head = 0;  // requests[head] is number `closed`
    std::vector<Request> requests;
    Access access = Access::load;
    bool touched = false;
  };
  struct Warp {
    std::uint32_t live = 0;
    std::vector<Open> open;         // by instruction number
    std::vector<unsigned> touched;  // those that have something to close
  };

  unsigned number_of(const void* instruction);
  void count(const Request& request, Access access);
  void close_oldest(Open& open);
  void close_all(Open& open);

  std::array<Warp, 32> warps_;
  // Instruction numbers in order of first execution: an open hash table of addresses, a power of two in size, never more than half full.
  std::vector<const void*> instructions_ = std::vector<const void*>(256);
  std::vector<unsigned> numbers_ = std::vector<unsigned>(256);
  unsigned known_ = 0;
  unsigned block_warps_ = 0;
};

}  // namespace ladder::emulated
