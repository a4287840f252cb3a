#include "compare/emulated/calls/faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <ranges>
#include <vector>

#include "compare/emulated/calls/asynchronous_copies.hpp"
#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/memory/shared_memory.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/types/cuda_words.hpp"

namespace ladder::emulated {

namespace {

// {0, 1, 2, 7} -> "threads 0-2, 7", of many ranges the first few.
std::string thread_list(const std::vector<unsigned>& threads) {
  constexpr std::size_t most_ranges = 4;
  std::vector<std::string> ranges;
  for (std::size_t k = 0; k < threads.size();) {
    std::size_t last = k;
    while (last + 1 < threads.size() && threads[last + 1] == threads[last] + 1) ++last;
    ranges.push_back(last == k ? fmt::format("{}", threads[k])
                               : fmt::format("{}-{}", threads[k], threads[last]));
    k = last + 1;
  }
  const bool many = ranges.size() > most_ranges;
  if (many) ranges.resize(most_ranges);
  std::string list =
      fmt::format("{} {}", threads.size() == 1 ? "thread" : "threads", fmt::join(ranges, ", "));
  if (many) list += fmt::format(", .. ({} in all)", threads.size());
  return list;
}

// As the enumeration has them.
std::string_view name_of(Intrinsic intrinsic) {
  constexpr std::array<std::string_view, 14> names{
      "__syncwarp",        "a shuffle",         "__ballot_sync",     "__all_sync",
      "__any_sync",        "__match_any_sync",  "__reduce_add_sync", "__reduce_and_sync",
      "__reduce_or_sync",  "__reduce_xor_sync", "__reduce_min_sync", "__reduce_max_sync",
      "__reduce_min_sync", "__reduce_max_sync"};
  return names.at(static_cast<std::size_t>(intrinsic));
}

// "threads 0-15 wait at __syncthreads in a.cu:21", one for each place. looking: also those that
// look at memory again and again.
std::vector<std::string> waiting(const Block& block, unsigned threads, bool looking) {
  std::map<std::string, std::vector<unsigned>> at;
  for (unsigned t = 0; t < threads; ++t) {
    const Thread& thread = block.threads[t];
    if (thread.state == State::at_barrier)
      at["at __syncthreads in " + source_line(thread.where)].push_back(t);
    if (thread.state == State::at_warp) {
      at[fmt::format("at {} with mask {:#010x} in {}", name_of(thread.intrinsic), thread.mask,
                     source_line(thread.where))]
          .push_back(t);
    }
    if (looking && thread.state == State::ready && thread.last_look.exists())
      at["in " + source_line(thread.last_look)].push_back(t);
  }
  std::vector<std::string> lines;
  for (const auto& [place, those] : at)
    lines.push_back(
        fmt::format("{} {} {}", thread_list(those), those.size() == 1 ? "waits" : "wait", place));
  return lines;
}
std::vector<std::string> waiting() {
  return waiting(scheduler.running(), scheduler.grid().threads, false);
}

bool is_one_of_several() {
  return scheduler.devices().size() > 1;
}

// Who waits where, in the first few blocks that run, or in the first of each device.
std::string all_waiting() {
  constexpr std::size_t most_blocks = 3;
  std::string text;
  for (const Device& device : scheduler.devices())
    for (const Block* const block :
         device.blocks | std::views::take(is_one_of_several() ? 1 : most_blocks)) {
      const std::string name = is_one_of_several()
                                   ? fmt::format("Device {}, block {}", device.number, block->index)
                                   : fmt::format("Block {}", block->index);
      text += fmt::format("{}: {}. ", name,
                          fmt::join(waiting(*block, device.grid.threads, true), "; "));
    }
  return text;
}

std::string deadlock() {
  bool at_barrier = false, at_warp = false;
  for (unsigned t = 0; t < scheduler.grid().threads; ++t) {
    at_barrier |= scheduler.thread(t).state == State::at_barrier;
    at_warp |= scheduler.thread(t).state == State::at_warp;
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

std::string address_in_words(std::uintptr_t address) {
  const Allocation* array = arena.contains(address) ? arena.nearest(address) : nullptr;
  if (array == nullptr) return fmt::format("{:#x}", address);
  const std::size_t size = array->end - array->begin;
  const std::string name = checker.name_of_array(array->begin);
  const std::string base = name.empty()
                               ? fmt::format("the array of {} bytes at {:#x}", size, array->begin)
                               : fmt::format("{} ({} bytes)", name, size);
  if (address < array->begin)
    return fmt::format("{} bytes before {}", array->begin - address, base);
  return fmt::format("offset {} of {}", address - array->begin, base);
}

std::string waits_for(std::uintptr_t address) {
  if (address == 0) return "reads memory again and again";
  const std::string barrier = barrier_in_words(address);
  return barrier.empty() ? fmt::format("reads {} again and again", address_in_words(address))
                         : "waits for " + barrier;
}

// "thread 3 writes 4 bytes"
std::string access(const Fault& fault) {
  return fmt::format("thread {} {} {} bytes", fault.thread, fault.write ? "writes" : "reads",
                     fault.size);
}

std::string divergent_barrier() {
  return fmt::format(
      "divergent barrier: {}. All threads of a block must reach the same __syncthreads: take it "
      "out of the branch, or put both in one place.",
      fmt::join(waiting(), "; "));
}

std::string caller_not_in_mask(const Thread& thread, unsigned index) {
  return fmt::format(
      "thread {} (lane {}) calls {} with mask {:#010x}, which does not name it. Name every lane "
      "that makes the call.",
      index, index % lanes_per_warp, name_of(thread.intrinsic), thread.mask);
}

std::string different_masks(const Fault& fault, const Thread& other, const Thread& self) {
  return fmt::format(
      "different masks: thread {} waits at {} with mask {:#010x} in {}, thread {} at {} with mask "
      "{:#010x}; each names the other. Lanes that meet must name the same mask.",
      fault.other, name_of(other.intrinsic), other.mask, source_line(other.where), fault.thread,
      name_of(self.intrinsic), self.mask);
}

std::string different_intrinsics(const Fault& fault, const Thread& other, const Thread& self) {
  return fmt::format(
      "different intrinsics: thread {} is at {} in {}, thread {} at {}, with one mask {:#010x}. "
      "Lanes that meet must call the same one.",
      fault.other, name_of(other.intrinsic), source_line(other.where), fault.thread,
      name_of(self.intrinsic), other.mask);
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

std::string endless_wait(const Fault& fault) {
  return fmt::format(
      "endless wait: thread {} {}, and no thread of any block that runs changes anything any more. "
      "{}{}",
      fault.thread, waits_for(fault.address), all_waiting(), why_endless(scheduler.device()));
}

std::string out_of_bounds(const std::string& what, std::string_view advice) {
  return fmt::format("out of bounds: {}. {}", what, advice);
}

std::string past_end(const Fault& fault, std::string_view of, const std::string& name) {
  return out_of_bounds(
      fmt::format("{} past the end of {}{}{}", access(fault), of, name.empty() ? "" : ": ", name),
      "Mind the index, or make the array larger.");
}

std::string out_of_shared(const Fault& fault) {
  return out_of_bounds(
      fmt::format("{} at offset {} of {} bytes of dynamic shared memory", access(fault),
                  fault.address - shared_memory.dynamic(), scheduler.grid().shared_bytes),
      "Ask for more in the launch, or mind the index.");
}

std::string foreign_memory(const Fault& fault) {
  return fmt::format(
      "illegal address: {} at {:#x}, which is {}. Kernels reach device memory, shared memory and "
      "their own variables.",
      access(fault), fault.address,
      fault.address < 4096                ? "a null pointer"
      : scheduler.is_local(fault.address) ? "a local variable, which others do not reach"
                                          : "the host's memory");
}

std::string foreign_shared(const Fault& fault) {
  return fmt::format(
      "illegal address: {} in the shared memory of a block that has ended, or is not of its "
      "cluster. Shared memory is there until its block ends: let the blocks of a cluster meet at a "
      "barrier (cluster.sync()) before they end.",
      access(fault));
}

std::string misaligned(const Fault& fault) {
  return fmt::format(
      "misaligned address: {} at {}, which is no multiple of {}. Read the elements before the "
      "first boundary one by one.",
      access(fault), address_in_words(fault.address), fault.size);
}

std::string message_of(const Fault& fault) {
  const Thread& self = scheduler.thread(fault.thread);
  const Thread& other = scheduler.thread(fault.other);
  switch (fault.kind) {
    case FaultKind::divergent_barrier:
      return divergent_barrier();
    case FaultKind::deadlock:
      return deadlock();
    case FaultKind::caller_not_in_mask:
      return caller_not_in_mask(self, fault.thread);
    case FaultKind::different_masks:
      return different_masks(fault, other, self);
    case FaultKind::different_intrinsics:
      return different_intrinsics(fault, other, self);
    case FaultKind::endless_wait:
      return endless_wait(fault);
    case FaultKind::out_of_bounds:
      return out_of_bounds(fmt::format("{} at {}", access(fault), address_in_words(fault.address)),
                           "Compare the index with the number of elements first.");
    case FaultKind::out_of_shared:
      return out_of_shared(fault);
    case FaultKind::out_of_static_shared:
      return past_end(fault, "a shared array", checker.past_shared_array(fault.address));
    case FaultKind::out_of_variable:
      return past_end(fault, "a variable of the program", checker.past_variable(fault.address));
    case FaultKind::out_of_array_type:
      return out_of_bounds(fmt::format("thread {} takes element {} of an array of type {}",
                                       fault.thread, fault.index, fault.text),
                           "Mind the index, or make the array larger.");
    case FaultKind::assertion:
      return fmt::format("thread {}: the assertion {} does not hold.", fault.thread, fault.text);
    case FaultKind::foreign_memory:
      return foreign_memory(fault);
    case FaultKind::foreign_shared:
      return foreign_shared(fault);
    case FaultKind::misaligned:
      return misaligned(fault);
    case FaultKind::asynchronous:
      return fmt::format("thread {} {}", fault.thread, fault.text);
    case FaultKind::exception:
      return fmt::format("thread {} threw an exception ({}). Device code cannot.", fault.thread,
                         fault.text);
  }
  return "unknown fault";
}

}  // namespace

std::string describe(const Fault& fault) {
  std::string place = function_name(scheduler.grid().kernel);
  if (fault.place.exists()) place += " in " + source_line(fault.place);
  if (is_one_of_several()) place += fmt::format(", device {}", scheduler.device().number);
  return fmt::format("{}, block {}: {}", place, blockIdx.x, message_of(fault));
}

}  // namespace ladder::emulated
