#include "compare/emulated/checking/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compare/emulated/memory/source_line.hpp"

namespace ladder::emulated {

namespace {

PlaceKey key_of(const Place& place) {
  if (const auto where = place.where()) return {0, where->file, where->line, where->column};
  return {place.instruction(), {}, 0, 0};
}

std::string verb(const Seen& seen) {
  if (seen.access == Access::atomic) return "updates atomically";
  if (seen.access == Access::load) return seen.is_volatile ? "reads (volatile)" : "reads";
  return seen.is_volatile ? "writes (volatile)" : "writes";
}

bool is_of_queue(const Seen& seen) {
  return seen.copier &&
         seen.epoch.block >> bits_of_block == static_cast<std::uint32_t>(CopyKind::of_queue);
}

// Between elements of another size.
bool differ_in_size(const RawFinding& find) {
  return find.first.bytes != find.second.bytes && find.first.bytes > 0 && find.second.bytes > 0;
}

// "block 0, thread 3 writes in a.cu:20"; of several devices, "device 1, block 0, .."
std::string deed(const RawFinding& find, const Seen& seen) {
  const Shape& shape = &seen == &find.first ? find.shape_of_first : find.shape;
  const std::string block = (find.of_several ? fmt::format("device {}, ", seen.device) : "") +
                            shape.block_in_words(block_of(seen.epoch));
  const std::string thread = shape.thread_in_words(seen.copier.value_or(seen.epoch.thread));
  if (!seen.copier)
    return fmt::format("{}, {} {}{} in {}", block, thread, verb(seen),
                       differ_in_size(find) ? fmt::format(" {} bytes", seen.bytes) : "",
                       source_line(seen.place));
  if (is_of_queue(seen))
    return fmt::format("the copy in the queue of device {} in {} {}", seen.device,
                       source_line(seen.place), verb(seen));
  // any block of the cluster may have issued it
  if (seen.epoch.block >> bits_of_block == static_cast<std::uint32_t>(CopyKind::onto_barrier))
    return fmt::format("the copy onto a barrier of {} that {} issues in {} {}", block, thread,
                       source_line(seen.place), verb(seen));
  return fmt::format("the copy that {}, {} issues in {} {}", block, thread, source_line(seen.place),
                     verb(seen));
}

bool by_devices(const RawFinding& find) {
  return find.first.exists() && find.first.device != find.second.device;
}

bool by_blocks(const RawFinding& find) {
  return by_devices(find) || find.first.epoch.block != find.second.epoch.block;
}

bool in_one_warp(const RawFinding& find) {
  return find.first.epoch.thread / lanes_per_warp == find.second.epoch.thread / lanes_per_warp;
}

bool is_update(const RawFinding& find) {
  return find.first.access == Access::atomic || find.second.access == Access::atomic;
}

bool in_one_line(const RawFinding& find) {
  return source_line(find.first.place) == source_line(find.second.place);
}

// A statement reads and writes, as `a[t] += a[t + 16]` does: nothing fits between.
std::string where_one_statement_does_both(const RawFinding& find, std::string_view barrier) {
  if (!in_one_line(find)) return {};
  if (find.first.access != Access::load && find.second.access != Access::load)
    return " If each thread means a place of its own, its index is another's too.";
  return fmt::format(
      " If one statement reads and writes, split it: read into a variable, then {}, then write.",
      barrier);
}

struct Explanation {
  std::string_view missing;  // what would have ordered the two
  std::string mend;          // what usually mends it
};

// Nothing orders the two. Where one value, one atomic or another place is meant, that mends it too.
Explanation unordered(const RawFinding& find, std::string_view missing, std::string mend) {
  if (find.same_value)
    mend =
        "Both write the same value, which is still undefined in CUDA: let one thread write it, "
        "or write it by an atomic (atomicExch)." +
        (in_one_line(find) ? "" : " Where the two may differ: " + mend);
  else if (is_update(find) && (by_blocks(find) || find.first.access != Access::load))
    mend = "An atomic is atomic against other atomics only. " + mend;
  // memory that a program divides by itself
  if (!differ_in_size(find) && (!find.in_dynamic || in_one_line(find)))
    return {missing, std::move(mend)};
  const std::string overlap = fmt::format(
      "Do the two mean different arrays{}? Then these overlap: check the offset where each begins, "
      "and its size.",
      find.in_dynamic ? " of dynamic shared memory" : "");
  // Between two stores nobody has read what the first left: no order would make sense of that.
  const bool is_lost = find.first.access == Access::store && find.second.access == Access::store;
  return {missing, is_lost ? fmt::format("{} If they mean one: {}", overlap, mend)
                           : fmt::format("{} {}", mend, overlap)};
}

Explanation explain_race(const RawFinding& find) {
  if (find.read_only)
    return {"__ldg is for memory that no thread writes while the kernel runs",
            "__ldg may give what was there before the kernel, whatever orders the two: read by a "
            "plain load, and order that."};
  if (find.other_path)
    return {"no fence of proxies is between them",
            "Copies in bulk reach memory by a path of their own. Each thread that wrote calls "
            "cuda::ptx::fence_proxy_async() (PTX: fence.proxy.async) after its write. Then the "
            "thread that copies waits for the others at a barrier."};
  if (find.too_narrow)
    return {"an atomic of device scope is none to another device",
            "To the threads of another device an atomic of device scope is none. Say "
            "atomicAdd_system() in place of atomicAdd(), and so of the others, or cuda::atomic_ref "
            "of cuda::thread_scope_system, in the kernels of both."};
  if (is_of_queue(find.first) || is_of_queue(find.second))
    return {"nothing orders the two queues",
            "A copy is in order with the work in its own queue. Call Team::join() between it and "
            "what the other devices do with that memory."};
  if (find.first.copier)
    return {"nothing has waited for the copy",
            "A copy is under way until a thread has waited for the phase of its barrier, or for "
            "its group. That thread may use the memory after the wait, and the others after a "
            "barrier that follows the wait."};
  if (find.second.copier)
    return {"nothing orders the copy after it",
            "Before a copy is issued, all who use the memory come to a barrier, and the copying "
            "thread waits for them there."};
  if (by_devices(find) && find.one_fence_short)
    return {"a fence of the system is missing after the read of the flag",
            "The flag was read, but no fence of the system follows: call __threadfence_system() in "
            "the thread that read it, or after a barrier in those that read the announced data. "
            "__threadfence() orders nothing between devices."};
  if (by_devices(find))
    return unordered(
        find, "nothing orders the two devices",
        "Devices run at the same time. Call Team::join() between the two launches. Or order them "
        "by a flag: the writer calls __threadfence_system() and then sets the flag by a volatile "
        "store or an atomic of system scope; the reader reads the flag and then calls "
        "__threadfence_system(), where __threadfence() is not enough. Or let one volatile word of "
        "8 bytes carry the value with its flag.");
  if (by_blocks(find) && find.one_fence_short)
    return {"a fence after the read of the flag is missing",
            "The flag or ticket was read, but no fence follows: call __threadfence() in the thread "
            "that read it, or after a barrier in those that read the announced data."};
  if (by_blocks(find) && find.in_shared)
    return unordered(
        find, "nothing orders the two blocks",
        "Blocks of a cluster run at the same time: call cluster.sync() between the two, in all "
        "threads of all its blocks, or use atomics where both update one word.");
  if (by_blocks(find))
    return unordered(
        find, "nothing orders the two blocks",
        fmt::format(
            "Blocks run in any order, and at the same time. {}Give each its own place, or "
            "use atomics, or launch twice. Or order them by a flag: the writer calls "
            "__threadfence() and then sets the flag atomically; the reader reads the flag "
            "and then calls __threadfence().",
            find.of_resident ? "Call grid.sync() between the two, in all threads. Or: " : ""));
  if (in_one_warp(find))
    return unordered(
        find, "no __syncwarp and no __syncthreads is between them",
        "Lanes of a warp do not move in step, volatile or not, and shuffles order no memory: put a "
        "__syncwarp() between the two, or use atomics where both update one word." +
            where_one_statement_does_both(find, "__syncwarp()"));
  return unordered(
      find, "no __syncthreads is between them",
      "Put a __syncthreads() between the two, or use atomics where both update one word." +
          where_one_statement_does_both(find, "__syncthreads()"));
}

// Between lanes of one warp, between warps of one block, between blocks, or between devices.
unsigned distance(const RawFinding& find) {
  if (find.first.copier || find.second.copier) return 0;
  return by_devices(find) ? 3 : by_blocks(find) ? 2 : in_one_warp(find) ? 0 : 1;
}

protocol::Finding in_words(const RawFinding& find) {
  protocol::Finding words{.kernel = find.kernel == nullptr ? "a copy" : function_name(find.kernel),
                          .line = source_line(find.second.place),
                          .times = find.times};
  if (find.first.exists()) words.other_line = source_line(find.first.place);
  switch (find.kind) {
    case FindingKind::race: {
      const auto [missing, mend] = explain_race(find);
      words.kind = "race";
      words.message = fmt::format("{}{}: {}, {}; {}.", find.memory,
                                  find.same_value ? ", the same value twice" : "",
                                  deed(find, find.first), deed(find, find.second), missing);
      words.advice = mend;
      words.reach = (find.same_value ? 0 : 4) + distance(find);
      break;
    }
    case FindingKind::uninitialised_shared:
      words.kind = "uninitialised shared memory";
      words.message = fmt::format("{}: {}, and no thread of its block has written it by then.",
                                  find.memory, deed(find, find.second));
      words.advice =
          "Shared memory is not cleared: write every element that is read, and identities past the "
          "end of the input.";
      break;
    case FindingKind::uninitialised_global:
      words.kind = "uninitialised global memory";
      words.message = fmt::format("{}: {}, and nobody has written there since {}.", find.memory,
                                  deed(find, find.second),
                                  find.is_emptied ? "this run began" : "the array was allocated");
      words.advice =
          find.is_emptied
              ? "The output has no value when a run begins, whatever an earlier run or a "
                "constructor left there: launch a kernel first that clears it, or read "
                "only elements that have been written."
              : "Allocated memory is not cleared: fill it first, or read only elements "
                "that have been written.";
      break;
    case FindingKind::exited_before_barrier:
      words.kind = "barrier without all threads";
      words.message =
          fmt::format("{}: only some threads reach __syncthreads in {}; {} have exited.",
                      find.shape.block_in_words(find.second.epoch.block), words.line, find.absent);
      words.advice =
          "Since Volta __syncthreads waits for the threads that have not exited, so this is "
          "defined. Older GPUs need all threads there.";
      break;
  }
  return words;
}

// The first of the farthest pairs of accesses at the same places are kept: what mends them mends
// the nearer ones too.
void merge(RawFinding& known, const RawFinding& find) {
  const std::uint64_t times = known.times + find.times;
  const bool same_value = known.same_value && find.same_value;
  if (find.kind == FindingKind::race && distance(find) > distance(known)) known = find;
  known.times = times;
  known.same_value = same_value;
}

}  // namespace

RawFinding* Findings::add(const RawFinding& find) {
  // a list is passed: minmax gives copies, not references to temporaries
  const auto [a, b] = std::minmax({key_of(find.first.place), key_of(find.second.place)});
  const Key key{find.kind, a, b};
  if (const auto known = finds_.find(key); known != finds_.end()) {
    merge(known->second, find);
    return &known->second;
  }
  return finds_.size() == most ? nullptr : &finds_.emplace(key, find).first->second;
}

std::vector<protocol::Finding> Findings::in_words(bool remarks) const {
  std::map<std::tuple<FindingKind, std::string, std::string>, RawFinding> by_lines;
  for (const auto& [key, find] : finds_) {
    if ((find.kind == FindingKind::exited_before_barrier) != remarks) continue;
    const auto [a, b] =
        std::minmax({find.first.exists() ? source_line(find.first.place) : std::string(),
                     source_line(find.second.place)});
    const auto [known, is_new] = by_lines.try_emplace({find.kind, a, b}, find);
    if (!is_new) merge(known->second, find);
  }
  std::vector<protocol::Finding> all;
  for (const auto& [lines, find] : by_lines) all.push_back(emulated::in_words(find));
  return all;
}

}  // namespace ladder::emulated
