// Asynchronous copies that are under way, and the barriers that they complete on.
//
// A copy is checked and counted where it is issued. Its data move at any moment from then to the wait for it: under a seed at a random one, in the
// regular order as late as can be. To the check for races a copy is a thread of its own, whose accesses come after what lies before the issue, and
// before what a wait for it lets go on. Barriers of the block order nothing there. A bulk copy comes after a write by a thread only where a fence of
// proxies lies between.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "compare/emulated/access.hpp"
#include "compare/emulated/asynchronous.hpp"
#include "compare/emulated/order.hpp"

namespace ladder::emulated {

class Copies {
 public:
  void begin_kernel(std::uint64_t seed);  // 0: the regular order
  void begin_block(unsigned slot);
  void select(unsigned slot) { block_ = blocks_[slot].get(); }
  void end_block();

  void initialise(Barrier* barrier, unsigned arrivals, const Place& place);
  unsigned arrive(Barrier* barrier, unsigned count, unsigned dropped, const Place& place);
  void expect_bytes(Barrier* barrier, std::size_t bytes, const Place& place);
  bool is_over(Barrier* barrier, unsigned parity, const Place& place);
  void arrive_after_copies(Barrier* barrier, bool counted, const Place& place);

  void copy_onto_barrier(Mover mover, const Transfer& transfer, Barrier* barrier, const Place& place);
  void copy_in_group(Mover mover, const Transfer& transfer, const Place& place);
  void end_group(Mover mover);
  void wait_for_groups(Mover mover, unsigned but_last, bool only_read);

  // "phase 3 of a barrier, which lacks 2 arrivals and 128 bytes"; empty where there is no barrier at the address.
  std::string barrier_in_words(std::uintptr_t address) const;

 private:
  struct Copy {
    Transfer transfer;
    Mover mover;
    Barrier* barrier;  // null: of a group
    unsigned thread;
    std::uint32_t number;  // of the group in its thread, or of the copy among those onto its barrier
    Place place;
    bool is_arrival = false;  // on the barrier, after the thread's copies that came before
  };
  // Of a thread, by number from 1 on.
  struct Groups {
    std::uint32_t ended = 0, begun = 0, read = 0;  // read: it knows that they have read what they copy
  };
  struct OfBarrier {
    unsigned index = 0;        // among those of the block
    std::uint32_t copies = 0;  // onto it, so far
    unsigned phases = 0;       // that are over
  };
  struct Block {
    std::vector<Copy> under_way;
    std::array<std::array<Groups, Order::most_threads>, 2> groups{};
    bool has_groups = false;
    std::unordered_map<std::uintptr_t, OfBarrier> barriers;  // in shared memory
  };

  Groups& groups_of(Mover mover, unsigned thread) { return block_->groups[static_cast<unsigned>(mover)][thread]; }
  void issue(const Copy& copy);
  bool may_land(const Copy& copy) const;
  void land(const Copy& copy);
  template <class Chosen>
  void land_where(const Chosen& chosen);
  OfBarrier& known(Barrier* barrier, const Place& place);
  void touch(Barrier* barrier, const Place& place);
  void update(Barrier* barrier, unsigned arrivals, unsigned dropped, std::int64_t bytes, const Place& place);
  bool by_chance(unsigned of) { return seed_ != 0 && random_() % of == 0; }

  std::uint64_t seed_ = 0;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Block>> blocks_;  // that run
  Block* block_ = nullptr;
  std::unordered_map<std::uintptr_t, OfBarrier> barriers_of_grid_;  // in global memory
};

}  // namespace ladder::emulated
