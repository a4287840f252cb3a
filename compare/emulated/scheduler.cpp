#include "compare/emulated/scheduler.hpp"

#include <algorithm>
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

// Reads of unchanged memory, in all threads that run together, after which nothing is expected to change any more: about a tenth of a second.
constexpr unsigned patience = 1u << 20;

// Blocks that are kept from one resident grid to the next, with the memory that their stacks have taken: 8 MiB each.
constexpr std::size_t most_spare = 16;

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

Block::Block() = default;
Block::~Block() = default;

Scheduler::Scheduler() : first_(std::make_unique<Block>()), block_(first_.get()) {
  set_schedule(0);
}

void Scheduler::set_schedule(std::uint64_t seed) {
  shuffled_ = seed != 0;
  random_.seed(seed);
}

void Scheduler::run(const Grid& grid) {
  stacks_.require();
  grid_ = grid;
  ladder_emulated_block_dim = {grid.threads, 1, 1};
  ladder_emulated_grid_dim = {grid.blocks, 1, 1};
  monitor.begin_kernel(grid);
  if (grid.resident && grid.blocks > 1) run_side_by_side();
  else run_one_by_one();
}

void Scheduler::run_one_by_one() {
  most_waits_ = patience;
  for (unsigned block = 0; block < grid_.blocks; ++block) {
    begin_block(block);
    run_block();
  }
}

// Each block begins before any goes on; those that have given way take turns then. What one needs, another that begins after its end takes over.
void Scheduler::run_side_by_side() {
  struct Running {
    unsigned number;
    std::unique_ptr<Block> block;
  };
  std::vector<Running> running;
  most_waits_ = patience + std::uint64_t{8} * grid_.blocks * grid_.threads;
  const auto back_to_one = [&](Scheduler*) {
    block_ = first_.get();
    running_stacks_ = &stacks_;
    if (spare_.size() > most_spare) spare_.resize(most_spare);
  };
  const std::unique_ptr<Scheduler, decltype(back_to_one)> at_the_end(this, back_to_one);

  unsigned begun = 0;
  std::size_t turn = 0;
  while (begun < grid_.blocks || !running.empty()) {
    if (begun < grid_.blocks) {
      if (spare_.empty()) {
        auto stacks = std::make_unique<Stacks>(max_threads, begun == 0);
        stacks->require();
        spare_.push_back(std::make_unique<Block>());
        spare_.back()->own_stacks = std::move(stacks);
      }
      turn = running.size();
      running.push_back({begun++, std::move(spare_.back())});
      spare_.pop_back();
    } else {
      turn = (turn + 1) % running.size();
    }
    Running& now = running[turn];
    block_ = now.block.get();
    running_stacks_ = block_->own_stacks.get();
    ladder_emulated_block_index.x = now.number;
    if (block_->aside == nullptr) begin_block(now.number);
    else monitor.take_up(*block_->aside);
    waits_of_block_ = waits_ + 2 * grid_.threads;
    run_block();
    if (block_->live > 0) {
      if (block_->aside == nullptr) block_->aside = std::make_unique<Aside>();
      monitor.put_aside(*block_->aside);
      continue;
    }
    block_->aside.reset();
    spare_.push_back(std::move(now.block));
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(turn));
    turn = turn == 0 ? running.size() : turn - 1;  // before the one that follows
  }
}

// Until all of its threads have ended, or it gives way.
void Scheduler::run_block() {
  resume(host_, pop());
  if (!fault_) return;
  const std::string text = describe(*fault_, thrown_);
  fault_.reset();
  // The fibers stand in the middle of the kernel. Kernels own nothing that needs unwinding: they are dropped, and created anew when needed.
  for (Thread& thread : block_->threads) thread.context = nullptr;
  throw KernelFault(text);
}

void Scheduler::begin_block(unsigned block) {
  ladder_emulated_block_index.x = block;
  monitor.begin_block(block);
  block_->live = grid_.threads;
  waits_ = 0;
  block_->barrier = {};
  block_->head = block_->count = 0;
  block_->mean_turn = 2u << random_() % 6;  // 2 to 64 accesses: some races need long turns, some short
  for (unsigned t = 0; t < block_->live; ++t) {
    block_->threads[t].state = State::ready;
    push(t);
  }
  for (unsigned w = 0; w * lanes_per_warp < block_->live; ++w) {
    const unsigned lanes = block_->live - w * lanes_per_warp;
    block_->warps[w].live = lanes >= lanes_per_warp ? 0xffffffffu : (1u << lanes) - 1;
    block_->warps[w].meeting_count = 0;
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
  if (block_->threads[next].context == nullptr) block_->threads[next].context = make_fcontext(running_stacks_->top(next), Stacks::usable, fiber);
  const transfer_t from = jump_fcontext(block_->threads[next].context, &self);
  *static_cast<fcontext_t*>(from.data) = from.fctx;
}

void Scheduler::leave_to_host(fcontext_t& self) {
  const transfer_t from = jump_fcontext(host_, &self);
  *static_cast<fcontext_t*>(from.data) = from.fctx;
}

__attribute__((always_inline)) inline void Scheduler::run_next() {
  const unsigned self = current;
  if (block_->count == 0) stop({.kind = FaultKind::deadlock, .thread = self});
  const unsigned next = pop();
  if (next != self) resume(block_->threads[self].context, next);
  else begin_turn();
}

void Scheduler::stop(const Fault& fault) {
  in_kernel = false;
  fault_ = fault;
  leave_to_host(block_->threads[current].context);
  __builtin_unreachable();  // the host drops this fiber
}

void Scheduler::push(unsigned thread) {
  block_->ready[(block_->head + block_->count++) % max_threads] = static_cast<std::uint16_t>(thread);
}

unsigned Scheduler::pop() {
  if (shuffled_) std::swap(block_->ready[block_->head], block_->ready[(block_->head + random_() % block_->count) % max_threads]);
  const unsigned thread = block_->ready[block_->head];
  block_->head = (block_->head + 1) % max_threads;
  --block_->count;
  return thread;
}

void Scheduler::begin_turn() {
  turn_left = shuffled_ ? 1 + static_cast<unsigned>(random_() % (2 * block_->mean_turn)) : longest_turn;
}

void Scheduler::exit_thread() {
  Thread& self = block_->threads[current];
  const unsigned index = current / lanes_per_warp;
  Warp& warp = block_->warps[index];
  self.state = State::exited;
  warp.live &= ~(1u << current % lanes_per_warp);
  progress();
  monitor.exit(index, current % lanes_per_warp);
  --block_->live;
  if (block_->live == 0) {
    leave_to_host(self.context);
    return;
  }
  // Who has exited is waited for no longer.
  for (unsigned m = warp.meeting_count; m-- > 0;) {
    if (warp.meetings[m].arrived == (warp.meetings[m].mask & warp.live)) complete(warp, index, m);
  }
  if (block_->barrier.arrived == block_->live) release_barrier();
  run_next();
}

// --- taking turns
// ------------------------------------------------------------------------------------------------------------------------------------

void Scheduler::end_turn(std::uintptr_t address) {
  const InRuntime runtime;
  Thread& self = block_->threads[current];
  const Thread::Reading now{address, last_access};
  const bool again = self.turn_ended == now;
  self.turn_ended = now;
  note_reading(again, (shuffled_ ? block_->mean_turn : longest_turn) / 16 + 1, address);  // a turn of re-reading weighs more
  push(current);
  give_way();
}

void Scheduler::wait_on(std::uintptr_t address) {
  const InRuntime runtime;
  Thread& self = block_->threads[current];
  const Thread::Reading now{address, last_access};
  const bool again = std::ranges::find(self.waited, now) != self.waited.end();
  if (!again) self.waited[self.next_waited++ % Thread::most_words] = now;
  note_reading(again, 1, address);
  push(current);
  give_way();
}

// A thread waits if it reads the same word again and, since then, nothing else than before. One that walks on over data does not.
void Scheduler::note_reading(bool waits_again, unsigned weight, std::uintptr_t address) {
  if (!waits_again) {
    waits_ = 0;
    return;
  }
  waits_ += weight;
  if (waits_ > most_waits_) stop({.kind = FaultKind::endless_wait, .thread = current, .address = address});
}

// To another thread, or to another block where blocks run side by side.
void Scheduler::give_way() {
  constexpr unsigned turns_of_block = 64;  // in a random order, about
  if (running_stacks_ != &stacks_ && (waits_ > waits_of_block_ || (shuffled_ && random_() % turns_of_block == 0)))
    leave_to_host(block_->threads[current].context);
  else run_next();
}

// --- meeting
// ------------------------------------------------------------------------------------------------------------------------------------------

int Scheduler::meet_block(BlockVote vote, int predicate, Here where) {
  const InRuntime runtime;
  Thread& self = block_->threads[current];
  self.state = State::at_barrier;
  self.where = where;
  if (block_->barrier.arrived == 0) block_->barrier.where = where;
  else if (!same_line(block_->barrier.where, where)) block_->barrier.divergent = true;
  ++block_->barrier.arrived;
  if (predicate != 0) ++block_->barrier.votes;
  if (block_->barrier.arrived == block_->live) release_barrier();
  run_next();
  switch (vote) {
    case BlockVote::count:
      return static_cast<int>(block_->barrier.last_votes);
    case BlockVote::all:
      return block_->barrier.last_votes == block_->barrier.last_arrived;
    case BlockVote::any:
      return block_->barrier.last_votes != 0;
    case BlockVote::none:
      break;
  }
  return 0;
}

void Scheduler::release_barrier() {
  if (block_->barrier.divergent) stop({.kind = FaultKind::divergent_barrier, .thread = current});
  block_->barrier.last_votes = block_->barrier.votes;
  block_->barrier.last_arrived = block_->barrier.arrived;
  block_->barrier.arrived = block_->barrier.votes = 0;
  monitor.barrier(grid_.threads - block_->live, {nullptr, block_->barrier.where});
  for (unsigned t = 0; t < grid_.threads; ++t) {
    if (block_->threads[t].state != State::at_barrier) continue;
    block_->threads[t].state = State::ready;
    push(t);
  }
}

std::uint64_t Scheduler::meet_warp(Intrinsic intrinsic, std::uint32_t mask, std::uint64_t value, unsigned source, Here where) {
  const InRuntime runtime;
  Thread& self = block_->threads[current];
  const unsigned index = current / lanes_per_warp;
  const unsigned first = index * lanes_per_warp;
  const std::uint32_t bit = 1u << current % lanes_per_warp;
  Warp& warp = block_->warps[index];
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
  Thread* const lanes = &block_->threads[warp_index * lanes_per_warp];
  if (const unsigned absent = combine(met.intrinsic, met.arrived, lanes); absent > 0)
    monitor.absent_lanes(absent, {nullptr, lanes[first_lane(met.arrived)].where});
  if (met.arrived == warp.live) monitor.converge(warp_index);
  if (met.intrinsic == Intrinsic::syncwarp) monitor.sync_warp(warp_index, met.arrived);  // the others order no memory
  for (std::uint32_t left = met.arrived; left != 0; left &= left - 1) {
    const unsigned t = warp_index * lanes_per_warp + first_lane(left);
    block_->threads[t].state = State::ready;
    push(t);
  }
}

}  // namespace ladder::emulated
