#include "compare/emulated/counting/traffic.hpp"

#include <bit>

#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/types/lanes.hpp"

namespace ladder::emulated {

namespace {

// Lanes take turns after this many accesses at the latest (scheduler), so none that still executes
// an instruction with its warp is further ahead. Two turns, for lanes that began their turn apart.
constexpr std::size_t most_open = 2 * 4096;

}  // namespace

Traffic traffic;

void Traffic::begin(std::uint64_t /*seed*/) {
  numbers_.clear();
  recent_ = {};
}

void Traffic::begin_block(unsigned slot) {
  const unsigned threads = scheduler.grid().threads;
  select(slot);
  ++counts.blocks;
  counts.threads += threads;
  block_->count = (threads + 31) / 32;
  for (unsigned w = 0; w < block_->count; ++w)
    block_->warps[w].live = first_lanes(threads - 32 * w);
}

void Traffic::select(unsigned slot) {
  while (blocks_.size() <= slot) blocks_.push_back(std::make_unique<Block>());
  block_ = blocks_[slot].get();
}

void Traffic::exit(unsigned warp, unsigned lane) {
  Warp& w = block_->warps[warp];
  w.live &= ~(1u << lane);
  if (w.live == 0) converge(warp);
}

std::size_t Traffic::Hash::operator()(const Site& site) const {
  return (2 * site.place.hash() + site.is_shared) * 0x9e3779b97f4a7c15u >> 40;
}

// Most accesses are of a few instructions, again and again.
unsigned Traffic::number_of(const Site& site) {
  auto& [recent, number] = recent_[Hash()(site) % recent_.size()];
  if (recent != site) {
    recent = site;
    number = numbers_.try_emplace(site, static_cast<unsigned>(numbers_.size())).first->second;
  }
  return number;
}

void Traffic::access(unsigned warp, unsigned lane, const MemoryAccess& access, Space space) {
  if (access.access == Access::atomic) ++counts.atomics;
  Warp& w = block_->warps[warp];
  const unsigned number = number_of({access.place, space.is_shared});
  if (number >= w.open.size()) w.open.resize(number + 1);
  Open& open = w.open[number];
  if (!open.touched) {
    open.touched = true;
    open.access = access.access;
    open.space = space;
    w.touched.push_back(number);
  }

  const std::uint32_t execution = open.executed[lane]++;
  if (execution < open.closed) {  // its warp has gone on without it: a request of its own
    Request alone{1u << lane, static_cast<unsigned>(access.size), {}};
    alone.address[lane] = access.address;
    count(alone, access.access, space);
    return;
  }
  const std::size_t at = open.head + (execution - open.closed);
  if (at >= open.requests.size()) open.requests.resize(at + 1);
  Request& request = open.requests[at];
  request.lanes |= 1u << lane;
  request.size = static_cast<unsigned>(access.size);
  request.address[lane] = access.address;

  while (open.head < open.requests.size() && (open.requests[open.head].lanes & w.live) == w.live)
    close_oldest(open);
  if (open.requests.size() - open.head > most_open) close_oldest(open);
}

void Traffic::count(const Request& request, Access access, Space space) {
  if (access == Access::atomic) {
    ++counts.atomic.requests;
    counts.atomic.on_one_word += most_on_one_word(request);
  }
  if (space.is_shared) {
    ++counts.shared.requests;
    counts.shared.wavefronts += wavefronts(request, access);
    return;
  }
  count_peer(request, access);
  if (access == Access::atomic) return;
  const auto lanes = static_cast<unsigned>(std::popcount(request.lanes));
  Counts::Direction& direction = access == Access::load ? counts.loads : counts.stores;
  ++direction.requests;
  direction.bytes += bytes(request);
  direction.sectors += sectors(request);
  direction.lanes += lanes;
}

namespace {

// Not of a variable of the program: each device has its own.
bool is_of_peer(std::uintptr_t address) {
  return arena.contains(address) && arena.device_of(address) != scheduler.device().number;
}

}  // namespace

void Traffic::count_peer(const Request& request, Access access) {
  if (!arena.is_spread() && scheduler.device().number == 0) return;
  Request far{0, request.size, request.address};
  for (const unsigned lane : lanes_in(request.lanes))
    if (is_of_peer(request.address[lane])) far.lanes |= 1U << lane;
  if (far.lanes == 0) return;
  if (access == Access::load) counts.peer_load_bytes += bytes(far);
  else
    counts.peer_store_bytes += access == Access::store
                                   ? bytes(far)
                                   : far.size * static_cast<unsigned>(std::popcount(far.lanes));
}

void Traffic::copied_by_host(const void* to, const void* from, std::size_t bytes) {
  if (active_ && bytes > 0 && arena.device_of(address_of(to)) != arena.device_of(address_of(from)))
    counts.peer_store_bytes += bytes;
}

void Traffic::copy_of_queue(const QueuedCopy& copy, unsigned /*number*/, unsigned /*slot*/) {
  for (const void* const from : copy.from) copied_by_host(copy.to, from, copy.bytes);
}

// As if warps did it, 16 bytes a lane. Its path to shared memory is not that of the threads.
void Traffic::copy_in_bulk(const MemoryAccess& access, Space space) {
  if (space.is_shared) return;
  constexpr std::uintptr_t sector = 32;
  Counts::Direction& direction = access.access == Access::load ? counts.loads : counts.stores;
  const std::size_t lanes = (access.size + 15) / 16;
  direction.bytes += access.size;
  if (is_of_peer(access.address))
    (access.access == Access::load ? counts.peer_load_bytes : counts.peer_store_bytes) +=
        access.size;
  direction.lanes += lanes;
  direction.requests += (lanes + 31) / 32;
  direction.sectors += (access.address + access.size - 1) / sector - access.address / sector + 1;
}

void Traffic::close_oldest(Open& open) {
  const Request& request = open.requests[open.head];
  if (request.lanes != 0) count(request, open.access, open.space);
  ++open.closed;
  ++open.head;
  if (open.head == open.requests.size()) {
    open.requests.clear();
    open.head = 0;
  } else if (open.head >= most_open) {
    open.requests.erase(open.requests.begin(),
                        open.requests.begin() + static_cast<std::ptrdiff_t>(open.head));
    open.head = 0;
  }
}

void Traffic::close_all(Open& open) {
  while (!open.requests.empty()) close_oldest(open);
  open.executed.fill(0);
  open.closed = 0;
  open.touched = false;
}

void Traffic::converge(unsigned warp) {
  Warp& w = block_->warps[warp];
  for (const unsigned number : w.touched) close_all(w.open[number]);
  w.touched.clear();
}

void Traffic::barrier(unsigned absent, const Place& /*place*/) {
  ++counts.barriers;
  counts.barrier_arrivals += scheduler.grid().threads - absent;
  for (unsigned warp = 0; warp < block_->count; ++warp) converge(warp);
}

}  // namespace ladder::emulated
