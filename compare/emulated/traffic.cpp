#include "compare/emulated/traffic.hpp"

#include <algorithm>
#include <bit>

namespace ladder::emulated {

namespace {

constexpr unsigned sector_bytes = 32;

// Lanes take turns after this many accesses at the latest (scheduler), so none that still executes an instruction with its warp is further ahead. Two
// turns, for lanes that began their turn apart.
constexpr std::size_t most_open = 2 * 4096;

std::size_t slot_of(const void* instruction, std::size_t slots) {
  return (reinterpret_cast<std::uintptr_t>(instruction) * 0x9e3779b97f4a7c15u >> 40) & (slots - 1);
}

}  // namespace

void Traffic::begin_kernel() {
  std::fill(instructions_.begin(), instructions_.end(), nullptr);
  known_ = 0;
}

void Traffic::begin_block(unsigned threads) {
  ++counts.blocks;
  block_warps_ = (threads + 31) / 32;
  for (unsigned w = 0; w < block_warps_; ++w) {
    const unsigned lanes = threads - 32 * w;
    warps_[w].live = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
  }
}

void Traffic::exit(unsigned warp, unsigned lane) {
  Warp& w = warps_[warp];
  w.live &= ~(1u << lane);
  if (w.live == 0) converge(warp);
}

unsigned Traffic::number_of(const void* instruction) {
  std::size_t k = slot_of(instruction, instructions_.size());
  while (instructions_[k] != instruction) {
    if (instructions_[k] == nullptr) {
      if (2 * (known_ + 1) > instructions_.size()) {
        const auto old_instructions = std::move(instructions_);
        const auto old_numbers = std::move(numbers_);
        instructions_.assign(2 * old_instructions.size(), nullptr);
        numbers_.assign(2 * old_numbers.size(), 0);
        for (std::size_t j = 0; j < old_instructions.size(); ++j) {
          if (old_instructions[j] == nullptr) continue;
          std::size_t to = slot_of(old_instructions[j], instructions_.size());
          while (instructions_[to] != nullptr) to = (to + 1) & (instructions_.size() - 1);
          instructions_[to] = old_instructions[j];
          numbers_[to] = old_numbers[j];
        }
        return number_of(instruction);
      }
      instructions_[k] = instruction;
      numbers_[k] = known_++;
      break;
    }
    k = (k + 1) & (instructions_.size() - 1);
  }
  return numbers_[k];
}

void Traffic::access(unsigned warp, unsigned lane, Access access, std::uintptr_t address, unsigned size, const void* instruction) {
  if (access == Access::atomic) {
    ++counts.atomics;
    return;
  }
  Warp& w = warps_[warp];
  const unsigned number = number_of(instruction);
  if (number >= w.open.size()) w.open.resize(number + 1);
  Open& open = w.open[number];
  if (!open.touched) {
    open.touched = true;
    open.access = access;
    w.touched.push_back(number);
  }

  const std::uint32_t execution = open.executed[lane]++;
  if (execution < open.closed) {  // its warp has gone on without it: a request of its own
    Request alone{1u << lane, size, {}};
    alone.address[lane] = address;
    count(alone, access);
    return;
  }
  const std::size_t at = open.head + (execution - open.closed);
  if (at >= open.requests.size()) open.requests.resize(at + 1);
  Request& request = open.requests[at];
  request.lanes |= 1u << lane;
  request.size = size;
  request.address[lane] = address;

  while (open.head < open.requests.size() && (open.requests[open.head].lanes & w.live) == w.live) close_oldest(open);
  if (open.requests.size() - open.head > most_open) close_oldest(open);
}

void Traffic::count(const Request& request, Access access) {
  std::array<std::uintptr_t, 64> sectors;  // up to two for each lane
  unsigned distinct = 0;
  unsigned lanes = 0;
  for (std::uint32_t left = request.lanes; left != 0; left &= left - 1, ++lanes) {
    const std::uintptr_t address = request.address[static_cast<unsigned>(std::countr_zero(left))];
    for (std::uintptr_t sector = address / sector_bytes; sector <= (address + request.size - 1) / sector_bytes; ++sector) {
      unsigned k = distinct;  // from the back: neighbours mostly lie in the sector of the lane before
      while (k > 0 && sectors[k - 1] != sector) --k;
      if (k == 0) sectors[distinct++] = sector;
    }
  }
  Counts::Direction& direction = access == Access::load ? counts.loads : counts.stores;
  ++direction.requests;
  direction.bytes += std::uint64_t{lanes} * request.size;
  direction.sectors += distinct;
  direction.lanes += lanes;
}

void Traffic::close_oldest(Open& open) {
  const Request& request = open.requests[open.head];
  if (request.lanes != 0) count(request, open.access);
  ++open.closed;
  ++open.head;
  if (open.head == open.requests.size()) {
    open.requests.clear();
    open.head = 0;
  } else if (open.head >= most_open) {
    open.requests.erase(open.requests.begin(), open.requests.begin() + static_cast<std::ptrdiff_t>(open.head));
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
  Warp& w = warps_[warp];
  for (const unsigned number : w.touched) close_all(w.open[number]);
  w.touched.clear();
}

void Traffic::converge_all() {
  for (unsigned warp = 0; warp < block_warps_; ++warp) converge(warp);
}

}  // namespace ladder::emulated
