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
#include <unordered_map>
#include <utility>
#include <vector>

#include "compare/emulated/counting/counts.hpp"
#include "compare/emulated/counting/warp_request.hpp"
#include "compare/emulated/machine/observer.hpp"

namespace ladder::emulated {

class Traffic final : public Observer {
 public:
  void start() {
    active_ = true;
    counts = {};
  }
  void stop() { active_ = false; }
  bool active() const { return active_; }

  void begin(std::uint64_t seed) override;  // forgets the instructions of earlier queues
  void begin_kernel() override { ++counts.launches; }
  void copy_of_queue(const QueuedCopy& copy, unsigned number, unsigned slot) override;
  void begin_block(unsigned slot) override;
  void select(unsigned slot) override;
  void exit(unsigned warp, unsigned lane) override;
  void barrier(unsigned absent, const Place& place) override;
  void converge(unsigned warp) override;
  void absent_lanes(unsigned count, const Place&) override {
    counts.shuffles_of_absent_lanes += count;
  }
  bool follows_one_block() const override { return true; }

  void access(unsigned warp, unsigned lane, const MemoryAccess& access, Space space);
  void copy_in_bulk(const MemoryAccess& access, Space space);  // no lane's
  void copied_by_host(const void* to, const void* from, std::size_t bytes);

  Counts counts;
  // Applications of Height to two elements, counted always: it costs nothing.
  std::uint64_t joins = 0;

 private:
  // Where in the program, and what kind of memory it was for: an instruction that is given a
  // reference may reach either.
  struct Site {
    Place place;  // none: nothing was asked for yet
    bool is_shared;
    bool operator==(const Site&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Site& site) const;
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
    std::vector<unsigned> touched;  // instructions that have something to close
  };
  struct Block {
    std::array<Warp, 32> warps;
    unsigned count = 0;
  };

  unsigned number_of(const Site& site);
  void count(const Request& request, Access access, Space space);
  void count_peer(const Request& request, Access access);
  void close_oldest(Open& open);
  void close_all(Open& open);

  bool active_ = false;
  std::vector<std::unique_ptr<Block>> blocks_;  // that run
  Block* block_ = nullptr;
  // Instruction numbers in order of first execution, and those that were asked for last.
  std::unordered_map<Site, unsigned, Hash> numbers_;
  std::array<std::pair<Site, unsigned>, 256> recent_;
};

extern Traffic traffic;

}  // namespace ladder::emulated
