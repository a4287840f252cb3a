#include "compare/emulated/calls/runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// In CUDA's words: these are the launches that cudaLaunchKernel refuses.
void refuse_bad_shape(const Grid& grid) {
  constexpr std::string_view bad_shape =
      "invalid configuration argument (cudaErrorInvalidConfiguration)";
  if (grid.blocks == 0)
    refuse(
        "{}: a grid of 0 blocks. For an empty input launch one block that does nothing, or do not "
        "launch.",
        bad_shape);
  if (grid.blocks > 0x7fffffffu)
    refuse(
        "{}: a grid of {} blocks; at most 2^31 - 1. Let each thread do more, in a grid-stride "
        "loop.",
        bad_shape, grid.blocks);
  if (grid.threads == 0) refuse("{}: blocks of 0 threads.", bad_shape);
  if (grid.threads > max_threads)
    refuse("{}: blocks of {} threads; at most {}.", bad_shape, grid.threads, max_threads);
  if (const auto bound = launch_bounds(grid.kernel); bound && grid.threads > *bound)
    refuse(
        "{}: invalid argument (cudaErrorInvalidValue): blocks of {} threads, of which the kernel's "
        "__launch_bounds__ allow {}.",
        function_name(grid.kernel), grid.threads, *bound);
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
  constexpr unsigned most_in_cluster = 8;
  if (grid.cluster == 0 || grid.cluster > most_in_cluster || grid.blocks % grid.cluster != 0)
    refuse(
        "invalid cluster size (cudaErrorInvalidClusterSize): {} blocks in clusters of {}. A "
        "cluster has 1 to {}, and the grid a multiple of that.",
        grid.blocks, grid.cluster, most_in_cluster);
  const unsigned resident = resident_blocks_of_multiprocessor(grid.threads, grid.shared_bytes) *
                            backend::multiprocessors();
  if (grid.resident && grid.blocks > resident)
    refuse(
        "too many blocks in cooperative launch (cudaErrorCooperativeLaunchTooLarge): {}; at most "
        "{} of {} threads and {} bytes of dynamic shared memory are resident. Ask "
        "resident_blocks().",
        grid.blocks, resident, grid.threads, grid.shared_bytes);
}

}  // namespace

void launch_grid(Grid grid, Stream stream) {
  try {
    refuse_bad_shape(grid);
    queues::refuse_other_device(stream);
  } catch (const KernelFault&) {
    queues::clear();
    throw;
  }
  if (grid.resident) {
    constexpr std::size_t bytes = 2 * sizeof(unsigned);
    checker::call_next_array("barrier of the grid");
    grid.barrier.reset(static_cast<unsigned*>(backend::allocate(bytes)), &backend::release);
    backend::fill(grid.barrier.get(), 0, bytes);
  }
  queues::add(stream, std::move(grid));
}

bool is_resident() {
  return scheduler::grid().resident;
}

unsigned* grid_barrier() {
  if (!is_resident())
    throw std::logic_error(
        "a barrier of the grid in a launch that is not a resident one (LaunchShape::resident)");
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
