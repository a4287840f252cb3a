#include "compare/emulated/scheduler.hpp"

#include <cstring>

#include "compare/emulated/cuda_words.hpp"
#include "compare/emulated/faults.hpp"
#include "compare/emulated/monitor.hpp"
#include "compare/emulated/warp.hpp"

// What kernels see as threadIdx and so on (cuda_words.hpp).
extern "C" {
uint3 ladder_emulated_thread_index{};
uint3 ladder_emulated_block_index{};
uint3 ladder_emulated_block_dim{};
uint3 ladder_emulated_grid_dim{};
}

namespace ladder::emulated {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

// Accesses after which a thread gives way even in schedule 0, so that a loop which waits for another thread of the block ends. Bounds what
// Traffic holds open.
constexpr unsigned longest_turn = 4096;

// Reads of unchanged memory, in all threads of a block together, after which nothing is expected to change any more: about a tenth of a second.
constexpr unsigned patience = 1u << 20;

bool same_line(const Here& a, const Here& b) {
  return a.line == b.line && a.column == b.column && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

// While the runtime works, hooks are silent: the linker may have merged an inline function of the standard library with an instrumented copy.
class InRuntime {
 public:
  InRuntime() { scheduler.in_kernel = false; }
  ~InRuntime() { scheduler.in_kernel = true; }
};

}  // namespace

Scheduler scheduler;

Scheduler::Scheduler() {
  set_schedule(0);
}

void Scheduler::set_schedule(std::uint64_t seed) {
  shuffled_ = seed != 0;
  random_.seed(seed);
}

void Scheduler::run(const Grid& grid) {
  stacks.require();
  grid_ = grid;
  ladder_emulated_block_dim = {grid.threads, 1, 1};
  ladder_emulated_grid_dim = {grid.blocks, 1, 1};
  monitor.begin_kernel(grid);
  for (unsigned block = 0; block < grid.blocks; ++block) {
    begin_block(block);
    resume(host_, pop());
    if (fault_) {
      const std::string text = describe(*fault_, thrown_);
      fault_.reset();
      // The fibers stand in the middle of the kernel. Kernels own nothing that needs unwinding: they are dropped, and created anew when needed.
      for (Thread& thread : threads_) thread.context = nullptr;
      throw KernelFault(text);
    }
  }
}

void Scheduler::begin_block(unsigned block) {
  ladder_emulated_block_index.x = block;
  monitor.begin_block(block);
  live_ = grid_.threads;
  waits_ = 0;
  barrier_ = {};
  head_ = count_ = 0;
  mean_turn_ = 2u << random_() % 6;  // 2 to 64 accesses: some races need long turns, some short
  for (unsigned t = 0; t < live_; ++t) {
    threads_[t].state = State::ready;
    push(t);
  }
  for (unsigned w = 0; w * lanes_per_warp < live_; ++w) {
    const unsigned lanes = live_ - w * lanes_per_warp;
    warps_[w].live = lanes >= lanes_per_warp ? 0xffffffffu : (1u << lanes) - 1;
    warps_[w].meeting_count = 0;
  }
}

// --- switching -------------------------------------------------------------------------------------------------------------------------------------

// Whoever jumps passes the address of its own context, for the one it jumps to to fill in.
void Scheduler::fiber(transfer_t from) {
  *static_cast<fcontext_t*>(from.data) = from.fctx;
  for (;;) {
    bool threw = false;
    try {
      scheduler.in_kernel = true;
      scheduler.grid_.body(scheduler.grid_.bound);
      scheduler.in_kernel = false;
    } catch (const std::exception& error) {
      scheduler.in_kernel = false;
      scheduler.thrown_ = error.what();
      threw = true;
    } catch (...) {
      scheduler.in_kernel = false;
      scheduler.thrown_ = "not a std::exception";
      threw = true;
    }
    if (threw) scheduler.stop({.kind = FaultKind::exception, .thread = scheduler.current});
    scheduler.exit_thread();
  }
}

// Inlined: after a jump the processor mispredicts every return, so the way back to the kernel has as few as can be.
__attribute__((always_inline)) inline void Scheduler::resume(fcontext_t& self, unsigned next) {
  current = next;
  ladder_emulated_thread_index.x = next;
  begin_turn();
  if (threads_[next].context == nullptr) threads_[next].context = make_fcontext(stacks.top(next), Stacks::usable, fiber);
  const transfer_t from = jump_fcontext(threads_[next].context, &self);
  *static_cast<fcontext_t*>(from.data) = from.fctx;
}

void Scheduler::leave_to_host(fcontext_t& self) {
  const transfer_t from = jump_fcontext(host_, &self);
  *static_cast<fcontext_t*>(from.data) = from.fctx;
}

__attribute__((always_inline)) inline void Scheduler::run_next() {
  const unsigned self = current;
  if (count_ == 0) stop({.kind = FaultKind::deadlock, .thread = self});
  const unsigned next = pop();
  if (next != self) resume(threads_[self].context, next);
  else begin_turn();
}

void Scheduler::stop(const Fault& fault) {
  in_kernel = false;
  fault_ = fault;
  leave_to_host(threads_[current].context);
  __builtin_unreachable();  // the host drops this fiber
}

void Scheduler::push(unsigned thread) {
  ready_[(head_ + count_++) % max_threads] = static_cast<std::uint16_t>(thread);
}

unsigned Scheduler::pop() {
  if (shuffled_) std::swap(ready_[head_], ready_[(head_ + random_() % count_) % max_threads]);
  const unsigned thread = ready_[head_];
  head_ = (head_ + 1) % max_threads;
  --count_;
  return thread;
}

void Scheduler::begin_turn() {
  turn_left = shuffled_ ? 1 + static_cast<unsigned>(random_() % (2 * mean_turn_)) : longest_turn;
}

void Scheduler::exit_thread() {
  Thread& self = threads_[current];
  const unsigned index = current / lanes_per_warp;
  Warp& warp = warps_[index];
  self.state = State::exited;
  warp.live &= ~(1u << current % lanes_per_warp);
  progress();
  monitor.exit(index, current % lanes_per_warp);
  --live_;
  if (live_ == 0) {
    leave_to_host(self.context);
    return;
  }
  // Who has exited is waited for no longer.
  for (unsigned m = warp.meeting_count; m-- > 0;) {
    if (warp.meetings[m].arrived == (warp.meetings[m].mask & warp.live)) complete(warp, index, m);
  }
  if (barrier_.arrived == live_) release_barrier();
  run_next();
}

// --- taking turns
// ------------------------------------------------------------------------------------------------------------------------------------

void Scheduler::end_turn(std::uintptr_t address) {
  const InRuntime runtime;
  note_reading(threads_[current].turn_ended, address, (shuffled_ ? mean_turn_ : longest_turn) / 16 + 1);  // a turn of re-reading weighs more
  push(current);
  run_next();
}

void Scheduler::wait_on(std::uintptr_t address) {
  const InRuntime runtime;
  note_reading(threads_[current].waited, address, 1);
  push(current);
  run_next();
}

// A thread waits if it reads the same word again and, since then, nothing else than before. One that walks on over data does not.
void Scheduler::note_reading(Thread::Reading& last, std::uintptr_t address, unsigned weight) {
  const Thread::Reading now{address, last_access};
  if (last == now) {
    waits_ += weight;
    if (waits_ > patience) stop({.kind = FaultKind::endless_wait, .thread = current, .address = address});
  } else {
    last = now;
    waits_ = 0;
  }
}

// --- meeting
// ------------------------------------------------------------------------------------------------------------------------------------------

int Scheduler::meet_block(BlockVote vote, int predicate, Here where) {
  const InRuntime runtime;
  Thread& self = threads_[current];
  self.state = State::at_barrier;
  self.where = where;
  if (barrier_.arrived == 0) barrier_.where = where;
  else if (!same_line(barrier_.where, where)) barrier_.divergent = true;
  ++barrier_.arrived;
  if (predicate != 0) ++barrier_.votes;
  if (barrier_.arrived == live_) release_barrier();
  run_next();
  switch (vote) {
    case BlockVote::count:
      return static_cast<int>(barrier_.last_votes);
    case BlockVote::all:
      return barrier_.last_votes == barrier_.last_arrived;
    case BlockVote::any:
      return barrier_.last_votes != 0;
    case BlockVote::none:
      break;
  }
  return 0;
}

void Scheduler::release_barrier() {
  if (barrier_.divergent) stop({.kind = FaultKind::divergent_barrier, .thread = current});
  barrier_.last_votes = barrier_.votes;
  barrier_.last_arrived = barrier_.arrived;
  barrier_.arrived = barrier_.votes = 0;
  monitor.barrier(grid_.threads - live_, {nullptr, barrier_.where});
  for (unsigned t = 0; t < grid_.threads; ++t) {
    if (threads_[t].state != State::at_barrier) continue;
    threads_[t].state = State::ready;
    push(t);
  }
}

std::uint64_t Scheduler::meet_warp(Intrinsic intrinsic, std::uint32_t mask, std::uint64_t value, unsigned source, Here where) {
  const InRuntime runtime;
  Thread& self = threads_[current];
  const unsigned index = current / lanes_per_warp;
  const unsigned first = index * lanes_per_warp;
  const std::uint32_t bit = 1u << current % lanes_per_warp;
  Warp& warp = warps_[index];
  self.state = State::at_warp;
  self.where = where;
  self.intrinsic = intrinsic;
  self.mask = mask;
  self.value = value;
  self.source = source;
  if ((mask & bit) == 0) stop({.kind = FaultKind::caller_not_in_mask, .thread = current, .where = where});

  unsigned mine = warp.meeting_count;
  for (unsigned m = 0; m < warp.meeting_count; ++m) {
    const Meeting& meeting = warp.meetings[m];
    const unsigned other = first + first_lane(meeting.arrived);
    if (meeting.mask == mask) {
      if (meeting.intrinsic != intrinsic) stop({.kind = FaultKind::different_intrinsics, .thread = current, .other = other, .where = where});
      mine = m;
    } else if ((meeting.mask & bit) != 0 && (mask & meeting.arrived) != 0) {  // each waits for the other, under another mask
      stop({.kind = FaultKind::different_masks, .thread = current, .other = first + first_lane(mask & meeting.arrived), .where = where});
    }
  }
  if (mine == warp.meeting_count) warp.meetings[warp.meeting_count++] = {mask, 0, intrinsic};
  Meeting& meeting = warp.meetings[mine];
  meeting.arrived |= bit;
  if (meeting.arrived == (mask & warp.live)) complete(warp, index, mine);
  run_next();
  return self.result;
}

void Scheduler::complete(Warp& warp, unsigned warp_index, unsigned meeting) {
  const Meeting met = warp.meetings[meeting];
  warp.meetings[meeting] = warp.meetings[--warp.meeting_count];
  Thread* const lanes = &threads_[warp_index * lanes_per_warp];
  if (const unsigned absent = combine(met.intrinsic, met.arrived, lanes); absent > 0)
    monitor.absent_lanes(absent, {nullptr, lanes[first_lane(met.arrived)].where});
  if (met.arrived == warp.live) monitor.converge(warp_index);
  if (met.intrinsic == Intrinsic::syncwarp) monitor.sync_warp(warp_index, met.arrived);  // the others order no memory
  for (std::uint32_t left = met.arrived; left != 0; left &= left - 1) {
    const unsigned t = warp_index * lanes_per_warp + first_lane(left);
    threads_[t].state = State::ready;
    push(t);
  }
}

}  // namespace ladder::emulated
