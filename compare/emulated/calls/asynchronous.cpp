// Asynchronous copies that are under way, and the barriers that they complete on.
//
// A copy is checked and counted where it is issued. Its data move at any moment from then to the
// wait for it: under a seed at a random one, in the regular order as late as can be. To the check
// for races a copy is a thread of its own, whose accesses come after what lies before the issue,
// and before what a wait for it lets go on. Barriers of the block order nothing there. A bulk copy
// comes after a write by a thread only where a fence of proxies lies between.
#include "compare/emulated/calls/asynchronous.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <unordered_map>
#include <vector>

#include "compare/emulated/calls/asynchronous_copies.hpp"
#include "compare/emulated/calls/barrier_word.hpp"
#include "compare/emulated/calls/runtime.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/memory/shared_memory.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated {

namespace {

BarrierWord contents_at(const Location& location) {
  return contents_of(static_cast<const Barrier*>(shared_memory.at(location)));
}

std::string thread_in_words(unsigned thread) {
  return scheduler::grid().shape.thread_in_words(thread);
}

template <class... Values>
[[noreturn]] void stop(const Place& place, fmt::format_string<Values...> text, Values&&... values) {
  scheduler::stop({.place = place,
                   .text = fmt::format("{} {}", thread_in_words(scheduler::current),
                                       fmt::format(text, std::forward<Values>(values)...))});
}

unsigned own_slot() {
  return scheduler::running().slot;
}

// What the hardware asks of addresses and sizes.
void refuse_bad_shape(const Transfer& transfer, Mover mover, const Place& place) {
  if (transfer.zeros > transfer.size)
    stop(place, "copies {} bytes, {} of them zeros. There may be at most as many zeros as bytes.",
         transfer.size, transfer.zeros);
  const auto is_multiple = [&](std::size_t of) {
    return address_of(transfer.to) % of == 0 && address_of(transfer.from) % of == 0 &&
           transfer.size % of == 0;
  };
  if (mover == Mover::bulk) {
    if (!is_multiple(16))
      stop(place,
           "copies {} bytes in bulk to an address that is {} past a multiple of 16, "
           "from one that is {} past one. All three have to be "
           "multiples of 16: copy the elements at the ends one by one.",
           transfer.size, address_of(transfer.to) % 16, address_of(transfer.from) % 16);
  } else if ((transfer.size != 4 && transfer.size != 8 && transfer.size != 16) ||
             !is_multiple(transfer.size)) {
    stop(place,
         "copies {} bytes to an address that is {} past a multiple of 16, from one "
         "that is {} past one. A thread copies 4, 8 or 16 bytes "
         "at once, and both addresses have to be multiples of that.",
         transfer.size, address_of(transfer.to) % 16, address_of(transfer.from) % 16);
  }
}

void refuse_bad_direction(Space to, Space from, const std::optional<Location>& barrier, Space own,
                          const Place& place) {
  if (barrier ? to.is_shared() && barrier->space.is_shared() && (!from.is_shared() || from == own)
              : !to.is_shared() && from == own)
    return;
  if (barrier)
    stop(place,
         "copies in bulk onto a barrier. Such a copy goes from global memory, or from its block's "
         "shared memory, to shared memory, where its barrier lies too.");
  stop(place,
       "copies in bulk in a group. Such a copy goes from its block's shared memory to global "
       "memory.");
}

[[noreturn]] void stop_at_other_block(const Place& place) {
  stop(place,
       "initialises a barrier of another block, waits for it, or lets it wait for this thread's "
       "copies. Only threads of that block may: the others "
       "arrive there, expect bytes, and copy in bulk.");
}

// --- all that is under way, and the state of the barriers ----------------------------------------

struct BarrierState {
  unsigned index = 0;        // among those of the block
  std::uint32_t copies = 0;  // onto it, so far
  unsigned phases = 0;       // that are over
};
using Barriers = std::unordered_map<std::uintptr_t, BarrierState>;
// The copies of a thread are numbered in batches, from 1 on: one ends with a group, and with an
// arrival after copies.
struct Groups {
  std::uint32_t batch = 1;  // that is filled now
  // the last with a copy; the last of which it knows that they have read what they copy
  std::uint32_t begun = 0, read = 0;
  std::vector<std::uint32_t> ended;  // of each group that it has not waited for, the last batch
};
struct BlockState {
  unsigned number = 0;
  std::array<std::array<Groups, max_threads>, 2> groups{};
  bool has_groups = false;
  Barriers barriers;  // in its shared memory
  // 0: the thread has not arrived; else 1 more than the parity of the phase
  std::array<std::uint8_t, max_threads> at_cluster{};
};
struct Copy {
  Location to = {}, from = {};
  std::size_t size = 0, zeros = 0;
  Mover mover = Mover::threads;
  std::optional<Location> barrier = {};  // none: of a group
  unsigned slot, thread;
  // The batch in its thread, or the copy among those onto its barrier.
  std::uint32_t number;
  Place place;
  bool is_arrival = false;  // on the barrier, after the thread's copies that came before
  bool landed = false;
  std::optional<std::array<unsigned char, 16>> value = {};
};

std::uint64_t seed = 0;
std::mt19937_64 random_numbers;
std::vector<Copy> under_way;
std::vector<std::unique_ptr<BlockState>> blocks;  // that run
Barriers barriers_of_grid;                        // in global memory, and those of clusters
// The barrier of a cluster expects each thread that has not exited. It is made when the first
// arrives.
std::unordered_map<unsigned, Barrier> cluster_barriers;

bool by_chance(unsigned of) {
  return seed != 0 && random_numbers() % of == 0;
}

BlockState& block() {
  return *blocks[own_slot()];
}

Groups& groups_of(Mover mover, unsigned thread = scheduler::current) {
  return block().groups[static_cast<unsigned>(mover)][thread];
}

// where the running thread has arrived
std::uint8_t& at_cluster() {
  return block().at_cluster[scheduler::current];
}

Barriers& barriers_in(Space space) {
  return space.is_shared() ? blocks[space.slot]->barriers : barriers_of_grid;
}

BarrierState& state_of(const Location& location) {
  return barriers_in(location.space)[location.address];
}

unsigned block_of(const Location& barrier) {
  return barrier.space.is_shared() ? blocks[barrier.space.slot]->number : 0;
}

// --- barriers -----------------------------------------------------------------------------------

// A barrier in global memory may have been initialised by an earlier launch.
Location use(const Barrier* barrier, const Place& place) {
  const Location location = monitor::touch(barrier, sizeof *barrier, place);
  const bool is_known =
      !location.space.is_shared() || barriers_in(location.space).contains(location.address);
  if (!is_known || contents_of(barrier).never_written)
    stop(place,
         "uses a barrier that is not initialised. One thread initialises it, and the others wait "
         "for that thread, by __syncthreads().");
  return location;
}

Location use_own(const Barrier* barrier, const Place& place) {
  const Location location = use(barrier, place);
  if (location.space.is_shared() && location.space.slot != own_slot()) stop_at_other_block(place);
  return location;
}

void update(const Location& location, unsigned arrivals, unsigned dropped, std::int64_t bytes,
            const Place& place) {
  auto* const barrier = static_cast<Barrier*>(shared_memory.at(location));
  BarrierState& known = state_of(location);
  BarrierWord contents = contents_of(barrier);
  if (arrivals > contents.pending)
    stop(place, "arrives {} times at a barrier; in this phase it expects {} more arrivals.",
         arrivals, contents.pending);
  contents.expected -= dropped;
  contents.pending -= arrivals;
  contents.bytes += bytes;
  if (std::abs(contents.bytes) > most_in_barrier)
    stop(place,
         "has a barrier wait for {} more bytes in this phase; the hardware counts from "
         "-{} to {}.",
         contents.bytes, most_in_barrier, most_in_barrier);
  if (contents.pending == 0 && contents.bytes == 0) {
    contents.pending = contents.expected;
    contents.parity ^= 1U;
    ++known.phases;
    std::uint32_t done = known.copies;  // all up to this one have come
    for (const Copy& copy : under_way)
      if (copy.barrier && *copy.barrier == location && !copy.is_arrival && !copy.landed)
        done = std::min(done, copy.number - 1);
    if (checker::active())
      checker::races.phase_is_over({CopyKind::onto_barrier, block_of(location), known.index, done},
                                   location);
    scheduler::progress();
  }
  put(barrier, contents);
}

Location barrier_of_cluster() {
  const auto [found, is_first] = cluster_barriers.try_emplace(scheduler::cluster());
  const Location location{global_memory, address_of(&found->second)};
  if (is_first) {
    const unsigned threads = scheduler::live_in_cluster();
    put(&found->second, {.expected = threads, .pending = threads, .bytes = 0, .parity = 0});
    barriers_of_grid[location.address] = {};
  }
  return location;
}

// --- copies -------------------------------------------------------------------------------------

bool may_land(const Copy& copy) {
  return !copy.is_arrival || std::ranges::none_of(under_way, [&](const Copy& other) {
    return !other.landed && !other.barrier && other.mover == Mover::threads &&
           other.slot == copy.slot && other.thread == copy.thread && other.number <= copy.number;
  });
}

void land(const Copy& copy) {
  if (copy.is_arrival) {
    if (checker::active())
      checker::races.arrive_with(
          {CopyKind::of_threads, blocks[copy.slot]->number, copy.thread, copy.number},
          *copy.barrier);
    update(*copy.barrier, 1, 0, 0, copy.place);
    return;
  }
  auto* const to = static_cast<unsigned char*>(shared_memory.at(copy.to));
  if (copy.value) {
    std::memcpy(to, copy.value->data(), copy.size);
  } else {
    if (copy.size > copy.zeros)
      std::memmove(to, shared_memory.at(copy.from), copy.size - copy.zeros);
    std::memset(to + copy.size - copy.zeros, 0, copy.zeros);
  }
  if (copy.barrier) update(*copy.barrier, 0, 0, -static_cast<std::int64_t>(copy.size), copy.place);
}

// In random order under a seed: those that have been issued together need not come in that order.
template <class Chosen>
void land_where(const Chosen& chosen) {
  if (under_way.empty()) return;
  checker::settle();
  if (seed != 0) std::ranges::shuffle(under_way, random_numbers);
  for (Copy& copy : under_way) {
    if (!chosen(copy) || !may_land(copy)) continue;
    copy.landed = true;
    land(copy);
  }
  std::erase_if(under_way, [](const Copy& copy) { return copy.landed; });
}

bool land_until_over(const Location& location, unsigned parity) {
  const auto is_over = [&] { return contents_at(location).parity != parity; };
  if (!is_over()) land_where([&](const Copy&) { return seed == 0 || by_chance(2); });
  return is_over();
}

void issue(const Copy& copy) {
  under_way.push_back(copy);
  // not each time: it looks at all
  if (by_chance(4)) land_where([&](const Copy&) { return by_chance(2); });
}

void copy_as(const CopyId& read, const CopyId& written, Mover mover, const Transfer& transfer,
             std::optional<Location> barrier, const Place& place) {
  if (transfer.size == 0) return;
  const bool in_bulk = mover == Mover::bulk;
  const std::size_t size = transfer.value ? 0 : transfer.size - transfer.zeros;
  Location from{};
  if (size > 0) from = monitor::copy(Access::load, transfer.from, size, in_bulk, read, place);
  const Location to =
      monitor::copy(Access::store, transfer.to, transfer.size, in_bulk, written, place);
  if (in_bulk) refuse_bad_direction(to.space, from.space, barrier, {own_slot()}, place);
  if (size > 0 && checker::active()) checker::copied(to, from, size);
  Copy copy{.to = to,
            .from = from,
            .size = transfer.size,
            .zeros = transfer.zeros,
            .mover = mover,
            .barrier = barrier,
            .slot = own_slot(),
            .thread = scheduler::current,
            .number = written.number,
            .place = place};
  if (transfer.value) std::memcpy(copy.value.emplace().data(), transfer.value, transfer.size);
  issue(copy);
}

class Watch final : public Observer {
  void begin(std::uint64_t chosen) override {
    seed = chosen;
    random_numbers.seed(chosen);
    under_way.clear();
    barriers_of_grid.clear();
    cluster_barriers.clear();
  }

  void begin_block(unsigned slot) override {
    while (blocks.size() <= slot) blocks.push_back(std::make_unique<BlockState>());
    BlockState& there = *blocks[slot];
    if (there.has_groups || !there.barriers.empty()) there = {};
    there.number = scheduler::block_in(slot).number;
    there.at_cluster.fill(0);
  }

  // Its shared memory is another block's from now on.
  void end_block() override {
    for (unsigned thread = 0; block().has_groups && thread < max_threads; ++thread)
      if (const Groups& groups = groups_of(Mover::bulk, thread); groups.read < groups.begun)
        stop({},
             "is the last of its block, and {} has not waited for its bulk copies "
             "from shared memory. Wait for their groups.",
             thread_in_words(thread));
    const unsigned slot = own_slot();
    const Space own{slot};
    for (const Copy& copy : under_way)
      if (copy.mover == Mover::bulk && copy.barrier &&
          (copy.to.space == own || copy.from.space == own || copy.barrier->space == own))
        stop(copy.place,
             "is the last of its block, and a bulk copy that uses its shared memory is under way. "
             "Wait for the copy's barrier, and where that lies in "
             "another block, let the blocks of the cluster meet after that.");
    if (const Seen* const use = checker::active() ? checker::races.use_after_end() : nullptr)
      stop({},
           "is the last of its block, and nothing orders that after {}, {}, "
           "which uses the block's shared memory in {}. Let the "
           "blocks of a cluster meet at a barrier (cluster.sync()) before they end.",
           scheduler::grid().shape.block_in_words(use->epoch.block - scheduler::device().first),
           thread_in_words(use->epoch.thread), source_line(use->place));
    land_where([&](const Copy& copy) { return copy.slot == slot && !copy.barrier; });
    land_where([&](const Copy& copy) { return copy.slot == slot && copy.is_arrival; });
  }

  void exit(unsigned /*warp*/, unsigned /*lane*/) override {
    const auto found = cluster_barriers.find(scheduler::cluster());
    if (found == cluster_barriers.end()) return;
    const bool has_arrived = at_cluster() == contents_of(&found->second).parity + 1;
    update({global_memory, address_of(&found->second)}, has_arrived ? 0 : 1, 1, 0, {});
  }
} watch;

// An atomic of the kernel on a barrier. Hooks are silent meanwhile.
class BarrierAtomic {
 public:
  explicit BarrierAtomic(const Barrier* barrier) : barrier_(barrier) {
    begin_atomic(barrier);
    scheduler::in_kernel = false;
  }
  BarrierAtomic(const BarrierAtomic&) = delete;
  ~BarrierAtomic() {
    scheduler::in_kernel = true;
    after_atomic(barrier_, changes);
  }

  bool changes = true;

 private:
  const Barrier* barrier_;
};

}  // namespace

Observer& asynchronous_copies() {
  return watch;
}

std::string barrier_in_words(std::uintptr_t address) {
  if (blocks.size() <= own_slot()) return {};
  for (const auto& [barriers, whose] : {std::pair(&block().barriers, "a barrier"),
                                        std::pair(&barriers_of_grid, "the cluster's barrier")}) {
    const auto barrier = barriers->find(address);
    if (barrier == barriers->end()) continue;
    const BarrierWord contents = contents_of(reinterpret_cast<const Barrier*>(address));
    return fmt::format("phase {} of {}, where {} arrivals and {} bytes are missing",
                       barrier->second.phases, whose, contents.pending, contents.bytes);
  }
  return {};
}

// --- the calls of kernels -----------------------------------------------------------------------

void initialise(Barrier* barrier, unsigned arrivals, Here where) {
  const BarrierAtomic atomic(barrier);
  if (arrivals == 0 || arrivals > most_in_barrier)
    stop(where, "initialises a barrier for {} arrivals; there may be 1 to {}.", arrivals,
         most_in_barrier);
  if (const auto location = monitor::shared_location(barrier);
      location && location->space.slot != own_slot())
    stop_at_other_block(where);
  monitor::access({.access = Access::store,
                   .address = address_of(barrier),
                   .size = sizeof *barrier,
                   .place = where});
  put(barrier, {.expected = arrivals, .pending = arrivals, .bytes = 0, .parity = 0});
  if (arena.contains(address_of(barrier))) return;
  auto& barriers = block().barriers;
  const auto index = static_cast<unsigned>(barriers.size());
  barriers.try_emplace(address_of(barrier), BarrierState{.index = index});
}

unsigned arrive(Barrier* barrier, unsigned count, unsigned dropped, Here where, Strength strength) {
  const BarrierAtomic atomic(barrier);
  if (count == 0) stop(where, "arrives 0 times at a barrier; at least once.");
  const Location location = use(barrier, where);
  const unsigned parity = contents_of(barrier).parity;
  if (strength == Strength::ordering && checker::active())
    checker::races.arrive(scheduler::current, location);
  update(location, count, dropped, 0, where);
  return parity;
}

void expect_bytes(Barrier* barrier, std::size_t bytes, Here where) {
  const BarrierAtomic atomic(barrier);
  if (bytes > most_in_barrier)
    stop(where, "expects {} bytes in a phase; at most {}.", bytes, most_in_barrier);
  update(use(barrier, where), 0, 0, static_cast<std::int64_t>(bytes), where);
}

bool is_over(Barrier* barrier, unsigned parity, Here where, Strength strength) {
  scheduler::note_look(where);
  BarrierAtomic atomic(barrier);
  const Location location = use_own(barrier, where);
  atomic.changes = land_until_over(location, parity);
  if (atomic.changes && strength == Strength::ordering && checker::active())
    checker::races.learn(scheduler::current, location);
  return atomic.changes;
}

void arrive_after_copies(Barrier* barrier, bool counted, Here where) {
  const BarrierAtomic atomic(barrier);
  const Location location = use_own(barrier, where);
  block().has_groups = true;
  if (!counted) {
    BarrierWord contents = contents_of(barrier);
    ++contents.pending;
    put(barrier, contents);
  }
  issue({.barrier = location,
         .slot = own_slot(),
         .thread = scheduler::current,
         .number = groups_of(Mover::threads).batch++,
         .place = where,
         .is_arrival = true});
}

void copy_onto_barrier(Mover mover, const Transfer& transfer, Barrier* barrier, Here where) {
  begin_atomic(transfer.to);
  const InRuntime runtime;
  refuse_bad_shape(transfer, mover, where);
  const Location location = use(barrier, where);
  auto& known = state_of(location);
  const CopyId id{CopyKind::onto_barrier, block_of(location), known.index, ++known.copies};
  copy_as(id, id, mover, transfer, location, where);
}

void copy_in_group(Mover mover, const Transfer& transfer, Here where) {
  begin_atomic(transfer.to);
  const InRuntime runtime;
  refuse_bad_shape(transfer, mover, where);
  auto& groups = groups_of(mover);
  groups.begun = groups.batch;
  block().has_groups = true;
  const auto id = [&](CopyKind in_bulk) {
    return CopyId{mover == Mover::bulk ? in_bulk : CopyKind::of_threads, block().number,
                  scheduler::current, groups.begun};
  };
  copy_as(id(CopyKind::read_in_bulk), id(CopyKind::written_in_bulk), mover, transfer, {}, where);
}

void end_group(Mover mover) {
  const InRuntime runtime;
  auto& groups = groups_of(mover);
  groups.ended.push_back(groups.batch++);
  block().has_groups = true;
}

void wait_for_groups(Mover mover, unsigned but_last, bool only_read) {
  pass_time();
  const InRuntime runtime;
  const unsigned thread = scheduler::current, slot = own_slot();
  auto& groups = groups_of(mover);
  if (groups.ended.size() <= but_last) return;
  const auto end = groups.ended.end() - but_last;
  const std::uint32_t last = *(end - 1);
  if (!only_read) groups.ended.erase(groups.ended.begin(), end);
  land_where([&](const Copy& copy) {
    return !copy.barrier && copy.mover == mover && copy.slot == slot && copy.thread == thread &&
           copy.number <= last;
  });
  groups.read = std::max(groups.read, last);
  if (!checker::active()) return;
  const auto learn = [&](CopyKind kind) {
    const CopyId done{kind, block().number, thread, last};
    checker::races.order().learn(thread, {.acquired = done.knowledge()});
  };
  if (mover == Mover::threads) {
    learn(CopyKind::of_threads);
  } else {
    learn(CopyKind::read_in_bulk);
    if (!only_read) learn(CopyKind::written_in_bulk);
  }
}

void fence_for_copies() {
  pass_time();
  const InRuntime runtime;
  if (checker::active()) checker::races.order().fence_for_copies(scheduler::current);
}

// --- clusters -----------------------------------------------------------------------------------

uint3 shape_of_cluster() {
  return scheduler::grid().shape.cluster;
}

unsigned blocks_of_cluster() {
  return scheduler::grid().cluster;
}

void expect_cluster(uint3 blocks, Here where) {
  if (const uint3 its = shape_of_cluster();
      blocks.x != its.x || blocks.y != its.y || blocks.z != its.z)
    stop(where,
         "is of a kernel for clusters of {}, launched in clusters of {}. Say "
         "LaunchShape::cluster in the launch.",
         extent_in_words(blocks), extent_in_words(shape_of_cluster()));
}

unsigned rank_in_cluster() {
  return scheduler::running().index % blocks_of_cluster();
}

void arrive_at_cluster(bool hands_on) {
  pass_time();
  const InRuntime runtime;
  const Location location = barrier_of_cluster();
  std::uint8_t& arrived = at_cluster();
  if (arrived != 0)
    stop({},
         "arrives at the barrier of its cluster again, and has not waited there since it arrived "
         "before.");
  arrived = static_cast<std::uint8_t>(contents_at(location).parity + 1);
  if (hands_on && checker::active()) checker::races.arrive(scheduler::current, location);
  update(location, 1, 0, 0, {});
}

void wait_for_cluster(bool learns, Here where) {
  scheduler::note_look(where);
  std::uintptr_t barrier = 0;
  // the phase that the thread has arrived at
  const auto is_over = [&] {
    const InRuntime runtime;
    std::uint8_t& arrived = at_cluster();
    if (arrived == 0) stop({}, "waits at the barrier of its cluster, and has not arrived there.");
    const Location location = barrier_of_cluster();
    barrier = location.address;
    if (!land_until_over(location, arrived - 1U)) return false;
    arrived = 0;
    if (learns && checker::active()) checker::races.learn(scheduler::current, location);
    return true;
  };
  while (!is_over()) {
    after_atomic(reinterpret_cast<const void*>(barrier), false);
    scheduler::meet_blocks();
  }
}

void* shared_of_rank(const void* pointer, unsigned rank, Here where) {
  const InRuntime runtime;
  const auto location = monitor::shared_location(pointer);
  if (!location) stop(where, "maps an address that is not in shared memory.");
  const auto slot =
      rank < blocks_of_cluster() ? scheduler::slot_of(scheduler::cluster() + rank) : std::nullopt;
  if (!slot)
    stop(where,
         "maps an address to block {} of its cluster, which has ended or does not "
         "exist.",
         rank);
  return shared_memory.reached_at(*slot, *location);
}

unsigned rank_of_shared(const void* pointer) {
  const InRuntime runtime;
  const auto location = monitor::shared_location(pointer);
  return scheduler::block_in(location ? location->space.slot : own_slot()).index %
         blocks_of_cluster();
}

}  // namespace ladder::emulated
