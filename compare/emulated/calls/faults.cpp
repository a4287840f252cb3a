#include "compare/emulated/calls/faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <ranges>
#include <vector>

#include "compare/emulated/calls/asynchronous_copies.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated {

namespace {

// {0, 1, 2, 7} -> "threads 0-2, 7", of many ranges the first few.
std::string thread_list(const std::vector<unsigned>& threads, uint3 block) {
  const auto name = [&](unsigned thread) { return place_in_words(block, place_in(block, thread)); };
  constexpr std::size_t most_ranges = 4;
  std::vector<std::string> ranges;
  for (std::size_t k = 0; k < threads.size();) {
    std::size_t last = k;
    while (last + 1 < threads.size() && threads[last + 1] == threads[last] + 1) ++last;
    ranges.push_back(last == k ? name(threads[k])
                               : fmt::format("{}-{}", name(threads[k]), name(threads[last])));
    k = last + 1;
  }
  const bool many = ranges.size() > most_ranges;
  if (many) ranges.resize(most_ranges);
  std::string list =
      fmt::format("{} {}", threads.size() == 1 ? "thread" : "threads", fmt::join(ranges, ", "));
  if (many) list += fmt::format(", .. ({} in all)", threads.size());
  return list;
}

// "threads 0-15 wait at __syncthreads in a.cu:21", one for each place. looking: also those that
// look at memory again and again.
std::vector<std::string> waiting(const Block& block, const Grid& grid, bool looking) {
  std::map<std::string, std::vector<unsigned>> at;
  for (unsigned t = 0; t < grid.threads; ++t) {
    const Thread& thread = block.threads[t];
    if (thread.state == State::at_barrier)
      at["at __syncthreads in " + source_line(thread.where)].push_back(t);
    if (thread.state == State::at_warp) {
      at[fmt::format("at {} with mask {:#010x} in {}", thread.intrinsic->name, thread.mask,
                     source_line(thread.where))]
          .push_back(t);
    }
    if (looking && thread.state == State::ready && thread.last_look.exists())
      at["in " + source_line(thread.last_look)].push_back(t);
  }
  std::vector<std::string> lines;
  for (const auto& [place, those] : at)
    lines.push_back(fmt::format("{} {} {}", thread_list(those, grid.shape.block),
                                those.size() == 1 ? "waits" : "wait", place));
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

std::string waits_for(std::uintptr_t address) {
  if (address == 0) return "reads memory again and again";
  const std::string barrier = barrier_in_words(address);
  return barrier.empty() ? fmt::format("reads {} again and again", monitor::in_words(address))
                         : "waits for " + barrier;
}

// Why nobody is going to end the wait.
std::string why_endless(const Device& device) {
  const Grid& grid = device.grid;
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
  return fmt::format(
      "Blocks begin in any order, and {} run at a time here; those that wait keep out those that "
      "have not begun. On a GPU such a wait ends only if both blocks happen to be resident. Take a "
      "ticket with atomicAdd to order the blocks.",
      device.most_at_once);
}

std::string message_of(const Fault& fault) {
  const Thread& self = scheduler::running().threads[fault.thread];
  const Thread& other = scheduler::running().threads[fault.other];
  const auto name = [](unsigned t) { return scheduler::grid().shape.thread_in_words(t); };
  switch (fault.kind) {
    case FaultKind::divergent_barrier:
      return fmt::format(
          "divergent barrier: {}. All threads of a block must reach the same __syncthreads: take "
          "it out of the branch, or put both in one place.",
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
          name(fault.thread), waits_for(fault.address), all_waiting(),
          why_endless(scheduler::device()));
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
