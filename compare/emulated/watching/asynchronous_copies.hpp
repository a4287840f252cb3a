// Asynchronous copies that are under way, and the barriers that they complete on.
//
// A copy is checked and counted where it is issued. Its data move at any moment from then to the
// wait for it: under a seed at a random one, in the regular order as late as can be. To the check
// for races a copy is a thread of its own, whose accesses come after what lies before the issue,
// and before what a wait for it lets go on. Barriers of the block order nothing there. A bulk copy
// comes after a write by a thread only where a fence of proxies lies between.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "compare/emulated/calls/asynchronous.hpp"
#include "compare/emulated/checking/happens_before.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

class Copies {
 public:
  void begin(std::uint64_t seed);  // of queues; 0: the regular order
  void begin_block(unsigned slot, unsigned number);
  void select(unsigned slot) { slot_ = slot; }
  void end_block();

  // What asynchronous.hpp declares.
  void initialise(Barrier* barrier, unsigned arrivals, const Place& place);
  unsigned arrive(Barrier* barrier, unsigned count, unsigned dropped, const Place& place,
                  Strength strength);
  void expect_bytes(Barrier* barrier, std::size_t bytes, const Place& place);
  bool is_over(Barrier* barrier, unsigned parity, const Place& place, Strength strength);
  void arrive_after_copies(Barrier* barrier, bool counted, const Place& place);
  void copy_onto_barrier(Mover mover, const Transfer& transfer, Barrier* barrier,
                         const Place& place);
  void copy_in_group(Mover mover, const Transfer& transfer, const Place& place);
  void end_group(Mover mover);
  void wait_for_groups(Mover mover, unsigned but_last, bool only_read);

  // The barrier of a cluster expects each thread that has not exited. It is made when the first
  // arrives.
  bool have_clusters_met() const { return !of_cluster_.empty(); }
  void exit_from_cluster(unsigned cluster);
  void arrive_at_cluster(unsigned cluster, bool hands_on);
  const Barrier* barrier_of(unsigned cluster) { return &of_cluster_[cluster]; }
  bool cluster_is_over(unsigned cluster, bool learns);  // the phase that the thread has arrived at

  // "phase 3 of a barrier, where 2 arrivals and 128 bytes are missing"; empty where there is no
  // barrier at the address.
  std::string barrier_in_words(std::uintptr_t address);

 private:
  struct Copy {
    Location to, from;
    std::size_t size, zeros;
    Mover mover;
    std::optional<Location> barrier;  // none: of a group
    unsigned slot, thread;
    // of the batch in its thread, or of the copy among those onto its barrier
    std::uint32_t number;
    Place place;
    bool is_arrival = false;  // on the barrier, after the thread's copies that came before
    bool landed = false;
    std::optional<std::array<unsigned char, 16>> value = {};
  };
  // Of a thread. Its copies are numbered in batches, from 1 on: one ends with a group, and with an
  // arrival after copies.
  struct Groups {
    std::uint32_t batch = 1;  // that is filled now
    // the last with a copy; the last of which it knows that they have read what they copy
    std::uint32_t begun = 0, read = 0;
    std::vector<std::uint32_t> ended;  // of each group that it has not waited for, the last batch
  };
  struct OfBarrier {
    unsigned index = 0;        // among those of the block
    std::uint32_t copies = 0;  // onto it, so far
    unsigned phases = 0;       // that are over
  };
  using Barriers = std::unordered_map<std::uintptr_t, OfBarrier>;
  struct Block {
    unsigned number = 0;
    std::array<std::array<Groups, Order::most_threads>, 2> groups{};
    bool has_groups = false;
    Barriers barriers;  // in its shared memory
    // 0: the thread has not arrived; else 1 more than the parity of the phase
    std::array<std::uint8_t, Order::most_threads> at_cluster{};
  };

  Block& block() { return *blocks_[slot_]; }
  Groups& groups_of(Mover mover, unsigned thread) {
    return block().groups[static_cast<unsigned>(mover)][thread];
  }
  Barriers& barriers_in(Space space) {
    return space.is_shared ? blocks_[space.slot]->barriers : barriers_of_grid_;
  }
  Location use(Barrier* barrier, const Place& place);
  Location use_own(Barrier* barrier, const Place& place);
  void update(const Location& barrier, unsigned arrivals, unsigned dropped, std::int64_t bytes,
              const Place& place);
  void copy_as(const CopyId& read, const CopyId& written, Mover mover, const Transfer& transfer,
               std::optional<Location> barrier, const Place& place);
  void issue(const Copy& copy);
  bool may_land(const Copy& copy) const;
  void land(const Copy& copy);
  template <class Chosen>
  void land_where(const Chosen& chosen);
  bool land_until_over(const Location& barrier, unsigned parity);
  bool by_chance(unsigned of) { return seed_ != 0 && random_() % of == 0; }

  std::uint64_t seed_ = 0;
  std::mt19937_64 random_;
  std::vector<Copy> under_way_;
  std::vector<std::unique_ptr<Block>> blocks_;  // that run
  unsigned slot_ = 0;
  Barriers barriers_of_grid_;  // in global memory, and those of clusters
  std::unordered_map<unsigned, Barrier> of_cluster_;
};

}  // namespace ladder::emulated
