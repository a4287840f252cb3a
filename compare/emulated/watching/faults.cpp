#include "compare/emulated/watching/faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <map>
#include <ranges>
#include <vector>

#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/types/cuda_words.hpp"
#include "compare/emulated/watching/monitor.hpp"

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

std::string_view name_of(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::syncwarp:
      return "__syncwarp";
    case Intrinsic::shuffle:
      return "a shuffle";
    case Intrinsic::ballot:
      return "__ballot_sync";
    case Intrinsic::all:
      return "__all_sync";
    case Intrinsic::any:
      return "__any_sync";
    case Intrinsic::match_any:
      return "__match_any_sync";
    case Intrinsic::reduce_add:
      return "__reduce_add_sync";
    case Intrinsic::reduce_and:
      return "__reduce_and_sync";
    case Intrinsic::reduce_or:
      return "__reduce_or_sync";
    case Intrinsic::reduce_xor:
      return "__reduce_xor_sync";
    case Intrinsic::min_i32:
    case Intrinsic::min_u32:
      return "__reduce_min_sync";
    case Intrinsic::max_i32:
    case Intrinsic::max_u32:
      return "__reduce_max_sync";
  }
  return "a warp intrinsic";
}

std::string place_in_words(const Place& place) {
  return place.exists() ? source_line(place) : "";
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
    if (const std::string place = place_in_words(thread.looks);
        looking && thread.state == State::ready && !place.empty())
      at["in " + place].push_back(t);
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

// Of the first few blocks that run, or of the first of each device, who waits where.
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
  const std::string name = monitor.checker.name_of_array(array->begin);
  const std::string base = name.empty()
                               ? fmt::format("the array of {} bytes at {:#x}", size, array->begin)
                               : fmt::format("{} ({} bytes)", name, size);
  if (address < array->begin)
    return fmt::format("{} bytes before {}", array->begin - address, base);
  return fmt::format("offset {} of {}", address - array->begin, base);
}

std::string waits_for(std::uintptr_t address) {
  if (address == 0) return "reads memory again and again";
  const std::string barrier = monitor.copies.barrier_in_words(address);
  return barrier.empty() ? fmt::format("reads {} again and again", address_in_words(address))
                         : "waits for " + barrier;
}

std::string after_colon(const std::string& text) {
  return text.empty() ? "" : ": " + text;
}

std::string what(const Fault& fault, const std::string& thrown) {
  const std::string access =
      fmt::format("{} {} bytes", fault.write ? "writes" : "reads", fault.size);
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
          "thread {} (lane {}) calls {} with mask {:#010x}, which does not name it. Name every "
          "lane that makes the call.",
          fault.thread, fault.thread % lanes_per_warp,
          name_of(scheduler.thread(fault.thread).intrinsic), scheduler.thread(fault.thread).mask);
    case FaultKind::different_masks: {
      const Thread& a = scheduler.thread(fault.other);
      const Thread& b = scheduler.thread(fault.thread);
      return fmt::format(
          "different masks: thread {} waits at {} with mask {:#010x} in {}, thread {} at {} with "
          "mask {:#010x}; each names the other. Lanes that "
          "meet must name the same mask.",
          fault.other, name_of(a.intrinsic), a.mask, source_line(a.where), fault.thread,
          name_of(b.intrinsic), b.mask);
    }
    case FaultKind::different_intrinsics: {
      const Thread& a = scheduler.thread(fault.other);
      return fmt::format(
          "different intrinsics: thread {} is at {} in {}, thread {} at {}, with one mask "
          "{:#010x}. Lanes that meet must call the same one.",
          fault.other, name_of(a.intrinsic), source_line(a.where), fault.thread,
          name_of(scheduler.thread(fault.thread).intrinsic), a.mask);
    }
    case FaultKind::endless_wait:
      return fmt::format(
          "endless wait: thread {} {}, and no thread of any block that runs changes anything any "
          "more. {}{}",
          fault.thread, waits_for(fault.address), all_waiting(),
          scheduler.grid().resident || scheduler.grid().cluster > 1
              ? fmt::format("All blocks of the {} run. Does this loop end, and does every block "
                            "that it waits for reach its store?",
                            scheduler.grid().resident ? "grid" : "cluster")
          : scheduler.grid().blocks == 1 && is_one_of_several()
              ? std::string("Kernels of all devices run in turns, and the next one in a queue "
                            "begins where this one ends. Does this loop end, and does "
                            "every thread on every device that it waits for reach its store?")
          : scheduler.grid().blocks == 1
              ? std::string("There is no other block to change it. Does this loop end, and does "
                            "every thread that it waits for reach its store?")
              : fmt::format("Blocks begin in any order, and {} run at a time here; those that wait "
                            "keep out those that have not begun. On a GPU such "
                            "a wait ends only if both blocks happen to be resident. Take a ticket "
                            "with atomicAdd to order the blocks.",
                            scheduler.device().most_at_once));
    case FaultKind::out_of_bounds:
      return fmt::format(
          "out of bounds: thread {} {} at {}. Compare the index with the number of elements first.",
          fault.thread, access, address_in_words(fault.address));
    case FaultKind::out_of_shared:
      return fmt::format(
          "out of bounds: thread {} {} at offset {} of {} bytes of dynamic shared memory. Ask for "
          "more in the launch, or mind the index.",
          fault.thread, access,
          fault.address - reinterpret_cast<std::uintptr_t>(monitor.dynamic_shared()),
          scheduler.grid().shared_bytes);
    case FaultKind::out_of_static_shared:
      return fmt::format(
          "out of bounds: thread {} {} past the end of a shared array{}. Mind the index, or make "
          "the array larger.",
          fault.thread, access, after_colon(monitor.checker.past_shared_array(fault.address)));
    case FaultKind::out_of_variable:
      return fmt::format(
          "out of bounds: thread {} {} past the end of a variable of the program{}. Mind the "
          "index, or make the array larger.",
          fault.thread, access, after_colon(monitor.checker.past_variable(fault.address)));
    case FaultKind::out_of_array_type:
      return fmt::format(
          "out of bounds: thread {} takes element {} of an array of type {}. Mind the index, or "
          "make the array larger.",
          fault.thread, fault.index, fault.text);
    case FaultKind::assertion:
      return fmt::format("thread {}: the assertion {} does not hold.", fault.thread, fault.text);
    case FaultKind::foreign_memory:
      return fmt::format(
          "illegal address: thread {} {} at {:#x}, which is {}. Kernels reach device memory, "
          "shared memory and their own variables.",
          fault.thread, access, fault.address,
          fault.address < 4096                ? "a null pointer"
          : scheduler.is_local(fault.address) ? "a local variable, which others do not reach"
                                              : "the host's memory");
    case FaultKind::foreign_shared:
      return fmt::format(
          "illegal address: thread {} {} in the shared memory of a block that has ended, or is not "
          "of its cluster. Shared memory is there until its "
          "block ends: let the blocks of a cluster meet at a barrier (cluster.sync()) before they "
          "end.",
          fault.thread, access);
    case FaultKind::misaligned:
      return fmt::format(
          "misaligned address: thread {} {} at {}, which is no multiple of {}. Read the elements "
          "before the first boundary one by one.",
          fault.thread, access, address_in_words(fault.address), fault.size);
    case FaultKind::asynchronous:
      return fmt::format("thread {} {}", fault.thread, fault.text);
    case FaultKind::exception:
      return fmt::format("thread {} threw an exception ({}). Device code cannot.", fault.thread,
                         thrown);
  }
  return "unknown fault";
}

}  // namespace

std::string describe(const Fault& fault, const std::string& thrown) {
  std::string place = function_name(scheduler.grid().kernel);
  if (fault.place.exists()) place += " in " + source_line(fault.place);
  if (is_one_of_several()) place += fmt::format(", device {}", scheduler.device().number);
  return fmt::format("{}, block {}: {}", place, blockIdx.x, what(fault, thrown));
}

}  // namespace ladder::emulated
