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
#include <optional>
#include <string>
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

namespace scheduler {

void set_schedule(std::uint64_t seed);
// Runs all queues together, until they are empty. `describe` gives the message of a KernelFault;
// it is called when the block has stopped, as it stands.
void run(std::vector<Queue> queues, std::vector<Observer*> watching,
         std::string (*describe)(const Fault& fault));

// Called by running threads.
Votes meet_block(bool vote, Here where, const char* name);
std::uint64_t meet_warp(const Intrinsic& intrinsic, std::uint32_t mask, std::uint64_t value,
                        unsigned source, Here where);
void end_turn(std::uintptr_t address);  // its turn has run out
void wait_on(std::uintptr_t address);   // it read what only others can change, or slept
// it is about to read or write what other blocks may look at
void meet_blocks();
void progress();  // it changed memory
void note_look(const Place& place);
[[noreturn]] void stop(Fault what);  // of the thread that runs

// The state of the run, for those that watch it.
const Grid& grid();
const Device& device();                // whose turn it is
const std::vector<Device>& devices();  // that have, or had, something in their queues
const Block& running();
const Block& block_in(unsigned slot);
bool is_of_cluster(unsigned slot);  // its block runs in the cluster of this one
// nothing: it has ended, or not begun
std::optional<unsigned> slot_of(unsigned number);
unsigned cluster();          // the number of its first block
unsigned live_in_cluster();  // threads that have not exited
bool is_local(std::uintptr_t address);

// The state that the hooks read at every access.
extern bool in_kernel;              // kernel code runs: not the host's, not the runtime's
extern unsigned current;            // the thread that runs
extern unsigned turn_left;          // accesses until others may run
extern std::uintptr_t last_access;  // of the thread that runs

}  // namespace scheduler

// While the runtime works, hooks are silent: the linker may have merged an inline function of the
// standard library with an instrumented copy.
class InRuntime {
 public:
  InRuntime() { scheduler::in_kernel = false; }
  ~InRuntime() { scheduler::in_kernel = true; }
};

}  // namespace ladder::emulated
