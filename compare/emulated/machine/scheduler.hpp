// Runs the threads of a block as fibers on one OS thread: who runs next, who waits for whom, and
// what can never go on.
//
// In the regular order blocks run one after another. Under a seed up to four of a grid take turns,
// in random order, and never all of them. Those of a resident grid may wait for each other. So all
// of them take turns, and in the regular order too: the next goes on where all threads of one wait.
//
// Several devices take turns in the same way, each with the grid that its queue has come to: at
// random under a seed, and in the regular order where all threads of a block wait. A launch for
// whose end the host waits is the only thing in the only queue.
#pragma once

#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "compare/emulated/machine/observer.hpp"
#include "compare/emulated/machine/queued_work.hpp"
#include "compare/emulated/machine/stacks.hpp"
#include "compare/emulated/machine/thread.hpp"
#include "compare/emulated/types/fault.hpp"
#include "compare/emulated/types/grid.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

// Lanes of a warp that wait for each other in one warp intrinsic.
struct Meeting {
  std::uint32_t mask = 0, arrived = 0;
  const Intrinsic* intrinsic = nullptr;
};

struct Warp {
  std::uint32_t live = 0;
  unsigned meeting_count = 0;
  std::array<Meeting, lanes_per_warp> meetings;
};

// A block that runs: to its end, or in turns with others.
struct Block {
  explicit Block(unsigned number) : slot(number), stacks(max_threads, number < most_in_turns) {}

  const unsigned slot;
  const Stacks stacks;
  unsigned index = 0;   // in its grid
  unsigned number = 0;  // among all blocks of all grids that run until all queues are empty
  std::array<Thread, max_threads> threads;
  std::array<Warp, max_threads / lanes_per_warp> warps;
  unsigned live = 0;

  struct {
    Votes votes;
    Here where;
    bool divergent = false;
    Votes last;  // of the barrier released last
  } barrier = {};

  // A ring of the threads that can run.
  std::array<std::uint16_t, max_threads> ready;
  unsigned head = 0, count = 0;

  unsigned mean_turn = 0;
  unsigned meetings = 0;  // with other blocks, so far: accesses by which they could see each other
};

// One that has work: its queue, and the grid of that which runs.
struct Device {
  bool runs() const { return most_at_once > 0; }
  unsigned clusters() const { return grid.blocks / grid.cluster; }

  unsigned number = 0;
  std::vector<Work> work;
  std::size_t done = 0;  // so much of the work

  Grid grid{};
  unsigned first = 0;                // the number of its first block
  unsigned most_at_once = 0;         // blocks; 0: no grid runs
  std::vector<Block*> blocks = {};   // that run
  std::size_t turn = 0;              // of which of them
  std::vector<unsigned> order = {};  // in which clusters begin; empty: that of blockIdx
  unsigned begun = 0;                // so many clusters
};

class Scheduler {
 public:
  Scheduler();

  void set_schedule(std::uint64_t seed);
  // Runs all queues together, until they are empty. `describe` gives the message of a KernelFault;
  // it is called when the block has stopped, as it stands.
  void run(std::vector<Queue> queues, std::vector<Observer*> observers,
           std::string (*describe)(const Fault& fault));

  // Called by running threads.
  Votes meet_block(bool vote, Here where);
  std::uint64_t meet_warp(const Intrinsic& intrinsic, std::uint32_t mask, std::uint64_t value,
                          unsigned source, Here where);
  void end_turn(std::uintptr_t address);  // its turn has run out
  void wait_on(std::uintptr_t address);   // it read what only others can change, or slept
  // it is about to read or write what other blocks may look at
  void meet_blocks();
  void progress() { stale_reads_ = 0; }  // it changed memory
  void note_look(const Place& place) { now_->threads[current].last_look = place; }
  [[noreturn]] void stop(Fault fault);  // of the thread that runs

  // The state of the run, for those that watch it.
  const Grid& grid() const { return device_->grid; }
  const Device& device() const { return *device_; }
  // that have, or had, something in their queues
  const std::vector<Device>& devices() const { return devices_; }
  const Thread& thread(unsigned index) const { return now_->threads[index]; }
  const Block& running() const { return *now_; }
  bool is_of_cluster(unsigned slot) const;  // its block runs in the cluster of this one
  unsigned block_in(unsigned slot) const { return blocks_[slot]->index; }
  unsigned number_in(unsigned slot) const { return blocks_[slot]->number; }
  // nothing: it has ended, or not begun
  std::optional<unsigned> slot_of(unsigned number) const;
  // the number of its first block
  unsigned cluster() const { return now_->number - now_->index % grid().cluster; }
  // threads that have not exited
  unsigned live_in_cluster() const;
  bool is_local(std::uintptr_t address) const { return now_->stacks.contains(address); }

  // The state that the hooks read at every access.
  bool in_kernel = false;          // kernel code runs: not the host's, not the runtime's
  unsigned current = 0;            // the thread that runs
  unsigned turn_left = 0;          // accesses until others may run
  std::uintptr_t last_access = 0;  // of the thread that runs

 private:
  template <class... Parameters>
  void tell(void (Observer::*event)(Parameters...), std::type_identity_t<Parameters>... arguments) {
    for (Observer* const observer : observers_) (observer->*event)(arguments...);
  }
  static void fiber(boost::context::detail::transfer_t from);
  bool choose_device();
  bool can_go_on(const Device& device) const;
  void begin_next();
  void begin_grid(const Grid& grid);
  void order_blocks();
  void choose_block();
  bool is_a_block_free();
  void begin_cluster(unsigned cluster);
  void go_on_with(Block& block);
  void show_grid() const;
  // Blocks may wait for each other, or for those of other devices.
  bool blocks_wait() const { return grid().resident || grid().cluster > 1 || devices_.size() > 1; }
  // The block that runs is the only one.
  bool is_alone() const { return device_->most_at_once == 1 && devices_.size() == 1; }
  void set_stale_read_limit();
  void begin_block(unsigned index);
  void end_block();
  void drop_fibers();
  void exit_thread();
  void run_next();
  void resume(boost::context::detail::fcontext_t& self, unsigned next);
  void leave_to_host(boost::context::detail::fcontext_t& self);
  void note_reading(bool again, unsigned weight, std::uintptr_t address);
  bool block_waits();
  void leave_to_other_block();
  void release_barrier();
  void complete(Warp& warp, unsigned warp_index, unsigned meeting);
  void make_ready(unsigned thread);
  void push(unsigned thread);
  unsigned pop();
  void begin_turn();

  std::vector<Observer*> observers_;
  std::vector<Device> devices_;
  Device* device_ = nullptr;                    // whose turn it is
  bool gave_way_ = false;                       // to the next one
  unsigned numbered_ = 0;                       // so many blocks
  std::vector<std::unique_ptr<Block>> blocks_;  // kept for later launches: their fibers live on
  std::vector<Block*> free_;
  Block* now_ = nullptr;
  boost::context::detail::fcontext_t host_ = nullptr;
  std::optional<Fault> fault_;

  // Reads of unchanged memory since anything changed; so many that nothing is expected to change
  // any more; and those before this block had its turn.
  unsigned stale_reads_ = 0, stale_read_limit_ = 0, stale_reads_at_turn_start_ = 0;

  std::uint64_t seed_ = 0;
  bool shuffled_ = false;
  std::mt19937_64 random_;
};

extern Scheduler scheduler;

// While the runtime works, hooks are silent: the linker may have merged an inline function of the
// standard library with an instrumented copy.
class InRuntime {
 public:
  InRuntime() { scheduler.in_kernel = false; }
  ~InRuntime() { scheduler.in_kernel = true; }
};

}  // namespace ladder::emulated
