#include "compare/emulated/watching/asynchronous_copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated {

namespace {

// arrivals, or bytes (PTX ISA, "Contents of the mbarrier object")
constexpr std::uint32_t most = (1U << 20) - 1;

// What the word of a barrier holds. A GPU keeps to itself how.
struct Contents {
  unsigned expected, pending;
  std::int64_t bytes;  // that are expected and have not come
  unsigned parity;
  bool never_written = false;
};

Contents contents_of(const Barrier* barrier) {
  Barrier word = 0;
  std::memcpy(&word, barrier, sizeof word);
  return {static_cast<unsigned>(word & most), static_cast<unsigned>(word >> 20 & most),
          static_cast<std::int64_t>(word << 2) >> 42, static_cast<unsigned>(word >> 62 & 1),
          word >> 63 != 0};
}

void put(Barrier* barrier, const Contents& contents) {
  const auto bytes = static_cast<Barrier>(contents.bytes) & ((Barrier{1} << 22) - 1);
  const Barrier word = Barrier{contents.expected} | Barrier{contents.pending} << 20 | bytes << 40 |
                       Barrier{contents.parity} << 62;
  std::memcpy(barrier, &word, sizeof word);
}

[[noreturn]] void stop(const std::string& text, const Place& place) {
  scheduler.stop(
      {.kind = FaultKind::asynchronous, .thread = scheduler.current, .place = place, .text = text});
}

std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// What the hardware asks of addresses and sizes.
void refuse_bad_shape(const Transfer& transfer, Mover mover, const Place& place) {
  if (transfer.zeros > transfer.size)
    stop(fmt::format(
             "copies {} bytes, {} of them zeros. There may be at most as many zeros as bytes.",
             transfer.size, transfer.zeros),
         place);
  const auto is_multiple = [&](std::size_t of) {
    return address_of(transfer.to) % of == 0 && address_of(transfer.from) % of == 0 &&
           transfer.size % of == 0;
  };
  if (mover == Mover::bulk) {
    if (!is_multiple(16))
      stop(fmt::format("copies {} bytes in bulk to an address that is {} past a multiple of 16, "
                       "from one that is {} past one. All three have to be "
                       "multiples of 16: copy the elements at the ends one by one.",
                       transfer.size, address_of(transfer.to) % 16, address_of(transfer.from) % 16),
           place);
  } else if ((transfer.size != 4 && transfer.size != 8 && transfer.size != 16) ||
             !is_multiple(transfer.size)) {
    stop(fmt::format("copies {} bytes to an address that is {} past a multiple of 16, from one "
                     "that is {} past one. A thread copies 4, 8 or 16 bytes "
                     "at once, and both addresses have to be multiples of that.",
                     transfer.size, address_of(transfer.to) % 16, address_of(transfer.from) % 16),
         place);
  }
}

void refuse_bad_direction(Space to, Space from, const std::optional<Location>& barrier, Space own,
                          const Place& place) {
  if (barrier ? to.is_shared && barrier->space.is_shared && (!from.is_shared || from == own)
              : !to.is_shared && from == own)
    return;
  stop(barrier ? "copies in bulk onto a barrier. Such a copy goes from global memory, or from its "
                 "block's shared memory, to shared memory, where its "
                 "barrier lies too."
               : "copies in bulk in a group. Such a copy goes from its block's shared memory to "
                 "global memory.",
       place);
}

[[noreturn]] void stop_at_other_block(const Place& place) {
  stop(
      "initialises a barrier of another block, waits for it, or lets it wait for this thread's "
      "copies. Only threads of that block may: the others "
      "arrive there, expect bytes, and copy in bulk.",
      place);
}

}  // namespace

void Copies::begin(std::uint64_t seed) {
  random_.seed(seed_ = seed);
  under_way_.clear();
  barriers_of_grid_.clear();
  of_cluster_.clear();
}

void Copies::begin_block(unsigned slot, unsigned number) {
  select(slot);
  while (blocks_.size() <= slot) blocks_.push_back(std::make_unique<Block>());
  Block& there = *blocks_[slot];
  if (there.has_groups || !there.barriers.empty()) there = {};
  there.number = number;
  there.at_cluster.fill(0);
}

// Its shared memory is another block's from now on.
void Copies::end_block() {
  for (unsigned thread = 0; block().has_groups && thread < Order::most_threads; ++thread)
    if (const Groups& groups = groups_of(Mover::bulk, thread); groups.read < groups.begun)
      stop(fmt::format("is the last of its block, and thread {} has not waited for its bulk copies "
                       "from shared memory. Wait for their groups.",
                       thread),
           {});
  const Space own{true, slot_};
  for (const Copy& copy : under_way_)
    if (copy.mover == Mover::bulk && copy.barrier &&
        (copy.to.space == own || copy.from.space == own || copy.barrier->space == own))
      stop(
          "is the last of its block, and a bulk copy that uses its shared memory is under way. "
          "Wait for the copy's barrier, and where that lies in "
          "another block, let the blocks of the cluster meet after that.",
          copy.place);
  if (const Seen* const use =
          monitor.checker.active() ? monitor.checker.races().use_after_end() : nullptr)
    stop(fmt::format("is the last of its block, and nothing orders that after block {}, thread {}, "
                     "which uses the block's shared memory in {}. Let the "
                     "blocks of a cluster meet at a barrier (cluster.sync()) before they end.",
                     use->epoch.block - scheduler.device().first, use->epoch.thread,
                     source_line(use->place)),
         {});
  land_where([&](const Copy& copy) { return copy.slot == slot_ && !copy.barrier; });
  land_where([&](const Copy& copy) { return copy.slot == slot_ && copy.is_arrival; });
}

// --- barriers
// ------------------------------------------------------------------------------------------------------------------------

void Copies::initialise(Barrier* barrier, unsigned arrivals, const Place& place) {
  if (arrivals == 0 || arrivals > most)
    stop(
        fmt::format("initialises a barrier for {} arrivals; there may be 1 to {}.", arrivals, most),
        place);
  if (monitor.slot_of_shared(barrier) != slot_) stop_at_other_block(place);
  monitor.access({.access = Access::store,
                  .address = address_of(barrier),
                  .size = sizeof *barrier,
                  .needs_alignment = true,
                  .is_volatile = false,
                  .place = place});
  put(barrier, {.expected = arrivals, .pending = arrivals, .bytes = 0, .parity = 0});
  if (arena.contains(address_of(barrier))) return;
  const auto index = static_cast<unsigned>(block().barriers.size());
  block().barriers.try_emplace(address_of(barrier), OfBarrier{.index = index});
}

// A barrier in global memory may have been initialised by an earlier launch.
Location Copies::use(Barrier* barrier, const Place& place) {
  const Location location = monitor.touch(barrier, sizeof *barrier, place);
  const bool is_known =
      !location.space.is_shared || barriers_in(location.space).contains(location.address);
  if (!is_known || contents_of(barrier).never_written)
    stop(
        "uses a barrier that is not initialised. One thread initialises it, and the others wait "
        "for that thread, by __syncthreads().",
        place);
  return location;
}

Location Copies::use_own(Barrier* barrier, const Place& place) {
  const Location location = use(barrier, place);
  if (location.space.is_shared && location.space.slot != slot_) stop_at_other_block(place);
  return location;
}

void Copies::update(const Location& location, unsigned arrivals, unsigned dropped,
                    std::int64_t bytes, const Place& place) {
  auto* const barrier = static_cast<Barrier*>(monitor.at(location));
  OfBarrier& of_barrier = barriers_in(location.space)[location.address];
  Contents contents = contents_of(barrier);
  if (arrivals > contents.pending)
    stop(fmt::format("arrives {} times at a barrier; in this phase it expects {} more arrivals.",
                     arrivals, contents.pending),
         place);
  contents.expected -= dropped;
  contents.pending -= arrivals;
  contents.bytes += bytes;
  if (std::abs(contents.bytes) > most)
    stop(fmt::format("has a barrier wait for {} more bytes in this phase; the hardware counts from "
                     "-{} to {}.",
                     contents.bytes, most, most),
         place);
  if (contents.pending == 0 && contents.bytes == 0) {
    contents.pending = contents.expected;
    contents.parity ^= 1U;
    ++of_barrier.phases;
    std::uint32_t done = of_barrier.copies;  // all up to this one have come
    for (const Copy& copy : under_way_)
      if (copy.barrier && *copy.barrier == location && !copy.is_arrival && !copy.landed)
        done = std::min(done, copy.number - 1);
    const unsigned owner = location.space.is_shared ? blocks_[location.space.slot]->number : 0;
    if (monitor.checker.active())
      monitor.checker.races().phase_is_over({CopyKind::onto_barrier, owner, of_barrier.index, done},
                                            location);
    scheduler.progress();
  }
  put(barrier, contents);
}

unsigned Copies::arrive(Barrier* barrier, unsigned count, unsigned dropped, const Place& place,
                        Strength strength) {
  if (count == 0) stop("arrives 0 times at a barrier; at least once.", place);
  const Location location = use(barrier, place);
  const unsigned parity = contents_of(barrier).parity;
  if (strength == Strength::ordering && monitor.checker.active())
    monitor.checker.races().arrive(scheduler.current, location);
  update(location, count, dropped, 0, place);
  return parity;
}

void Copies::expect_bytes(Barrier* barrier, std::size_t bytes, const Place& place) {
  if (bytes > most)
    stop(fmt::format("expects {} bytes in a phase; at most {}.", bytes, most), place);
  update(use(barrier, place), 0, 0, static_cast<std::int64_t>(bytes), place);
}

bool Copies::is_over(Barrier* barrier, unsigned parity, const Place& place, Strength strength) {
  const Location location = use_own(barrier, place);
  if (!land_until_over(location, parity)) return false;
  if (strength == Strength::ordering && monitor.checker.active())
    monitor.checker.races().learn(scheduler.current, location);
  return true;
}

bool Copies::land_until_over(const Location& location, unsigned parity) {
  const auto is_over = [&] {
    return contents_of(static_cast<const Barrier*>(monitor.at(location))).parity != parity;
  };
  if (!is_over()) land_where([&](const Copy&) { return seed_ == 0 || by_chance(2); });
  return is_over();
}

void Copies::arrive_after_copies(Barrier* barrier, bool counted, const Place& place) {
  const Location location = use_own(barrier, place);
  block().has_groups = true;
  if (!counted) {
    Contents contents = contents_of(barrier);
    ++contents.pending;
    put(barrier, contents);
  }
  issue({.to = {},
         .from = {},
         .size = 0,
         .zeros = 0,
         .mover = Mover::threads,
         .barrier = location,
         .slot = slot_,
         .thread = scheduler.current,
         .number = groups_of(Mover::threads, scheduler.current).batch++,
         .place = place,
         .is_arrival = true});
}

std::string Copies::barrier_in_words(std::uintptr_t address) {
  const auto in_words = [&](const Barriers& barriers, const char* whose) -> std::string {
    const auto barrier = barriers.find(address);
    if (barrier == barriers.end()) return {};
    const Contents contents = contents_of(reinterpret_cast<const Barrier*>(address));
    return fmt::format("phase {} of {}, where {} arrivals and {} bytes are missing",
                       barrier->second.phases, whose, contents.pending, contents.bytes);
  };
  std::string words = blocks_.size() <= slot_ ? "" : in_words(block().barriers, "a barrier");
  return words.empty() ? in_words(barriers_of_grid_, "the cluster's barrier") : words;
}

// --- clusters
// ------------------------------------------------------------------------------------------------------------------------

void Copies::exit_from_cluster(unsigned cluster) {
  const auto found = of_cluster_.find(cluster);
  if (found == of_cluster_.end()) return;
  Barrier& barrier = found->second;
  const bool has_arrived =
      block().at_cluster[scheduler.current] == contents_of(&barrier).parity + 1;
  update({global_memory, address_of(&barrier)}, has_arrived ? 0 : 1, 1, 0, {});
}

void Copies::arrive_at_cluster(unsigned cluster, bool hands_on) {
  const auto [found, is_first] = of_cluster_.try_emplace(cluster);
  Barrier& barrier = found->second;
  const Location location{global_memory, address_of(&barrier)};
  if (is_first) {
    const unsigned threads = scheduler.live_in_cluster();
    put(&barrier, {.expected = threads, .pending = threads, .bytes = 0, .parity = 0});
    barriers_of_grid_[location.address] = {};
  }
  std::uint8_t& arrived = block().at_cluster[scheduler.current];
  if (arrived != 0)
    stop(
        "arrives at the barrier of its cluster again, and has not waited there since it arrived "
        "before.",
        {});
  arrived = static_cast<std::uint8_t>(contents_of(&barrier).parity + 1);
  if (hands_on && monitor.checker.active())
    monitor.checker.races().arrive(scheduler.current, location);
  update(location, 1, 0, 0, {});
}

bool Copies::cluster_is_over(unsigned cluster, bool learns) {
  std::uint8_t& arrived = block().at_cluster[scheduler.current];
  if (arrived == 0) stop("waits at the barrier of its cluster, and has not arrived there.", {});
  const Location location{global_memory, address_of(&of_cluster_[cluster])};
  if (!land_until_over(location, arrived - 1U)) return false;
  arrived = 0;
  if (learns && monitor.checker.active())
    monitor.checker.races().learn(scheduler.current, location);
  return true;
}

// --- copies
// --------------------------------------------------------------------------------------------------------------------------

// In random order under a seed: those that have been issued together need not come in that order.
template <class Chosen>
void Copies::land_where(const Chosen& chosen) {
  if (under_way_.empty()) return;
  monitor.settle();
  if (seed_ != 0) std::ranges::shuffle(under_way_, random_);
  for (Copy& copy : under_way_) {
    if (!chosen(copy) || !may_land(copy)) continue;
    copy.landed = true;
    land(copy);
  }
  std::erase_if(under_way_, [](const Copy& copy) { return copy.landed; });
}

bool Copies::may_land(const Copy& copy) const {
  return !copy.is_arrival || std::ranges::none_of(under_way_, [&](const Copy& other) {
    return !other.landed && !other.barrier && other.mover == Mover::threads &&
           other.slot == copy.slot && other.thread == copy.thread && other.number <= copy.number;
  });
}

void Copies::land(const Copy& copy) {
  if (copy.is_arrival) {
    if (monitor.checker.active())
      monitor.checker.races().arrive_with(
          {CopyKind::of_threads, blocks_[copy.slot]->number, copy.thread, copy.number},
          *copy.barrier);
    update(*copy.barrier, 1, 0, 0, copy.place);
    return;
  }
  auto* const to = static_cast<unsigned char*>(monitor.at(copy.to));
  if (copy.value) {
    std::memcpy(to, copy.value->data(), copy.size);
  } else {
    if (copy.size > copy.zeros) std::memmove(to, monitor.at(copy.from), copy.size - copy.zeros);
    std::memset(to + copy.size - copy.zeros, 0, copy.zeros);
  }
  if (copy.barrier) update(*copy.barrier, 0, 0, -static_cast<std::int64_t>(copy.size), copy.place);
}

void Copies::issue(const Copy& copy) {
  under_way_.push_back(copy);
  // not each time: it looks at all
  if (by_chance(4)) land_where([&](const Copy&) { return by_chance(2); });
}

void Copies::copy_onto_barrier(Mover mover, const Transfer& transfer, Barrier* barrier,
                               const Place& place) {
  refuse_bad_shape(transfer, mover, place);
  const Location location = use(barrier, place);
  OfBarrier& of_barrier = barriers_in(location.space)[location.address];
  const CopyId id{CopyKind::onto_barrier, blocks_[location.space.slot]->number, of_barrier.index,
                  ++of_barrier.copies};
  copy_as(id, id, mover, transfer, location, place);
}

void Copies::copy_in_group(Mover mover, const Transfer& transfer, const Place& place) {
  refuse_bad_shape(transfer, mover, place);
  Groups& groups = groups_of(mover, scheduler.current);
  groups.begun = groups.batch;
  block().has_groups = true;
  const bool bulk = mover == Mover::bulk;
  copy_as({bulk ? CopyKind::read_in_bulk : CopyKind::of_threads, block().number, scheduler.current,
           groups.begun},
          {bulk ? CopyKind::written_in_bulk : CopyKind::of_threads, block().number,
           scheduler.current, groups.begun},
          mover, transfer, {}, place);
}

void Copies::copy_as(const CopyId& read, const CopyId& written, Mover mover,
                     const Transfer& transfer, std::optional<Location> barrier,
                     const Place& place) {
  if (transfer.size == 0) return;
  const std::size_t size = transfer.value ? 0 : transfer.size - transfer.zeros;
  Location from{};
  if (size > 0) from = monitor.copy(Access::load, transfer.from, size, mover, read, place);
  const Location to =
      monitor.copy(Access::store, transfer.to, transfer.size, mover, written, place);
  if (mover == Mover::bulk)
    refuse_bad_direction(to.space, from.space, barrier, {true, slot_}, place);
  if (size > 0) monitor.copied(to, from, size);
  Copy copy{to,      from,  transfer.size,     transfer.zeros, mover,
            barrier, slot_, scheduler.current, written.number, place};
  if (transfer.value) std::memcpy(copy.value.emplace().data(), transfer.value, transfer.size);
  issue(copy);
}

void Copies::end_group(Mover mover) {
  Groups& groups = groups_of(mover, scheduler.current);
  groups.ended.push_back(groups.batch++);
  block().has_groups = true;
}

void Copies::wait_for_groups(Mover mover, unsigned but_last, bool only_read) {
  const unsigned thread = scheduler.current;
  Groups& groups = groups_of(mover, thread);
  if (groups.ended.size() <= but_last) return;
  const auto end = groups.ended.end() - but_last;
  const std::uint32_t last = *(end - 1);
  if (!only_read) groups.ended.erase(groups.ended.begin(), end);
  land_where([&](const Copy& copy) {
    return !copy.barrier && copy.mover == mover && copy.slot == slot_ && copy.thread == thread &&
           copy.number <= last;
  });
  groups.read = std::max(groups.read, last);
  if (!monitor.checker.active()) return;
  const auto learn = [&](CopyKind kind) {
    monitor.checker.learn(thread, CopyId{kind, block().number, thread, last});
  };
  if (mover == Mover::threads) {
    learn(CopyKind::of_threads);
  } else {
    learn(CopyKind::read_in_bulk);
    if (!only_read) learn(CopyKind::written_in_bulk);
  }
}

}  // namespace ladder::emulated
