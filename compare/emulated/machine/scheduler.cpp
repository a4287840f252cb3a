#include "compare/emulated/machine/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <ranges>
#include <utility>

#include "compare/emulated/machine/warp.hpp"
#include "compare/emulated/types/cuda_words.hpp"
#include "compare/emulated/types/lanes.hpp"

// What kernels see as threadIdx and so on (cuda_words.hpp).
extern "C" {
uint3 ladder_emulated_thread_index{};
uint3 ladder_emulated_block_index{};
uint3 ladder_emulated_block_dim{1, 1, 1};
uint3 ladder_emulated_grid_dim{1, 1, 1};
}

namespace ladder::emulated {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

// Accesses after which a thread gives way even in schedule 0, so that a loop which waits for
// another thread of the block ends. Bounds what Traffic holds open.
constexpr unsigned longest_turn = 4096;

// Reads of unchanged memory, in all threads that run together, after which nothing is expected to
// change any more: about a tenth of a second.
constexpr unsigned patience = 1u << 20;

// Blocks that are kept from one resident grid to the next, with the memory that their stacks have
// taken: 8 MiB each.
constexpr std::size_t most_kept = 16;

}  // namespace

Scheduler scheduler;

Scheduler::Scheduler() {
  blocks_.push_back(std::make_unique<Block>(0));
  set_schedule(0);
}

void Scheduler::set_schedule(std::uint64_t seed) {
  seed_ = seed;
  shuffled_ = seed != 0;
  random_.seed(seed);
}

void Scheduler::run(std::vector<Queue> queues, std::vector<Observer*> observers,
                    std::string (*describe)(const Fault& fault)) {
  observers_ = std::move(observers);
  blocks_.front()->stacks.require();
  struct Devices {
    ~Devices() { scheduler.devices_.clear(); }
  } const until_end;
  for (Queue& queue : queues)
    devices_.push_back({.number = queue.device, .work = std::move(queue.work)});
  device_ = &devices_.front();
  gave_way_ = false;
  numbered_ = 0;
  tell(&Observer::begin, shuffled_ ? random_() | 1 : 0);
  if (blocks_.size() > most_kept) blocks_.resize(most_kept);
  free_.clear();
  for (const auto& block : blocks_) free_.insert(free_.begin(), block.get());
  stale_reads_ = 0;
  last_access = 0;
  while (choose_device()) {
    choose_block();
    resume(host_, pop());
    tell(&Observer::settle);
    if (fault_) {
      const std::string text = describe(*std::exchange(fault_, {}));
      drop_fibers();
      throw KernelFault(text);
    }
    if (now_->live == 0) end_block();
  }
}

// They stand in the middle of the kernel. Kernels own nothing that needs unwinding: they are
// created anew when needed.
void Scheduler::drop_fibers() {
  for (const Device& device : devices_)
    for (Block* const block : device.blocks)
      for (Thread& thread : block->threads) thread.context = nullptr;
}

// --- whose turn it is ----------------------------------------------------------------------------

// The turn goes to a device with a grid that runs. False: all queues are empty.
bool Scheduler::choose_device() {
  const std::size_t count = devices_.size();
  do {
    auto at = static_cast<std::size_t>(device_ - devices_.data());
    if (gave_way_) ++at;
    if (shuffled_ && count > 1) at += random_() % count;
    gave_way_ = false;
    std::size_t tried = 0;
    do {
      if (tried == count) return false;
      device_ = &devices_[(at + tried++) % count];
    } while (!can_go_on(*device_));
    if (!device_->runs()) begin_next();
  } while (!device_->runs());
  return true;
}

namespace {

const Join* next_join(const Device& device) {
  return device.done < device.work.size() ? std::get_if<Join>(&device.work[device.done]) : nullptr;
}

}  // namespace

bool Scheduler::can_go_on(const Device& device) const {
  if (device.runs()) return true;
  const Join* const join = next_join(device);
  if (join == nullptr) return device.done < device.work.size();
  return std::ranges::count_if(devices_, [&](const Device& other) {
           const Join* const its = other.runs() ? nullptr : next_join(other);
           return its != nullptr && its->number == join->number;
         }) == join->devices;
}

void Scheduler::begin_next() {
  progress();
  Work& next = device_->work[device_->done];
  if (const auto* const grid = std::get_if<Grid>(&next)) {
    begin_grid(*grid);
    return;
  }
  if (const auto* const copy = std::get_if<QueuedCopy>(&next)) {
    // Where the host enqueued it, all arrays were there; memory is released after what uses it.
    tell(&Observer::copy_of_queue, *copy, numbered_++, static_cast<unsigned>(blocks_.size()));
    std::memmove(copy->to, copy->from.front(), copy->bytes);
    for (const void* const from : copy->from | std::views::drop(1))
      copy->combine(copy->to, from, copy->bytes);
    ++device_->done;
  } else if (const auto* const call = std::get_if<Call>(&next)) {
    (*call)();
    ++device_->done;
  } else {
    const Join join = std::get<Join>(next);
    for (Device& device : devices_)
      if (device.number < join.devices) ++device.done;
    tell(&Observer::join_devices, join.devices);
  }
}

void Scheduler::begin_grid(const Grid& grid) {
  Device& device = *device_;
  device.grid = grid;
  device.first = numbered_;
  numbered_ += grid.blocks;
  device.begun = 0;
  device.turn = 0;
  // All blocks of an ordinary grid never run at a time: no kernel may rely on that. Counting
  // follows one block of it.
  device.most_at_once = grid.cluster;
  if (grid.resident) device.most_at_once = grid.blocks;
  else if (shuffled_ && std::ranges::none_of(observers_, &Observer::follows_one_block))
    device.most_at_once *=
        std::clamp(device.clusters() - 1, 1U, std::max(most_in_turns / grid.cluster, 1U));
  set_stale_read_limit();
  tell(&Observer::begin_kernel);
  order_blocks();
}

void Scheduler::set_stale_read_limit() {
  stale_read_limit_ = patience;
  for (const Device& device : devices_)
    if (device.runs() && device.grid.resident)
      stale_read_limit_ += 8 * device.grid.blocks * device.grid.threads;
}

// From the last to the first, or at random; but not the first one first, nor the last one last:
// code that relies on those is common.
void Scheduler::order_blocks() {
  auto& order = device_->order;
  const unsigned clusters = device_->clusters();
  order.clear();
  if (!shuffled_ || clusters == 1) return;
  order.resize(clusters);
  std::iota(order.rbegin(), order.rend(), 0U);
  if (seed_ % 2 == 1) return;
  do std::ranges::shuffle(order, random_);
  while (order.front() == 0 || order.back() == clusters - 1);
}

// The turn goes to a block of the device that runs, or to a new one.
void Scheduler::choose_block() {
  Device& device = *device_;
  auto& blocks = device.blocks;
  const bool may_begin = device.begun < device.clusters() &&
                         blocks.size() + device.grid.cluster <= device.most_at_once;
  if (may_begin && (blocks.empty() || !shuffled_ || random_() % 2 == 0) && is_a_block_free()) {
    device.turn = blocks.size();
    const unsigned cluster = device.begun++;
    begin_cluster(device.order.empty() ? cluster : device.order[cluster]);
  } else {
    device.turn = (shuffled_ ? random_() : device.turn + 1) % blocks.size();
    go_on_with(*blocks[device.turn]);
  }
  stale_reads_at_turn_start_ = stale_reads_;
}

// All its blocks, since any may reach the shared memory of the others. The first of them runs.
void Scheduler::begin_cluster(unsigned cluster) {
  for (unsigned rank = 0; rank < grid().cluster; ++rank) {
    if (rank > 0) static_cast<void>(is_a_block_free());
    now_ = free_.back();
    free_.pop_back();
    device_->blocks.push_back(now_);
    begin_block(cluster * grid().cluster + rank);
  }
  if (grid().cluster > 1) go_on_with(*device_->blocks[device_->turn]);
}

void Scheduler::go_on_with(Block& block) {
  now_ = &block;
  show_grid();
  tell(&Observer::select, block.slot);
}

// What its threads read as blockIdx and so on.
void Scheduler::show_grid() const {
  ladder_emulated_block_index.x = now_->index;
  ladder_emulated_block_dim.x = grid().threads;
  ladder_emulated_grid_dim.x = grid().blocks;
}

// Whether one is free, or can be made. Where there are not enough addresses for more, blocks of a
// device that need not run at a time do not.
bool Scheduler::is_a_block_free() {
  if (!free_.empty()) return true;
  auto block = std::make_unique<Block>(static_cast<unsigned>(blocks_.size()));
  if (!block->stacks.exist()) {
    if (!grid().resident && grid().cluster == 1 && !device_->blocks.empty()) return false;
    drop_fibers();
    block->stacks.require();
  }
  blocks_.push_back(std::move(block));
  free_.push_back(blocks_.back().get());
  return true;
}

std::optional<unsigned> Scheduler::slot_of(unsigned number) const {
  for (const Block* const block : device_->blocks)
    if (block->number == number) return block->slot;
  return {};
}

bool Scheduler::is_of_cluster(unsigned slot) const {
  return std::ranges::any_of(device_->blocks, [&](const Block* block) {
    return block->slot == slot && block->number - cluster() < grid().cluster;
  });
}

unsigned Scheduler::live_in_cluster() const {
  unsigned live = 0;
  for (const Block* const block : device_->blocks)
    if (block->number - cluster() < grid().cluster) live += block->live;
  return live;
}

void Scheduler::end_block() {
  Device& device = *device_;
  free_.push_back(now_);
  device.blocks.erase(device.blocks.begin() + static_cast<std::ptrdiff_t>(device.turn));
  --device.turn;  // so that the next one's is next
  if (!device.blocks.empty() || device.begun < device.clusters()) return;
  tell(&Observer::end_kernel);
  device.most_at_once = 0;
  device.grid = {};
  device.work[device.done++] = {};  // what the launch has allocated is released
  set_stale_read_limit();
}

void Scheduler::begin_block(unsigned index) {
  now_->index = index;
  now_->number = device_->first + index;
  show_grid();
  tell(&Observer::begin_block, now_->slot);
  now_->live = grid().threads;
  now_->barrier = {};
  now_->head = now_->count = 0;
  // 2 to 64 accesses: some races need long turns, some short
  now_->mean_turn = 2u << random_() % 6;
  now_->meetings = 0;
  for (unsigned t = 0; t < now_->live; ++t) {
    now_->threads[t].begin();
    push(t);
  }
  for (unsigned w = 0; w * lanes_per_warp < now_->live; ++w) {
    now_->warps[w].live = first_lanes(now_->live - w * lanes_per_warp);
    now_->warps[w].meeting_count = 0;
  }
}

// --- switching -----------------------------------------------------------------------------------

// Whoever jumps passes the address of its own context, for the one it jumps to to fill in.
void Scheduler::fiber(transfer_t from) {
  *static_cast<fcontext_t*>(from.data) = from.fctx;
  for (;;) {
    std::optional<std::string> thrown;
    scheduler.in_kernel = true;
    try {
      scheduler.grid().body(scheduler.grid().arguments.get());
    } catch (const std::exception& error) {
      scheduler.in_kernel = false;
      thrown = error.what();
    } catch (...) {
      scheduler.in_kernel = false;
      thrown = "not a std::exception";
    }
    scheduler.in_kernel = false;
    if (thrown)
      scheduler.stop({.text = "thread " + std::to_string(scheduler.current) +
                              " threw an exception (" + *thrown + "). Device code cannot."});
    scheduler.exit_thread();
  }
}

// Inlined: after a jump the processor mispredicts every return, so the way back to the kernel has
// as few as can be.
__attribute__((always_inline)) inline void Scheduler::resume(fcontext_t& self, unsigned next) {
  current = next;
  ladder_emulated_thread_index.x = next;
  begin_turn();
  if (now_->threads[next].context == nullptr)
    now_->threads[next].context = make_fcontext(now_->stacks.top(next), Stacks::usable, fiber);
  const transfer_t from = jump_fcontext(now_->threads[next].context, &self);
  *static_cast<fcontext_t*>(from.data) = from.fctx;
}

void Scheduler::leave_to_host(fcontext_t& self) {
  const transfer_t from = jump_fcontext(host_, &self);
  *static_cast<fcontext_t*>(from.data) = from.fctx;
}

__attribute__((always_inline)) inline void Scheduler::run_next() {
  const unsigned self = current;
  if (now_->count == 0) stop({.kind = FaultKind::deadlock});
  const unsigned next = pop();
  if (next == self) {
    begin_turn();
    return;
  }
  Thread& own = now_->threads[self];
  own.last_access = last_access;
  resume(own.context, next);
  last_access = own.last_access;
}

void Scheduler::stop(Fault fault) {
  in_kernel = false;
  fault_ = std::move(fault);
  fault_->thread = current;
  leave_to_host(now_->threads[current].context);
  __builtin_unreachable();  // the host drops this fiber
}

void Scheduler::make_ready(unsigned thread) {
  now_->threads[thread].state = State::ready;
  push(thread);
}

void Scheduler::push(unsigned thread) {
  now_->ready[(now_->head + now_->count++) % max_threads] = static_cast<std::uint16_t>(thread);
}

unsigned Scheduler::pop() {
  if (shuffled_)
    std::swap(now_->ready[now_->head],
              now_->ready[(now_->head + random_() % now_->count) % max_threads]);
  const unsigned thread = now_->ready[now_->head];
  now_->head = (now_->head + 1) % max_threads;
  --now_->count;
  return thread;
}

void Scheduler::begin_turn() {
  turn_left =
      shuffled_ ? 1 + static_cast<unsigned>(random_() % (2 * now_->mean_turn)) : longest_turn;
}

void Scheduler::exit_thread() {
  Thread& self = now_->threads[current];
  const unsigned index = current / lanes_per_warp;
  Warp& warp = now_->warps[index];
  self.state = State::exited;
  warp.live &= ~(1u << current % lanes_per_warp);
  progress();
  tell(&Observer::exit, index, current % lanes_per_warp);
  --now_->live;
  if (now_->live == 0) {
    tell(&Observer::end_block);
    leave_to_host(self.context);
    return;
  }
  // Who has exited is waited for no longer.
  for (unsigned m = warp.meeting_count; m-- > 0;) {
    if (warp.meetings[m].arrived == (warp.meetings[m].mask & warp.live)) complete(warp, index, m);
  }
  if (now_->barrier.votes.all == now_->live) release_barrier();
  run_next();
}

// --- taking turns --------------------------------------------------------------------------------

void Scheduler::end_turn(std::uintptr_t address) {
  const InRuntime runtime;
  Thread& self = now_->threads[current];
  const Thread::Reading now{address, last_access};
  // it may wait for several words
  const bool again =
      self.turn_ended == now || std::ranges::find(self.waited, now) != self.waited.end();
  self.turn_ended = now;
  // a turn of re-reading weighs more
  note_reading(again, (shuffled_ ? now_->mean_turn : longest_turn) / 16 + 1, address);
  if (blocks_wait() && block_waits()) {
    leave_to_other_block();
    return;
  }
  push(current);
  run_next();
}

void Scheduler::wait_on(std::uintptr_t address) {
  const InRuntime runtime;
  Thread& self = now_->threads[current];
  const Thread::Reading now{address, last_access};
  const bool again = std::ranges::find(self.waited, now) != self.waited.end();
  if (!again) self.waited[self.next_waited++ % Thread::most_words] = now;
  note_reading(again, 1, address);
  push(current);
  run_next();
}

// Under a seed a block that waits gives way soon, and any other now and then; often at first, since
// most protocols are short. In the regular order one does where all its threads wait.
void Scheduler::meet_blocks() {
  if (is_alone()) return;
  const InRuntime runtime;
  if (!shuffled_) {
    if (block_waits()) leave_to_other_block();
    return;
  }
  const bool waits = stale_reads_ > 64;
  if (random_() % (waits ? 8 : ++now_->meetings < 64 ? 4 : 64) == 0) leave_to_other_block();
}

// In this turn of the block all its threads have found nothing new, about twice each.
bool Scheduler::block_waits() {
  stale_reads_at_turn_start_ = std::min(stale_reads_at_turn_start_, stale_reads_);
  return stale_reads_ - stale_reads_at_turn_start_ > 2 * grid().threads;
}

void Scheduler::leave_to_other_block() {
  gave_way_ = true;
  push(current);
  Thread& own = now_->threads[current];
  own.last_access = last_access;
  leave_to_host(own.context);
  last_access = own.last_access;
}

// A thread waits if it reads the same word again and, since then, nothing else than before. One
// that walks on over data does not.
void Scheduler::note_reading(bool again, unsigned weight, std::uintptr_t address) {
  if (!again) {
    stale_reads_ = 0;
    return;
  }
  stale_reads_ += weight;
  if (stale_reads_ > stale_read_limit_) stop({.kind = FaultKind::endless_wait, .address = address});
}

// --- meeting -------------------------------------------------------------------------------------

Votes Scheduler::meet_block(bool vote, Here where) {
  const InRuntime runtime;
  Thread& self = now_->threads[current];
  self.state = State::at_barrier;
  self.where = where;
  auto& barrier = now_->barrier;
  if (barrier.votes.all == 0) barrier.where = where;
  else if (barrier.where != where) barrier.divergent = true;
  ++barrier.votes.all;
  if (vote) ++barrier.votes.yes;
  if (barrier.votes.all == now_->live) release_barrier();
  run_next();
  return barrier.last;
}
void Scheduler::release_barrier() {
  if (now_->barrier.divergent) stop({.kind = FaultKind::divergent_barrier});
  now_->barrier.last = std::exchange(now_->barrier.votes, {});
  tell(&Observer::barrier, grid().threads - now_->live, now_->barrier.where);
  for (unsigned t = 0; t < grid().threads; ++t)
    if (now_->threads[t].state == State::at_barrier) make_ready(t);
}

std::uint64_t Scheduler::meet_warp(const Intrinsic& intrinsic, std::uint32_t mask,
                                   std::uint64_t value, unsigned source, Here where) {
  const InRuntime runtime;
  Thread& self = now_->threads[current];
  const unsigned index = current / lanes_per_warp;
  const unsigned first = index * lanes_per_warp;
  const std::uint32_t bit = 1u << current % lanes_per_warp;
  Warp& warp = now_->warps[index];
  self.state = State::at_warp;
  self.where = where;
  self.intrinsic = &intrinsic;
  self.mask = mask;
  self.value = value;
  self.source = source;
  if ((mask & bit) == 0) stop({.kind = FaultKind::caller_not_in_mask, .place = where});

  unsigned mine = warp.meeting_count;
  for (unsigned m = 0; m < warp.meeting_count; ++m) {
    const Meeting& meeting = warp.meetings[m];
    const unsigned other = first + first_lane(meeting.arrived);
    if (meeting.mask == mask) {
      if (meeting.intrinsic != &intrinsic)
        stop({.kind = FaultKind::different_intrinsics, .other = other, .place = where});
      mine = m;
    } else if ((meeting.mask & bit) != 0 &&
               (mask & meeting.arrived) != 0) {  // each waits for the other, under another mask
      stop({.kind = FaultKind::different_masks,
            .other = first + first_lane(mask & meeting.arrived),
            .place = where});
    }
  }
  if (mine == warp.meeting_count) warp.meetings[warp.meeting_count++] = {mask, 0, &intrinsic};
  Meeting& meeting = warp.meetings[mine];
  meeting.arrived |= bit;
  if (meeting.arrived == (mask & warp.live)) complete(warp, index, mine);
  run_next();
  return self.result;
}

void Scheduler::complete(Warp& warp, unsigned warp_index, unsigned meeting) {
  const Meeting met = warp.meetings[meeting];
  warp.meetings[meeting] = warp.meetings[--warp.meeting_count];
  Thread* const lanes = &now_->threads[warp_index * lanes_per_warp];
  if (const unsigned absent = combine(*met.intrinsic, met.arrived, lanes); absent > 0)
    tell(&Observer::absent_lanes, absent, lanes[first_lane(met.arrived)].where);
  if (met.arrived == warp.live) tell(&Observer::converge, warp_index);
  // the others order no memory
  if (met.intrinsic == &intrinsics::syncwarp) tell(&Observer::sync_warp, warp_index, met.arrived);
  for (const unsigned lane : lanes_in(met.arrived)) make_ready(warp_index * lanes_per_warp + lane);
}

}  // namespace ladder::emulated
