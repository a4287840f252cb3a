#include "compare/emulated/counting/traffic.hpp"

#include <array>
#include <bit>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compare/emulated/counting/warp_request.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/types/lanes.hpp"

namespace ladder::emulated::traffic {

Counts counts;
std::uint64_t joins = 0;

namespace {

// Lanes take turns after this many accesses at the latest (scheduler), so none that still executes
// an instruction with its warp is further ahead. Two turns, for lanes that began their turn apart.
constexpr std::size_t most_open = 2 * 4096;

// Where in the program, and what kind of memory it was for: an instruction that is given a
// reference may reach either.
struct Site {
  Place place;  // none: nothing was asked for yet
  bool is_shared;
  bool operator==(const Site&) const = default;
};
struct Hash {
  std::size_t operator()(const Site& site) const {
    return (2 * site.place.hash() + site.is_shared) * 0x9e3779b97f4a7c15u >> 40;
  }
};
// What one warp has open for one instruction: the requests from number `closed` on.
struct Open {
  std::array<std::uint32_t, 32> executed{};  // by each lane since the warp converged
  std::uint32_t closed = 0;
  std::size_t head = 0;  // requests[head] is number `closed`
  std::vector<Request> requests;
  Access access = Access::load;
  Space space;
  bool touched = false;
};
struct Warp {
  std::uint32_t live = 0;
  std::vector<Open> open;         // by instruction number
  std::vector<unsigned> touched;  // instructions that have something to close
};
struct Block {
  std::array<Warp, 32> warps;
  unsigned count = 0;
};

bool is_active = false;
std::vector<std::unique_ptr<Block>> blocks;  // that run
Block* block = nullptr;
// Instruction numbers in order of first execution, and those that were asked for last.
std::unordered_map<Site, unsigned, Hash> numbers;
std::array<std::pair<Site, unsigned>, 256> asked_last;

// Most accesses are of a few instructions, again and again.
unsigned number_of(const Site& site) {
  auto& [recent, number] = asked_last[Hash()(site) % asked_last.size()];
  if (recent != site) {
    recent = site;
    number = numbers.try_emplace(site, static_cast<unsigned>(numbers.size())).first->second;
  }
  return number;
}

// Not of a variable of the program: each device has its own.
bool is_of_peer(std::uintptr_t address) {
  return arena.contains(address) && arena.device_of(address) != scheduler::device().number;
}

std::uint64_t& peer_bytes(Access access) {
  return access == Access::load ? counts.peer_load_bytes : counts.peer_store_bytes;
}

void count_peer(const Request& request, Access access) {
  if (!arena.is_spread() && scheduler::device().number == 0) return;
  Request far{0, request.size, request.address};
  for (const unsigned lane : lanes_in(request.lanes))
    if (is_of_peer(request.address[lane])) far.lanes |= 1U << lane;
  peer_bytes(access) += access == Access::atomic
                            ? far.size * static_cast<unsigned>(std::popcount(far.lanes))
                            : bytes(far);
}

Counts::Direction& direction_of(Access access) {
  return access == Access::load ? counts.loads : counts.stores;
}

void count(const Request& request, Access access, Space space) {
  if (access == Access::atomic) {
    ++counts.atomic.requests;
    counts.atomic.on_one_word += most_on_one_word(request);
  }
  if (space.is_shared()) {
    ++counts.shared.requests;
    counts.shared.wavefronts += wavefronts(request, access);
    return;
  }
  count_peer(request, access);
  if (access == Access::atomic) return;
  Counts::Direction& direction = direction_of(access);
  ++direction.requests;
  direction.bytes += bytes(request);
  direction.sectors += sectors(request);
  direction.lanes += static_cast<unsigned>(std::popcount(request.lanes));
}

void close_oldest(Open& open) {
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

void close_all(Open& open) {
  while (!open.requests.empty()) close_oldest(open);
  open.executed.fill(0);
  open.closed = 0;
  open.touched = false;
}

class Counting final : public Observer {
  // forgets the instructions of earlier queues
  void begin(std::uint64_t /*seed*/) override {
    numbers.clear();
    asked_last = {};
  }
  void begin_kernel() override { ++counts.launches; }
  void copy_of_queue(const QueuedCopy& copy, unsigned /*number*/, unsigned /*slot*/) override {
    for (const void* const from : copy.from) copied_by_host(copy.to, from, copy.bytes);
  }
  void begin_block(unsigned slot) override {
    const unsigned threads = scheduler::grid().threads;
    select(slot);
    ++counts.blocks;
    counts.threads += threads;
    block->count = (threads + 31) / 32;
    for (unsigned w = 0; w < block->count; ++w)
      block->warps[w].live = first_lanes(threads - 32 * w);
  }
  void select(unsigned slot) override {
    while (blocks.size() <= slot) blocks.push_back(std::make_unique<Block>());
    block = blocks[slot].get();
  }
  void exit(unsigned warp, unsigned lane) override {
    std::uint32_t& live = block->warps[warp].live;
    live &= ~(1u << lane);
    if (live == 0) converge(warp);
  }
  void barrier(unsigned absent, const Place& /*place*/) override {
    ++counts.barriers;
    counts.barrier_arrivals += scheduler::grid().threads - absent;
    for (unsigned warp = 0; warp < block->count; ++warp) converge(warp);
  }
  void converge(unsigned warp) override {
    Warp& w = block->warps[warp];
    for (const unsigned number : w.touched) close_all(w.open[number]);
    w.touched.clear();
  }
  void absent_lanes(unsigned count, const Place& /*place*/) override {
    counts.shuffles_of_absent_lanes += count;
  }
  bool follows_one_block() const override { return true; }
} counting;

}  // namespace

bool active() {
  return is_active;
}

Observer& observer() {
  return counting;
}

void access(unsigned warp, unsigned lane, const MemoryAccess& access, Space space) {
  if (access.access == Access::atomic) ++counts.atomics;
  Warp& w = block->warps[warp];
  const unsigned number = number_of({access.place, space.is_shared()});
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

void copied_by_host(const void* to, const void* from, std::size_t bytes) {
  if (is_active && bytes > 0 &&
      arena.device_of(address_of(to)) != arena.device_of(address_of(from)))
    counts.peer_store_bytes += bytes;
}

// As if warps did it, 16 bytes a lane. Its path to shared memory is not that of the threads.
void copy_in_bulk(const MemoryAccess& access, Space space) {
  if (space.is_shared()) return;
  constexpr std::uintptr_t sector = 32;
  Counts::Direction& direction = direction_of(access.access);
  const std::size_t lanes = (access.size + 15) / 16;
  direction.bytes += access.size;
  if (is_of_peer(access.address)) peer_bytes(access.access) += access.size;
  direction.lanes += lanes;
  direction.requests += (lanes + 31) / 32;
  direction.sectors += (access.address + access.size - 1) / sector - access.address / sector + 1;
}

}  // namespace ladder::emulated::traffic

namespace ladder::emulated {

Counts count(const std::function<void()>& run) {
  struct Active {
    Active() { traffic::is_active = true; }
    ~Active() { traffic::is_active = false; }  // after a fault too
  } const active;
  traffic::counts = {};
  run();
  return traffic::counts;
}

}  // namespace ladder::emulated
