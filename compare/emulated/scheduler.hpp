// Runs the threads of a block as fibers on one OS thread: who runs next, who waits for whom, and what can never go on.
//
// Blocks run one after another. Those of a resident grid run side by side: where the threads of one only wait, or (in a random order) now and then,
// the next block goes on.
#pragma once

#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compare/emulated/faults.hpp"
#include "compare/emulated/runtime.hpp"
#include "compare/emulated/stacks.hpp"

namespace ladder::emulated {

constexpr unsigned max_threads = 1024;
constexpr unsigned lanes_per_warp = 32;

enum class State : std::uint8_t { ready, at_barrier, at_warp, exited };

// One CUDA thread. Its fiber is created once and runs the threads of that index of all blocks and launches.
struct Thread {
  boost::context::detail::fcontext_t context = nullptr;  // where it goes on; null: the fiber has to be created
  State state = State::exited;
  Here where;  // it waits, while at_barrier or at_warp

  Intrinsic intrinsic{};  // while at_warp
  std::uint32_t mask = 0;
  unsigned source = 0;
  std::uint64_t value = 0;   // brought
  std::uint64_t result = 0;  // taken away

  // What it had read when it last waited, and when its turn last ended.
  struct Reading {
    std::uintptr_t address = 0, access_before = 0;
    bool operator==(const Reading&) const = default;
  };
  // Of a value that lies in several words, a thread that waits reads them in turn.
  static constexpr unsigned most_words = 8;
  std::array<Reading, most_words> waited;
  unsigned next_waited = 0;
  Reading turn_ended;
};

// Lanes of a warp that wait for each other in one warp intrinsic.
struct Meeting {
  std::uint32_t mask = 0, arrived = 0;
  Intrinsic intrinsic{};
};

struct Warp {
  std::uint32_t live = 0;
  unsigned meeting_count = 0;
  std::array<Meeting, lanes_per_warp> meetings;
};

struct Aside;  // what the monitor knows of a block that does not run

// A block that has begun.
struct Block {
  Block();
  ~Block();

  std::array<Thread, max_threads> threads;
  std::array<Warp, max_threads / lanes_per_warp> warps;
  unsigned live = 0;
  struct {
    unsigned arrived = 0, votes = 0;
    Here where;
    bool divergent = false;
    unsigned last_votes = 0, last_arrived = 0;  // of the barrier released last
  } barrier;

  // A ring of the threads that can run.
  std::array<std::uint16_t, max_threads> ready;
  unsigned head = 0, count = 0;

  unsigned mean_turn = 0;
  std::unique_ptr<Stacks> own_stacks;  // of all blocks but the first to run side by side
  std::unique_ptr<Aside> aside;
};

class Scheduler {
 public:
  Scheduler();

  void set_schedule(std::uint64_t seed);
  void run(const Grid& grid);

  // Called by running threads.
  int meet_block(BlockVote vote, int predicate, Here where);
  std::uint64_t meet_warp(Intrinsic intrinsic, std::uint32_t mask, std::uint64_t value, unsigned source, Here where);
  void end_turn(std::uintptr_t address);  // its turn has run out
  void wait_on(std::uintptr_t address);   // it read what only others can change, or slept
  void progress() { waits_ = 0; }         // it changed memory
  [[noreturn]] void stop(const Fault& fault);

  // Where faults.cpp looks.
  const Grid& grid() const { return grid_; }
  const Thread& thread(unsigned index) const { return block_->threads[index]; }

  bool is_local(std::uintptr_t address) const { return running_stacks_->contains(address); }

  // The state that the hooks read at every access.
  bool in_kernel = false;  // kernel code runs: not the host's, not the runtime's
  unsigned current = 0;    // the thread that runs
  unsigned turn_left = 0;  // accesses until others may run
  std::uintptr_t last_access = 0;

 private:
  static void fiber(boost::context::detail::transfer_t from);
  void run_one_by_one();
  void run_side_by_side();
  void begin_block(unsigned block);
  void run_block();
  void exit_thread();
  void run_next();
  void resume(boost::context::detail::fcontext_t& self, unsigned next);
  void leave_to_host(boost::context::detail::fcontext_t& self);
  void note_reading(bool waits_again, unsigned weight, std::uintptr_t address);
  void give_way();
  void release_barrier();
  void complete(Warp& warp, unsigned warp_index, unsigned meeting);
  void push(unsigned thread);
  unsigned pop();
  void begin_turn();

  Grid grid_{};
  const Stacks stacks_{max_threads};
  const Stacks* running_stacks_ = &stacks_;
  const std::unique_ptr<Block> first_;  // and the only one, but where blocks run side by side
  Block* block_;                        // that runs
  std::vector<std::unique_ptr<Block>> spare_;
  boost::context::detail::fcontext_t host_ = nullptr;
  std::optional<Fault> fault_;
  std::string thrown_;  // what the kernel threw

  std::uint64_t waits_ = 0;           // reads of unchanged memory since anything changed ..
  std::uint64_t most_waits_ = 0;      // .. after which nothing is expected to change any more
  std::uint64_t waits_of_block_ = 0;  // .. after which another block goes on

  bool shuffled_ = false;
  std::mt19937_64 random_;
};

extern Scheduler scheduler;

}  // namespace ladder::emulated
