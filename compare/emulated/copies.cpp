#include "compare/emulated/copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "compare/emulated/arena.hpp"
#include "compare/emulated/monitor.hpp"
#include "compare/emulated/scheduler.hpp"

namespace ladder::emulated {

namespace {

constexpr std::uint32_t most = (1U << 20) - 1;  // arrivals, or bytes (PTX ISA, "Contents of the mbarrier object")

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
  return {static_cast<unsigned>(word & most), static_cast<unsigned>(word >> 20 & most), static_cast<std::int64_t>(word << 2) >> 42,
          static_cast<unsigned>(word >> 62 & 1), word >> 63 != 0};
}

void put(Barrier* barrier, const Contents& contents) {
  const auto bytes = static_cast<Barrier>(contents.bytes) & ((Barrier{1} << 22) - 1);
  const Barrier word = Barrier{contents.expected} | Barrier{contents.pending} << 20 | bytes << 40 | Barrier{contents.parity} << 62;
  std::memcpy(barrier, &word, sizeof word);
}

[[noreturn]] void stop(const std::string& text, const Place& place) {
  scheduler.stop(
      {.kind = FaultKind::asynchronous, .thread = scheduler.current, .where = place.where, .instruction = place.instruction, .text = text});
}

std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

Space space_of(const Barrier* barrier) {
  return arena.contains(address_of(barrier)) ? Space::global : Space::shared;
}

// What the hardware asks of addresses and sizes.
void refuse_bad_shape(const Transfer& transfer, Mover mover, const Place& place) {
  const auto is_multiple = [&](std::size_t of) {
    return address_of(transfer.to) % of == 0 && address_of(transfer.from) % of == 0 && transfer.size % of == 0;
  };
  if (mover == Mover::bulk) {
    if (!is_multiple(16))
      stop(fmt::format("copies {} bytes in bulk to an address that is {} past a multiple of 16, from one that is {} past one. All three have to be "
                       "multiples of 16: copy the elements at the ends one by one.",
                       transfer.size, address_of(transfer.to) % 16, address_of(transfer.from) % 16),
           place);
  } else if ((transfer.size != 4 && transfer.size != 8 && transfer.size != 16) || !is_multiple(transfer.size)) {
    stop(fmt::format("copies {} bytes to an address that is {} past a multiple of 16, from one that is {} past one. A thread copies 4, 8 or 16 bytes "
                     "at once, and both addresses have to be multiples of that.",
                     transfer.size, address_of(transfer.to) % 16, address_of(transfer.from) % 16),
         place);
  }
}

}  // namespace

void Copies::begin_kernel(std::uint64_t seed) {
  random_.seed(seed_ = seed);
  barriers_of_grid_.clear();
}

void Copies::begin_block(unsigned slot) {
  while (blocks_.size() <= slot) blocks_.push_back(std::make_unique<Block>());
  select(slot);
  if (!block_->under_way.empty() || !block_->barriers.empty() || block_->has_groups) *block_ = {};
}

// Its shared memory is another block's from now on.
void Copies::end_block() {
  for (unsigned thread = 0; block_->has_groups && thread < Order::most_threads; ++thread)
    if (const Groups& groups = groups_of(Mover::bulk, thread); groups.read < groups.begun)
      stop(fmt::format("is the last of its block, and thread {} has not waited for its bulk copies from shared memory. Wait for their groups.",
                       thread),
           {});
  for (const Copy& copy : block_->under_way)
    if (copy.mover == Mover::bulk && copy.barrier != nullptr)
      stop("is the last of its block, and a bulk copy to its shared memory is under way. Wait for its barrier.", copy.place);
  land_where([](const Copy&) { return true; });
}

// --- barriers ------------------------------------------------------------------------------------------------------------------------

Copies::OfBarrier& Copies::known(Barrier* barrier, const Place& place) {
  const bool is_global = space_of(barrier) == Space::global;  // an earlier launch may have initialised that
  const bool is_known = is_global || block_->barriers.contains(address_of(barrier));
  if (!is_known || contents_of(barrier).never_written)
    stop("uses a barrier that is not initialised. One thread initialises it, and the others wait for that thread, by __syncthreads().", place);
  return (is_global ? barriers_of_grid_ : block_->barriers)[address_of(barrier)];
}

void Copies::initialise(Barrier* barrier, unsigned arrivals, const Place& place) {
  if (arrivals == 0 || arrivals > most) stop(fmt::format("initialises a barrier for {} arrivals; there may be 1 to {}.", arrivals, most), place);
  monitor.access({.access = Access::store,
                  .address = address_of(barrier),
                  .size = sizeof *barrier,
                  .needs_alignment = true,
                  .is_volatile = false,
                  .place = place});
  put(barrier, {.expected = arrivals, .pending = arrivals, .bytes = 0, .parity = 0});
  const auto index = static_cast<unsigned>(block_->barriers.size());
  if (index == Order::most_threads) stop(fmt::format("initialises more than {} barriers in a block.", Order::most_threads), place);
  if (space_of(barrier) == Space::shared) block_->barriers.try_emplace(address_of(barrier), OfBarrier{.index = index});
}

void Copies::touch(Barrier* barrier, const Place& place) {
  static_cast<void>(known(barrier, place));
  monitor.touch(address_of(barrier), sizeof *barrier, place);
}

void Copies::update(Barrier* barrier, unsigned arrivals, unsigned dropped, std::int64_t bytes, const Place& place) {
  OfBarrier& of_barrier = known(barrier, place);
  Contents contents = contents_of(barrier);
  if (arrivals > contents.pending)
    stop(fmt::format("arrives {} times at a barrier that expects {} more arrivals in this phase.", arrivals, contents.pending), place);
  contents.expected -= dropped;
  contents.pending -= arrivals;
  contents.bytes += bytes;
  if (contents.pending == 0 && contents.bytes == 0) {
    contents.pending = contents.expected;
    contents.parity ^= 1U;
    ++of_barrier.phases;
    std::uint32_t done = of_barrier.copies;  // all up to this one have come
    for (const Copy& copy : block_->under_way)
      if (copy.barrier == barrier && !copy.is_arrival) done = std::min(done, copy.number - 1);
    if (monitor.checker.active())
      monitor.checker.races().phase_is_over({CopyKind::onto_barrier, of_barrier.index, done}, address_of(barrier), space_of(barrier));
    scheduler.progress();
  }
  put(barrier, contents);
}

unsigned Copies::arrive(Barrier* barrier, unsigned count, unsigned dropped, const Place& place) {
  touch(barrier, place);
  const auto parity = contents_of(barrier).parity;
  if (monitor.checker.active()) monitor.checker.races().arrive(scheduler.current, address_of(barrier), space_of(barrier));
  update(barrier, count, dropped, 0, place);
  return parity;
}

void Copies::expect_bytes(Barrier* barrier, std::size_t bytes, const Place& place) {
  touch(barrier, place);
  if (bytes > most) stop(fmt::format("expects {} bytes in a phase; at most {}.", bytes, most), place);
  update(barrier, 0, 0, static_cast<std::int64_t>(bytes), place);
}

bool Copies::is_over(Barrier* barrier, unsigned parity, const Place& place) {
  static_cast<void>(known(barrier, place));
  if (contents_of(barrier).parity == parity) {
    land_where([&](const Copy&) { return seed_ == 0 || by_chance(2); });
    if (contents_of(barrier).parity == parity) return false;
  }
  touch(barrier, place);
  if (monitor.checker.active()) monitor.checker.races().learn(scheduler.current, address_of(barrier), space_of(barrier));
  return true;
}

void Copies::arrive_after_copies(Barrier* barrier, bool counted, const Place& place) {
  touch(barrier, place);
  if (!counted) {
    Contents contents = contents_of(barrier);
    ++contents.pending;
    put(barrier, contents);
  }
  const std::uint32_t number = groups_of(Mover::threads, scheduler.current).ended + 1;
  issue({{}, Mover::threads, barrier, scheduler.current, number, place, true});
}

std::string Copies::barrier_in_words(std::uintptr_t address) const {
  if (block_ == nullptr) return {};
  const auto barrier = block_->barriers.find(address);
  if (barrier == block_->barriers.end()) return {};
  const Contents contents = contents_of(reinterpret_cast<const Barrier*>(address));
  return fmt::format("phase {} of a barrier, which lacks {} arrivals and {} bytes", barrier->second.phases, contents.pending, contents.bytes);
}

// --- copies --------------------------------------------------------------------------------------------------------------------------

// In random order under a seed: those that have been issued together need not come in that order.
template <class Chosen>
void Copies::land_where(const Chosen& chosen) {
  std::vector<Copy>& copies = block_->under_way;
  if (copies.empty()) return;
  monitor.settle();
  if (seed_ != 0) std::ranges::shuffle(copies, random_);
  for (std::size_t k = 0; k < copies.size();) {
    const Copy copy = copies[k];
    if (!may_land(copy) || !chosen(copy)) {
      ++k;
      continue;
    }
    copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(k));
    land(copy);
  }
}

bool Copies::may_land(const Copy& copy) const {
  return !copy.is_arrival || std::ranges::none_of(block_->under_way, [&](const Copy& other) {
    return other.barrier == nullptr && other.mover == Mover::threads && other.thread == copy.thread && other.number <= copy.number;
  });
}

void Copies::land(const Copy& copy) {
  if (copy.is_arrival) {
    if (monitor.checker.active())
      monitor.checker.races().arrive_with({CopyKind::of_threads, copy.thread, copy.number}, address_of(copy.barrier), space_of(copy.barrier));
    update(copy.barrier, 1, 0, 0, copy.place);
    return;
  }
  const auto& [to, from, size, zeros] = copy.transfer;
  std::memcpy(to, from, size - zeros);
  std::memset(static_cast<char*>(to) + size - zeros, 0, zeros);
  if (copy.barrier != nullptr) update(copy.barrier, 0, 0, -static_cast<std::int64_t>(size), copy.place);
}

void Copies::issue(const Copy& copy) {
  block_->under_way.push_back(copy);
  land_where([&](const Copy&) { return by_chance(4); });
}

void Copies::copy_onto_barrier(Mover mover, const Transfer& transfer, Barrier* barrier, const Place& place) {
  refuse_bad_shape(transfer, mover, place);
  OfBarrier& of_barrier = known(barrier, place);
  const CopyId id{CopyKind::onto_barrier, of_barrier.index, ++of_barrier.copies};
  monitor.copy(mover, transfer, id, id, place);
  issue({transfer, mover, barrier, scheduler.current, of_barrier.copies, place});
}

void Copies::copy_in_group(Mover mover, const Transfer& transfer, const Place& place) {
  refuse_bad_shape(transfer, mover, place);
  Groups& groups = groups_of(mover, scheduler.current);
  groups.begun = groups.ended + 1;
  block_->has_groups = true;
  const bool bulk = mover == Mover::bulk;
  monitor.copy(mover, transfer, {bulk ? CopyKind::read_in_bulk : CopyKind::of_threads, scheduler.current, groups.begun},
               {bulk ? CopyKind::written_in_bulk : CopyKind::of_threads, scheduler.current, groups.begun}, place);
  issue({transfer, mover, nullptr, scheduler.current, groups.begun, place});
}

void Copies::end_group(Mover mover) {
  ++groups_of(mover, scheduler.current).ended;
  block_->has_groups = true;
}

void Copies::wait_for_groups(Mover mover, unsigned but_last, bool only_read) {
  const unsigned thread = scheduler.current;
  Groups& groups = groups_of(mover, thread);
  const std::uint32_t last = groups.ended > but_last ? groups.ended - but_last : 0;
  if (last == 0) return;
  land_where([&](const Copy& copy) { return copy.barrier == nullptr && copy.mover == mover && copy.thread == thread && copy.number <= last; });
  groups.read = std::max(groups.read, last);
  if (!monitor.checker.active()) return;
  if (mover == Mover::threads) {
    monitor.checker.learn(thread, CopyId{CopyKind::of_threads, thread, last});
  } else {
    monitor.checker.learn(thread, CopyId{CopyKind::read_in_bulk, thread, last});
    if (!only_read) monitor.checker.learn(thread, CopyId{CopyKind::written_in_bulk, thread, last});
  }
}

}  // namespace ladder::emulated
