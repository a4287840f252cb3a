#include "compare/emulated/calls/faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>
#include <vector>

#include "compare/emulated/calls/asynchronous_copies.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated {

namespace {

// {0, 1, 2, 7} -> "threads 0-2, 7 wait", of many ranges the first few.
std::string all_of(std::string_view name, const std::vector<unsigned>& numbers, const auto& place,
                   std::string_view one_does, std::string_view several_do) {
  constexpr std::size_t most_ranges = 4;
  std::vector<std::string> ranges;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t last = k;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    ranges.push_back(last == k ? place(numbers[k])
                               : fmt::format("{}-{}", place(numbers[k]), place(numbers[last])));
    k = last + 1;
  }
  const bool is_one = numbers.size() == 1, many = ranges.size() > most_ranges;
  if (many) ranges.resize(most_ranges);
  return fmt::format("{}{} {}{} {}", name, is_one ? "" : "s", fmt::join(ranges, ", "),
                     many ? fmt::format(", .. ({} in all)", numbers.size()) : "",
                     is_one ? one_does : several_do);
}

// One of the words of the barrier of the grid (runtime.hpp).
bool is_of_grid_barrier(std::uintptr_t address, const Grid& grid) {
  const auto words = address_of(grid.barrier.get());
  return words != 0 && address >= words && address < words + 2 * sizeof(unsigned);
}

bool waits_at_grid_barrier(const Block& block, unsigned t, const Grid& grid) {
  const Thread& thread = block.threads[t];
  const bool runs = &block == &scheduler::running() && t == scheduler::current;
  return thread.state == State::ready &&
         is_of_grid_barrier(runs ? scheduler::last_access : thread.last_access, grid);
}

// "threads 0-15 wait at __syncthreads in a.cu:21", one for each place. looking: also those that
// look at memory again and again.
std::vector<std::string> waiting(const Block& block, const Grid& grid, bool looking) {
  std::map<std::string, std::vector<unsigned>> at;
  for (unsigned t = 0; t < grid.threads; ++t) {
    const Thread& thread = block.threads[t];
    if (thread.state == State::at_barrier)
      at[fmt::format("at {} in {}", thread.barrier, source_line(thread.where))].push_back(t);
    if (thread.state == State::at_warp) {
      at[fmt::format("at {} with mask {:#010x} in {}", thread.intrinsic->name, thread.mask,
                     source_line(thread.where))]
          .push_back(t);
    }
    if (looking && thread.state == State::ready && thread.last_look.exists()) {
      const bool at_grid = waits_at_grid_barrier(block, t, grid);  // which begins with a barrier
      at[fmt::format("{}in {}", at_grid ? "at grid.sync() " : "",
                     source_line(at_grid ? thread.where : thread.last_look))]
          .push_back(t);
    }
  }
  const uint3 extent = grid.shape.block;
  const auto thread = [&](unsigned t) { return place_in_words(extent, place_in(extent, t)); };
  std::vector<std::string> lines;
  for (const auto& [place, those] : at)
    lines.push_back(all_of("thread", those, thread, "waits ", "wait ") + place);
  return lines;
}
std::vector<std::string> waiting() {
  return waiting(scheduler::running(), scheduler::grid(), false);
}

bool is_one_of_several() {
  return scheduler::devices().size() > 1;
}

// Who waits where, in the first few blocks that run, or in the first of each device.
std::string all_waiting() {
  constexpr std::size_t most_blocks = 3;
  std::string text;
  for (const Device& device : scheduler::devices())
    for (const Block* const block :
         device.blocks | std::views::take(is_one_of_several() ? 1 : most_blocks)) {
      std::string name = device.grid.shape.block_in_words(block->index);
      if (is_one_of_several()) name = fmt::format("Device {}, {}", device.number, name);
      else name.front() = 'B';
      text += fmt::format("{}: {}. ", name, fmt::join(waiting(*block, device.grid, true), "; "));
    }
  return text;
}

std::string deadlock() {
  bool at_barrier = false, at_warp = false;
  for (unsigned t = 0; t < scheduler::grid().threads; ++t) {
    at_barrier |= scheduler::running().threads[t].state == State::at_barrier;
    at_warp |= scheduler::running().threads[t].state == State::at_warp;
  }
  const std::string_view advice =
      at_barrier && at_warp
          ? "A block barrier waits for lanes that wait for each other in a warp, and the other way "
            "round. Every lane in a "
            "mask must reach the warp's barrier before any of them goes on to __syncthreads."
          : "Every lane in a mask must reach the same intrinsic: take it out of the branch, or "
            "name in the mask only the "
            "lanes that reach it.";
  return fmt::format("deadlock: {}. {}", fmt::join(waiting(), "; "), advice);
}

// Which blocks wait at the barrier of the grid, and which never will.
std::string at_grid_barrier(const Device& device) {
  std::vector<unsigned> there, elsewhere, ended;
  for (unsigned index = 0; index < device.grid.blocks; ++index) {
    const auto block = std::ranges::find(device.blocks, index, &Block::index);
    const auto is_there = [&](unsigned t) {
      return waits_at_grid_barrier(**block, t, device.grid);
    };
    if (block == device.blocks.end()) ended.push_back(index);
    else if (std::ranges::any_of(std::views::iota(0U, device.grid.threads), is_there))
      there.push_back(index);
    else elsewhere.push_back(index);
  }
  const Shape& shape = device.grid.shape;
  const auto place = [&](unsigned b) {
    return place_in_words(shape.grid, shape.place_of_block(b));
  };
  std::string text = all_of("block", there, place, "waits there", "wait there");
  if (!elsewhere.empty())
    text += ", " + all_of("block", elsewhere, place, "is elsewhere", "are elsewhere");
  if (!ended.empty()) text += ", " + all_of("block", ended, place, "has ended", "have ended");
  return fmt::format(
      "Of the {} blocks of the grid, {}. Every block calls grid.sync() as often as all others: "
      "mind "
      "a loop that goes round more often in some blocks, a branch, and a return before the call.",
      device.grid.blocks, text);
}

std::string waits_for(const Fault& fault, const Grid& grid) {
  const std::uintptr_t address = fault.address;
  if (address == 0) return "reads memory again and again";
  if (is_of_grid_barrier(address, grid))
    return "waits at grid.sync() in " +
           source_line(scheduler::running().threads[fault.thread].where);
  const std::string barrier = barrier_in_words(address);
  return barrier.empty() ? fmt::format("reads {} again and again", monitor::in_words(address))
                         : "waits for " + barrier;
}

// Why nobody is going to end the wait.
std::string why_endless(const Device& device, std::uintptr_t address) {
  const Grid& grid = device.grid;
  if (is_of_grid_barrier(address, grid)) return at_grid_barrier(device);
  if (grid.resident || grid.cluster > 1)
    return fmt::format(
        "All blocks of the {} run. Does this loop end, and does every block that it waits for "
        "reach its store?",
        grid.resident ? "grid" : "cluster");
  if (grid.blocks == 1 && is_one_of_several())
    return "Kernels of all devices run in turns, and the next one in a queue begins where this one "
           "ends. Does this loop end, and does every thread on every device that it waits for "
           "reach its store?";
  if (grid.blocks == 1)
    return "There is no other block to change it. Does this loop end, and does every thread that "
           "it waits for reach its store?";
  if (device.begun == device.clusters())
    return "All blocks have begun, and those that do not wait have ended. Does this loop end, and "
           "does every thread that it waits for reach its store?";
  return fmt::format(
      "Blocks begin in any order, and {} run at a time here; those that wait keep out those that "
      "have not begun. On a GPU a wait for a block ends only if both happen to be resident. Take a "
      "ticket with atomicAdd to order blocks that wait for earlier ones; where all wait for all, "
      "launch a resident grid (LaunchShape::resident, CUDA's cooperative launch). If it waits for "
      "no other block: does this loop end?",
      device.most_at_once);
}

std::string message_of(const Fault& fault) {
  const Thread& self = scheduler::running().threads[fault.thread];
  const Thread& other = scheduler::running().threads[fault.other];
  const auto name = [](unsigned t) { return scheduler::grid().shape.thread_in_words(t); };
  switch (fault.kind) {
    case FaultKind::divergent_barrier:
      return fmt::format(
          "divergent barrier: {}. All threads of a block must reach the same barrier: take it out "
          "of the branch, or put both in one place.",
          fmt::join(waiting(), "; "));
    case FaultKind::deadlock:
      return deadlock();
    case FaultKind::caller_not_in_mask:
      return fmt::format(
          "{} (lane {}) calls {} with mask {:#010x}, which does not name it. Name every "
          "lane that makes the call.",
          name(fault.thread), fault.thread % lanes_per_warp, self.intrinsic->name, self.mask);
    case FaultKind::different_masks:
      return fmt::format(
          "different masks: {} waits at {} with mask {:#010x} in {}, {} at {} with "
          "mask {:#010x}; each names the other. Lanes that meet must name the same mask.",
          name(fault.other), other.intrinsic->name, other.mask, source_line(other.where),
          name(fault.thread), self.intrinsic->name, self.mask);
    case FaultKind::different_intrinsics:
      return fmt::format(
          "different intrinsics: {} is at {} in {}, {} at {}, with one mask "
          "{:#010x}. Lanes that meet must call the same one.",
          name(fault.other), other.intrinsic->name, source_line(other.where), name(fault.thread),
          self.intrinsic->name, other.mask);
    case FaultKind::endless_wait:
      return fmt::format(
          "endless wait: {} {}, and no thread of any block that runs changes anything any "
          "more. {}{}",
          name(fault.thread), waits_for(fault, scheduler::grid()), all_waiting(),
          why_endless(scheduler::device(), fault.address));
    case FaultKind::unsupported:
    case FaultKind::other:
      break;
  }
  return fault.text;
}

}  // namespace

std::string describe(const Fault& fault) {
  if (fault.kind == FaultKind::unsupported)
    return fmt::format("{} in {}, which the emulated backend cannot do", fault.text,
                       source_line(fault.place));
  std::string place = function_name(scheduler::grid().kernel);
  if (fault.place.exists()) place += " in " + source_line(fault.place);
  if (is_one_of_several()) place += fmt::format(", device {}", scheduler::device().number);
  return fmt::format("{}, {}: {}", place,
                     scheduler::grid().shape.block_in_words(scheduler::running().index),
                     message_of(fault));
}

}  // namespace ladder::emulated
