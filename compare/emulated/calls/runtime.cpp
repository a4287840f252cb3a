#include "compare/emulated/calls/runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "compare/emulated/calls/queues.hpp"
#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/counting/traffic.hpp"
#include "compare/emulated/machine/launch_bounds.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/shared_memory.hpp"
#include "compare/emulated/memory/source_line.hpp"

namespace ladder::emulated {

unsigned resident_blocks_of_multiprocessor(unsigned threads, std::size_t shared_bytes) {
  constexpr unsigned most_blocks = 32, most_threads = 2048;
  constexpr std::size_t shared_bytes_in_all = 228 * 1024, reserved_for_block = 1024;
  const auto by_shared_bytes =
      static_cast<unsigned>(shared_bytes_in_all / (shared_bytes + reserved_for_block));
  return std::min({most_blocks, most_threads / threads, by_shared_bytes});
}

namespace {

constexpr std::size_t most_static_bytes = 48 * 1024;

template <class... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) {
  throw KernelFault(fmt::format(text, std::forward<Values>(values)...));
}

bool is_empty(uint3 extent) {
  return extent.x == 0 || extent.y == 0 || extent.z == 0;
}
bool fits(uint3 extent, uint3 most) {
  return extent.x <= most.x && extent.y <= most.y && extent.z <= most.z;
}

// In CUDA's words: these are the launches that cudaLaunchKernel refuses.
void refuse_bad_shape(const Grid& grid) {
  constexpr std::string_view bad_shape =
      "invalid configuration argument (cudaErrorInvalidConfiguration)";
  const auto& [blocks, threads, cluster] = grid.shape;
  if (is_empty(blocks))
    refuse(
        "{}: a grid of {} blocks. For an empty input launch one block that does nothing, or do not "
        "launch.",
        bad_shape, extent_in_words(blocks));
  if (!fits(blocks, {0x7fffffffU, 65'535, 65'535}))
    refuse(
        "{}: a grid of {} blocks; at most 2^31 - 1 along x, and 65535 along y and z. Let each "
        "thread do more, in a grid-stride loop.",
        bad_shape, extent_in_words(blocks));
  if (is_empty(threads)) refuse("{}: blocks of {} threads.", bad_shape, extent_in_words(threads));
  if (!fits(threads, {max_threads, max_threads, 64}) || count_in(threads) > max_threads)
    refuse("{}: blocks of {} threads; at most {} in all, and 64 along z.", bad_shape,
           extent_in_words(threads), max_threads);
  constexpr unsigned most_in_cluster = 8;
  if (is_empty(cluster) || !fits(cluster, {most_in_cluster, most_in_cluster, most_in_cluster}) ||
      count_in(cluster) > most_in_cluster || blocks.x % cluster.x != 0 ||
      blocks.y % cluster.y != 0 || blocks.z % cluster.z != 0)
    refuse(
        "invalid cluster size (cudaErrorInvalidClusterSize): {} blocks in clusters of {}. A "
        "cluster has 1 to {}, and the grid a multiple of that along x, y and z.",
        extent_in_words(blocks), extent_in_words(cluster), most_in_cluster);
}

// The kernel, which has that many blocks and threads.
void refuse_bad_launch(const Grid& grid) {
  if (const auto bound = launch_bounds(grid.kernel); bound && grid.threads > *bound)
    refuse(
        "{}: invalid argument (cudaErrorInvalidValue): blocks of {} threads, of which the kernel's "
        "__launch_bounds__ allow {}.",
        function_name(grid.kernel), extent_in_words(grid.shape.block), *bound);
  if (grid.shared_bytes > most_shared_bytes)
    refuse(
        "invalid argument (cudaErrorInvalidValue): {} bytes of dynamic shared memory for a block; "
        "at most {} (227 KiB).",
        grid.shared_bytes, most_shared_bytes);
  const std::size_t static_bytes = checker::static_shared_bytes(grid.kernel);
  if (static_bytes > most_static_bytes)
    refuse(
        "{}: {} bytes of static shared memory for a block; at most {} (48 KiB), or nvcc refuses "
        "the kernel. Take dynamic shared memory for more.",
        function_name(grid.kernel), static_bytes, most_static_bytes);
  if (static_bytes + grid.shared_bytes > most_shared_bytes)
    refuse(
        "{}: invalid argument (cudaErrorInvalidValue): {} bytes of static and {} bytes of dynamic "
        "shared memory for a block; at most {} (227 KiB) together.",
        function_name(grid.kernel), static_bytes, grid.shared_bytes, most_shared_bytes);
  const unsigned resident = resident_blocks_of_multiprocessor(grid.threads, grid.shared_bytes) *
                            backend::multiprocessors();
  if (grid.resident && grid.blocks > resident)
    refuse(
        "too many blocks in cooperative launch (cudaErrorCooperativeLaunchTooLarge): {}; at most "
        "{} of {} threads and {} bytes of dynamic shared memory are resident. Ask "
        "resident_blocks().",
        grid.blocks, resident, grid.threads, grid.shared_bytes);
}

// Blocks of more have no numbers. It would take weeks to run them.
unsigned count_of_blocks(const Grid& grid) {
  constexpr unsigned most = 1U << 28;
  const std::uint64_t blocks = count_in(grid.shape.grid);
  if (blocks > most)
    throw backend::Unsupported(
        fmt::format("launches {} with a grid of {} blocks; at most {} run "
                    "without a GPU",
                    function_name(grid.kernel), extent_in_words(grid.shape.grid), most));
  return static_cast<unsigned>(blocks);
}

}  // namespace

void refuse_in_kernel(const char* name, const void* call) {
  if (!scheduler::in_kernel) return;
  scheduler::in_kernel = false;  // first: a string is made by functions that are the kernel's too
  scheduler::stop({.kind = FaultKind::unsupported,
                   .place = call,
                   .text = name == nullptr ? std::string("launches a kernel in a kernel,")
                                           : fmt::format("calls {}() in a kernel,", name)});
}

void refuse_launch_in_kernel() {
  refuse_in_kernel(nullptr, __builtin_return_address(0));
}

namespace {

[[noreturn]] void refuse_launch(std::string_view why, const void* call) {
  queues::clear();
  throw KernelFault(fmt::format("{} It is launched in {}.", why, source_line(call)));
}

}  // namespace

void refuse_launch(const char* why) {
  refuse_launch(why, __builtin_return_address(0));
}

void launch_grid(Grid grid, Stream stream) {
  const void* const call = __builtin_return_address(0);
  queues::refuse_no_stream(stream, "a launch", call);
  try {
    refuse_bad_shape(grid);
    grid.blocks = count_of_blocks(grid);
    grid.threads = static_cast<unsigned>(count_in(grid.shape.block));
    grid.cluster = static_cast<unsigned>(count_in(grid.shape.cluster));
    refuse_bad_launch(grid);
    queues::refuse_other_device(stream);
  } catch (const KernelFault& fault) {
    refuse_launch(fault.what(), call);
  } catch (const std::runtime_error&) {
    queues::clear();
    throw;
  }
  if (grid.resident) {
    constexpr std::size_t bytes = 2 * sizeof(unsigned);
    checker::call_next_array("barrier of the grid");
    grid.barrier.reset(static_cast<unsigned*>(backend::allocate(bytes)), &backend::release);
    std::memset(grid.barrier.get(), 0, bytes);
    checker::written(grid.barrier.get(), bytes);
  }
  queues::add(stream, std::move(grid));
}

bool is_resident() {
  return scheduler::grid().resident;
}

unsigned* grid_barrier(Here where) {
  if (!is_resident()) {
    scheduler::in_kernel = false;
    scheduler::stop(
        {.place = where,
         .text = "grid.sync(), and the launch is an ordinary one, whose blocks need not all run at "
                 "the same time. Launch a resident grid: launch(kernel, {.grid = blocks, .block = "
                 "threads, .resident = true}, stream, ..), or cudaLaunchCooperativeKernel()."});
  }
  return scheduler::grid().barrier.get();
}

void* dynamic_arena() {
  return reinterpret_cast<void*>(shared_memory.dynamic());
}

Votes meet_block(bool vote, Here where, const char* name) {
  return scheduler::meet_block(vote, where, name);
}

std::uint64_t meet_warp(const Intrinsic& intrinsic, unsigned mask, std::uint64_t value,
                        unsigned source, Here where) {
  return scheduler::meet_warp(intrinsic, mask, value, source, where);
}

void count_join() {
  ++traffic::joins;
}

unsigned lane_index() {
  return scheduler::current % lanes_per_warp;
}

}  // namespace ladder::emulated
