#include "compare/emulated/machine/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <ranges>
#include <type_traits>
#include <utility>

#include "compare/backend.hpp"
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

namespace ladder::emulated::scheduler {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

bool in_kernel = false;
unsigned current = 0;
unsigned turn_left = 0;
std::uintptr_t last_access = 0;

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

std::vector<Observer*> observers;
std::vector<Device> all_devices;
Device* on_turn = nullptr;
bool gave_way = false;                     // to the next one
unsigned numbered = 0;                     // so many blocks
std::vector<std::unique_ptr<Block>> kept;  // for later launches: their fibers live on
std::vector<Block*> free_blocks;
Block* running_block = nullptr;
bool has_rows = false;  // of threads
fcontext_t host = nullptr;
std::optional<Fault> fault;

// Reads of unchanged memory since anything changed; so many that nothing is expected to change
// any more; and those before this block had its turn.
unsigned stale_reads = 0, stale_read_limit = 0, stale_reads_at_turn_start = 0;

std::uint64_t schedule_seed = 0;
bool shuffled = false;
std::mt19937_64 random_numbers;

template <class... Parameters>
void tell(void (Observer::*event)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  for (Observer* const observer : observers) (observer->*event)(arguments...);
}

// Blocks may wait for each other, or for those of other devices.
bool blocks_wait() {
  return grid().resident || grid().cluster > 1 || all_devices.size() > 1;
}

// The block that runs is the only one.
bool is_alone() {
  return on_turn->most_at_once == 1 && all_devices.size() == 1;
}

// They stand in the middle of the kernel. Kernels own nothing that needs unwinding: they are
// created anew when needed.
void drop_fibers() {
  for (const Device& device : all_devices)
    for (Block* const block : device.blocks)
      for (Thread& thread : block->threads) thread.context = nullptr;
}

// --- switching -----------------------------------------------------------------------------------

void push(unsigned thread) {
  running_block->ready[(running_block->head + running_block->count++) % max_threads] =
      static_cast<std::uint16_t>(thread);
}

unsigned pop() {
  if (shuffled)
    std::swap(
        running_block->ready[running_block->head],
        running_block
            ->ready[(running_block->head + random_numbers() % running_block->count) % max_threads]);
  const unsigned thread = running_block->ready[running_block->head];
  running_block->head = (running_block->head + 1) % max_threads;
  --running_block->count;
  return thread;
}

void make_ready(unsigned thread) {
  running_block->threads[thread].state = State::ready;
  push(thread);
}

void begin_turn() {
  turn_left = shuffled
                  ? 1 + static_cast<unsigned>(random_numbers() % (2 * running_block->mean_turn))
                  : longest_turn;
}

void leave_to_host(fcontext_t& self) {
  const transfer_t from = jump_fcontext(host, &self);
  *static_cast<fcontext_t*>(from.data) = from.fctx;
}

void fiber(transfer_t from);

// Inlined: after a jump the processor mispredicts every return, so the way back to the kernel has
// as few as can be.
__attribute__((always_inline)) inline void resume(fcontext_t& self, unsigned next) {
  current = next;
  if (has_rows) ladder_emulated_thread_index = place_in(ladder_emulated_block_dim, next);
  else ladder_emulated_thread_index.x = next;
  begin_turn();
  const transfer_t from = jump_fcontext(running_block->threads[next].context, &self);
  *static_cast<fcontext_t*>(from.data) = from.fctx;
}

__attribute__((always_inline)) inline void run_next() {
  const unsigned self = current;
  if (running_block->count == 0) stop({.kind = FaultKind::deadlock});
  const unsigned next = pop();
  if (next == self) {
    begin_turn();
    return;
  }
  Thread& own = running_block->threads[self];
  own.last_access = last_access;
  resume(own.context, next);
  last_access = own.last_access;
}

void release_barrier() {
  if (running_block->barrier.divergent) stop({.kind = FaultKind::divergent_barrier});
  running_block->barrier.last = std::exchange(running_block->barrier.votes, {});
  tell(&Observer::barrier, grid().threads - running_block->live, running_block->barrier.where);
  for (unsigned t = 0; t < grid().threads; ++t)
    if (running_block->threads[t].state == State::at_barrier) make_ready(t);
}

void complete(Warp& warp, unsigned warp_index, unsigned meeting) {
  const Meeting met = warp.meetings[meeting];
  warp.meetings[meeting] = warp.meetings[--warp.meeting_count];
  Thread* const lanes = &running_block->threads[warp_index * lanes_per_warp];
  if (const unsigned absent = combine(*met.intrinsic, met.arrived, lanes); absent > 0)
    tell(&Observer::absent_lanes, absent, lanes[first_lane(met.arrived)].where);
  if (met.arrived == warp.live) tell(&Observer::converge, warp_index);
  // the others order no memory
  if (met.intrinsic == &intrinsics::syncwarp) tell(&Observer::sync_warp, warp_index, met.arrived);
  for (const unsigned lane : lanes_in(met.arrived)) make_ready(warp_index * lanes_per_warp + lane);
}

void exit_thread() {
  Thread& self = running_block->threads[current];
  const unsigned index = current / lanes_per_warp;
  Warp& warp = running_block->warps[index];
  self.state = State::exited;
  warp.live &= ~(1u << current % lanes_per_warp);
  progress();
  tell(&Observer::exit, index, current % lanes_per_warp);
  --running_block->live;
  if (running_block->live == 0) {
    tell(&Observer::end_block);
    leave_to_host(self.context);
    return;
  }
  // Who has exited is waited for no longer.
  for (unsigned m = warp.meeting_count; m-- > 0;) {
    if (warp.meetings[m].arrived == (warp.meetings[m].mask & warp.live)) complete(warp, index, m);
  }
  if (running_block->barrier.votes.all == running_block->live) release_barrier();
  run_next();
}

// Whoever jumps passes the address of its own context, for the one it jumps to to fill in.
void fiber(transfer_t from) {
  *static_cast<fcontext_t*>(from.data) = from.fctx;
  for (;;) {
    std::optional<std::string> thrown;
    in_kernel = true;
    try {
      grid().body(grid().arguments.get());
    } catch (const std::exception& error) {
      in_kernel = false;
      thrown = error.what();
    } catch (...) {
      in_kernel = false;
      thrown = "not a std::exception";
    }
    in_kernel = false;
    if (thrown)
      stop({.text = grid().shape.thread_in_words(current) + " threw an exception (" + *thrown +
                    "). Device code cannot."});
    exit_thread();
  }
}

// --- whose turn it is ----------------------------------------------------------------------------

// What its threads read as blockIdx and so on.
void show_grid() {
  const Shape& shape = grid().shape;
  has_rows = !is_a_row(shape.block);
  ladder_emulated_thread_index = {};
  ladder_emulated_block_index = shape.place_of_block(running_block->index);
  ladder_emulated_block_dim = shape.block;
  ladder_emulated_grid_dim = shape.grid;
}

void go_on_with(Block& block) {
  running_block = &block;
  show_grid();
  tell(&Observer::select, block.slot);
}

// Whether one is free, or can be made. Where there are not enough addresses for more, blocks of a
// device that need not run at a time do not.
bool is_a_block_free() {
  if (!free_blocks.empty()) return true;
  auto block = std::make_unique<Block>(static_cast<unsigned>(kept.size()));
  if (!block->stacks.exist()) {
    if (!grid().resident && grid().cluster == 1 && !on_turn->blocks.empty()) return false;
    drop_fibers();
    block->stacks.require();
  }
  kept.push_back(std::move(block));
  free_blocks.push_back(kept.back().get());
  return true;
}

void begin_block(unsigned index) {
  running_block->index = index;
  running_block->number = on_turn->first + index;
  show_grid();
  tell(&Observer::begin_block, running_block->slot);
  running_block->live = grid().threads;
  running_block->barrier = {};
  running_block->head = running_block->count = 0;
  // 2 to 64 accesses: some races need long turns, some short
  running_block->mean_turn = 2u << random_numbers() % 6;
  running_block->meetings = 0;
  for (unsigned t = 0; t < running_block->live; ++t) {
    Thread& thread = running_block->threads[t];
    thread.begin();
    if (thread.context == nullptr)
      thread.context = make_fcontext(running_block->stacks.top(t), Stacks::usable, fiber);
    push(t);
  }
  for (unsigned w = 0; w * lanes_per_warp < running_block->live; ++w) {
    running_block->warps[w].live = first_lanes(running_block->live - w * lanes_per_warp);
    running_block->warps[w].meeting_count = 0;
  }
}

// All its blocks, since any may reach the shared memory of the others. The first of them runs.
void begin_cluster(unsigned cluster) {
  for (unsigned rank = 0; rank < grid().cluster; ++rank) {
    if (rank > 0) static_cast<void>(is_a_block_free());
    running_block = free_blocks.back();
    free_blocks.pop_back();
    on_turn->blocks.push_back(running_block);
    begin_block(cluster * grid().cluster + rank);
  }
  if (grid().cluster > 1) go_on_with(*on_turn->blocks[on_turn->turn]);
}

// The turn goes to a block of the device that runs, or to a new one.
void choose_block() {
  Device& device = *on_turn;
  auto& blocks = device.blocks;
  const bool may_begin = device.begun < device.clusters() &&
                         blocks.size() + device.grid.cluster <= device.most_at_once;
  if (may_begin && (blocks.empty() || !shuffled || random_numbers() % 2 == 0) &&
      is_a_block_free()) {
    device.turn = blocks.size();
    const unsigned cluster = device.begun++;
    begin_cluster(device.order.empty() ? cluster : device.order[cluster]);
  } else {
    device.turn = (shuffled ? random_numbers() : device.turn + 1) % blocks.size();
    go_on_with(*blocks[device.turn]);
  }
  stale_reads_at_turn_start = stale_reads;
}

void set_stale_read_limit() {
  stale_read_limit = patience;
  for (const Device& device : all_devices)
    if (device.runs() && device.grid.resident)
      stale_read_limit += 8 * device.grid.blocks * device.grid.threads;
}

// From the last to the first, or at random; but not the first one first, nor the last one last:
// code that relies on those is common.
void order_blocks() {
  auto& order = on_turn->order;
  const unsigned clusters = on_turn->clusters();
  order.clear();
  if (!shuffled || clusters == 1) return;
  order.resize(clusters);
  std::iota(order.rbegin(), order.rend(), 0U);
  if (schedule_seed % 2 == 1) return;
  do std::ranges::shuffle(order, random_numbers);
  while (order.front() == 0 || order.back() == clusters - 1);
}

void begin_grid(const Grid& grid) {
  Device& device = *on_turn;
  device.grid = grid;
  device.first = numbered;
  numbered += grid.blocks;
  device.begun = 0;
  device.turn = 0;
  // All blocks of an ordinary grid never run at a time: no kernel may rely on that. Counting
  // follows one block of it.
  device.most_at_once = grid.cluster;
  if (grid.resident) device.most_at_once = grid.blocks;
  else if (shuffled && std::ranges::none_of(observers, &Observer::follows_one_block))
    device.most_at_once *=
        std::clamp(device.clusters() - 1, 1U, std::max(most_in_turns / grid.cluster, 1U));
  set_stale_read_limit();
  tell(&Observer::begin_kernel);
  order_blocks();
}

const Join* next_join(const Device& device) {
  return device.done < device.work.size() ? std::get_if<Join>(&device.work[device.done]) : nullptr;
}

bool can_go_on(const Device& device) {
  if (device.runs()) return true;
  const Join* const join = next_join(device);
  if (join == nullptr) return device.done < device.work.size();
  return std::ranges::count_if(all_devices, [&](const Device& other) {
           const Join* const its = other.runs() ? nullptr : next_join(other);
           return its != nullptr && its->number == join->number;
         }) == join->devices;
}

void begin_next() {
  progress();
  Work& next = on_turn->work[on_turn->done];
  if (const auto* const grid = std::get_if<Grid>(&next)) {
    begin_grid(*grid);
    return;
  }
  if (const auto* const copy = std::get_if<QueuedCopy>(&next)) {
    // Where the host enqueued it, all arrays were there; memory is released after what uses it.
    tell(&Observer::copy_of_queue, *copy, numbered++, static_cast<unsigned>(kept.size()));
    std::memmove(copy->to, copy->from.front(), copy->bytes);
    for (const void* const from : copy->from | std::views::drop(1))
      copy->combine(copy->to, from, copy->bytes);
    ++on_turn->done;
  } else if (const auto* const call = std::get_if<Call>(&next)) {
    (*call)();
    ++on_turn->done;
  } else {
    const Join join = std::get<Join>(next);
    for (Device& device : all_devices)
      if (device.number < join.devices) ++device.done;
    tell(&Observer::join_devices, join.devices);
  }
}

// The turn goes to a device with a grid that runs. False: all queues are empty.
bool choose_device() {
  const std::size_t count = all_devices.size();
  do {
    auto at = static_cast<std::size_t>(on_turn - all_devices.data());
    if (gave_way) ++at;
    if (shuffled && count > 1) at += random_numbers() % count;
    gave_way = false;
    std::size_t tried = 0;
    do {
      if (tried == count) return false;
      on_turn = &all_devices[(at + tried++) % count];
    } while (!can_go_on(*on_turn));
    if (!on_turn->runs()) begin_next();
  } while (!on_turn->runs());
  return true;
}

void end_block() {
  Device& device = *on_turn;
  free_blocks.push_back(running_block);
  device.blocks.erase(device.blocks.begin() + static_cast<std::ptrdiff_t>(device.turn));
  --device.turn;  // so that the next one's is next
  if (!device.blocks.empty() || device.begun < device.clusters()) return;
  tell(&Observer::end_kernel);
  device.most_at_once = 0;
  device.grid = {};
  device.work[device.done++] = {};  // what the launch has allocated is released
  set_stale_read_limit();
}

// --- taking turns --------------------------------------------------------------------------------

// A thread waits if it reads the same word again and, since then, nothing else than before. One
// that walks on over data does not.
void note_reading(bool again, unsigned weight, std::uintptr_t address) {
  if (!again) {
    stale_reads = 0;
    return;
  }
  stale_reads += weight;
  if (stale_reads > stale_read_limit) stop({.kind = FaultKind::endless_wait, .address = address});
}

// In this turn of the block all its threads have found nothing new, about twice each.
bool block_waits() {
  stale_reads_at_turn_start = std::min(stale_reads_at_turn_start, stale_reads);
  return stale_reads - stale_reads_at_turn_start > 2 * grid().threads;
}

void leave_to_other_block() {
  gave_way = true;
  push(current);
  Thread& own = running_block->threads[current];
  own.last_access = last_access;
  leave_to_host(own.context);
  last_access = own.last_access;
}

}  // namespace

void set_schedule(std::uint64_t seed) {
  schedule_seed = seed;
  shuffled = seed != 0;
  random_numbers.seed(seed);
}

void run(std::vector<Queue> queues, std::vector<Observer*> watching,
         std::string (*describe)(const Fault& fault)) {
  observers = std::move(watching);
  if (kept.empty()) kept.push_back(std::make_unique<Block>(0));
  kept.front()->stacks.require();
  struct Devices {
    ~Devices() { all_devices.clear(); }
  } const until_end;
  for (Queue& queue : queues)
    all_devices.push_back({.number = queue.device, .work = std::move(queue.work)});
  on_turn = &all_devices.front();
  gave_way = false;
  numbered = 0;
  tell(&Observer::begin, shuffled ? random_numbers() | 1 : 0);
  if (kept.size() > most_kept) kept.resize(most_kept);
  free_blocks.clear();
  for (const auto& block : kept) free_blocks.insert(free_blocks.begin(), block.get());
  stale_reads = 0;
  last_access = 0;
  while (choose_device()) {
    choose_block();
    resume(host, pop());
    tell(&Observer::settle);
    if (fault) {
      const bool is_unsupported = fault->kind == FaultKind::unsupported;
      const std::string text = describe(*std::exchange(fault, {}));
      drop_fibers();
      if (is_unsupported) throw backend::Unsupported(text);
      throw KernelFault(text);
    }
    if (running_block->live == 0) end_block();
  }
}

void stop(Fault what) {
  in_kernel = false;
  fault = std::move(what);
  fault->thread = current;
  leave_to_host(running_block->threads[current].context);
  __builtin_unreachable();  // the host drops this fiber
}

void progress() {
  stale_reads = 0;
}

void note_look(const Place& place) {
  running_block->threads[current].last_look = place;
}

void end_turn(std::uintptr_t address) {
  const InRuntime runtime;
  Thread& self = running_block->threads[current];
  const Thread::Reading now{address, last_access};
  // it may wait for several words
  const bool again =
      self.turn_ended == now || std::ranges::find(self.waited, now) != self.waited.end();
  self.turn_ended = now;
  // a turn of re-reading weighs more
  note_reading(again, (shuffled ? running_block->mean_turn : longest_turn) / 16 + 1, address);
  if (blocks_wait() && block_waits()) {
    leave_to_other_block();
    return;
  }
  push(current);
  run_next();
}

void wait_on(std::uintptr_t address) {
  const InRuntime runtime;
  Thread& self = running_block->threads[current];
  const Thread::Reading now{address, last_access};
  const bool again = std::ranges::find(self.waited, now) != self.waited.end();
  if (!again) self.waited[self.next_waited++ % Thread::most_words] = now;
  note_reading(again, 1, address);
  push(current);
  run_next();
}

// Under a seed a block that waits gives way soon, and any other now and then; often at first, since
// most protocols are short. In the regular order one does where all its threads wait.
void meet_blocks() {
  if (is_alone()) return;
  const InRuntime runtime;
  if (!shuffled) {
    if (block_waits()) leave_to_other_block();
    return;
  }
  const bool waits = stale_reads > 64;
  if (random_numbers() % (waits ? 8 : ++running_block->meetings < 64 ? 4 : 64) == 0)
    leave_to_other_block();
}

// --- meeting -------------------------------------------------------------------------------------

Votes meet_block(bool vote, Here where, const char* name) {
  const InRuntime runtime;
  Thread& self = running_block->threads[current];
  self.state = State::at_barrier;
  self.where = where;
  self.barrier = name;
  auto& barrier = running_block->barrier;
  if (barrier.votes.all == 0) barrier.where = where;
  else if (barrier.where != where) barrier.divergent = true;
  ++barrier.votes.all;
  if (vote) ++barrier.votes.yes;
  if (barrier.votes.all == running_block->live) release_barrier();
  run_next();
  return barrier.last;
}

std::uint64_t meet_warp(const Intrinsic& intrinsic, std::uint32_t mask, std::uint64_t value,
                        unsigned source, Here where) {
  const InRuntime runtime;
  Thread& self = running_block->threads[current];
  const unsigned index = current / lanes_per_warp;
  const unsigned first = index * lanes_per_warp;
  const std::uint32_t bit = 1u << current % lanes_per_warp;
  Warp& warp = running_block->warps[index];
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

// --- the state of the run ------------------------------------------------------------------------

const Grid& grid() {
  return on_turn->grid;
}

const Device& device() {
  return *on_turn;
}

const std::vector<Device>& devices() {
  return all_devices;
}

const Block& running() {
  return *running_block;
}

const Block& block_in(unsigned slot) {
  return *kept[slot];
}

unsigned cluster() {
  return running_block->number - running_block->index % grid().cluster;
}

bool is_local(std::uintptr_t address) {
  return running_block->stacks.contains(address);
}

std::optional<unsigned> slot_of(unsigned number) {
  for (const Block* const block : on_turn->blocks)
    if (block->number == number) return block->slot;
  return {};
}

bool is_of_cluster(unsigned slot) {
  return std::ranges::any_of(on_turn->blocks, [&](const Block* block) {
    return block->slot == slot && block->number - cluster() < grid().cluster;
  });
}

unsigned live_in_cluster() {
  unsigned live = 0;
  for (const Block* const block : on_turn->blocks)
    if (block->number - cluster() < grid().cluster) live += block->live;
  return live;
}

}  // namespace ladder::emulated::scheduler
