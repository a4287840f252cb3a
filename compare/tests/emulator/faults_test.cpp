// What CUDA does not allow stops the launch with a message that says what, where, who and what to
// do; and the next launch is unharmed.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cooperative_groups.h>

#include <fstream>
#include <functional>
#include <string>

#include "compare/emulated/machine/stacks.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/small_floats.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"

using namespace ladder;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr unsigned whole_warp = 0xffffffff;

__global__ void healthy_kernel(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = __shfl_xor_sync(whole_warp, tile[63 - threadIdx.x], 1);
}

bool next_launch_is_unharmed() {
  const DeviceArray<int> out(64);
  launch(healthy_kernel, {2, 64}, {}, out.data());
  const auto got = downloaded(out, 64);
  for (int t = 0; t < 64; ++t) {
    if (got[t] != 63 - (t ^ 1)) return false;
  }
  return true;
}

// The message of the fault, which must come under every schedule.
std::string fault_of(const std::function<void()>& run) {
  std::string first;
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Schedule schedule(seed);
    try {
      run();
      return "no fault under schedule " + std::to_string(seed);
    } catch (const emulated::KernelFault& fault) {
      if (seed == 0) first = fault.what();
    }
    if (!next_launch_is_unharmed())
      return "the launch after the fault is wrong under schedule " + std::to_string(seed);
  }
  return first;
}

// Empty if the message contains every part; otherwise what is missing, and the message.
std::string missing_in(const std::string& message, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts) {
    if (message.find(part) == std::string::npos) return "'" + part + "' is not in: " + message;
  }
  return {};
}

std::string line(unsigned number) {
  return "compare/tests/emulator/faults_test.cpp:" + std::to_string(number);
}

// --- barriers
// ------------------------------------------------------------------------------------------------------------------------------------

constexpr unsigned divergent_line = __LINE__;
__global__ void divergent_kernel(int* out) {
  if (threadIdx.x < 16) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

constexpr unsigned barrier_against_warp_line = __LINE__;
__global__ void barrier_against_warp_kernel(int* out) {
  if (threadIdx.x % 32 < 8) {
    __syncthreads();
  } else {
    __syncwarp();
  }
  out[threadIdx.x] = 1;
}

__global__ void barrier_against_shuffle_kernel(int* out) {
  int value = 1;
  if (threadIdx.x >= 32) __syncthreads();
  else if (threadIdx.x != 5) value = __shfl_down_sync(whole_warp, value, 1);
  else __syncthreads();
  out[threadIdx.x] = value;
}

}  // namespace

TEST_CASE("threads at different barriers are reported") {
  const DeviceArray<int> out(64);
  const std::string message = fault_of([&] { launch(divergent_kernel, {2, 64}, {}, out.data()); });
  CHECK(missing_in(message, {"divergent_kernel, block 0", "divergent barrier",
                             "threads 0-15 wait at __syncthreads in " + line(divergent_line + 3),
                             "threads 16-63 wait at __syncthreads in " + line(divergent_line + 5),
                             "take it out of the branch"}) == "");
}

TEST_CASE("a block barrier against a warp barrier is reported as a deadlock") {
  const DeviceArray<int> out(64);
  const std::string message = fault_of([&] {
    launch(barrier_against_warp_kernel, {1, 64}, {}, out.data());
  });
  CHECK(missing_in(message, {"deadlock",
                             "threads 0-7, 32-39 wait at __syncthreads in " +
                                 line(barrier_against_warp_line + 3),
                             "threads 8-31, 40-63 wait at __syncwarp with mask 0xffffffff in " +
                                 line(barrier_against_warp_line + 5),
                             "A block barrier waits for lanes"}) == "");
}

TEST_CASE("a block barrier against a shuffle is reported as a deadlock") {
  const DeviceArray<int> out(64);
  const std::string message = fault_of([&] {
    launch(barrier_against_shuffle_kernel, {1, 64}, {}, out.data());
  });
  CHECK(missing_in(message, {"deadlock", "thread 5 waits at __syncthreads",
                             "threads 32-63 wait at __syncthreads",
                             "threads 0-4, 6-31 wait at a shuffle"}) == "");
}

// --- warps
// ---------------------------------------------------------------------------------------------------------------------------------------

namespace {

__global__ void absent_lane_kernel(int* flag) {
  if (threadIdx.x == 3) {
    __syncwarp(1U << 3 | 1U << 4);
  } else if (threadIdx.x == 4) {
    __syncwarp(1U << 4 | 1U << 5);
  } else if (threadIdx.x == 5) {
    __syncwarp(1U << 5 | 1U << 3);
  }
  *flag = 1;
}

__global__ void not_in_mask_kernel(int* out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffff, 1, 0);
}

constexpr unsigned masks_line = __LINE__;
__global__ void different_masks_kernel() {
  if (threadIdx.x < 16) __syncwarp(0xffffffff);
  else __syncwarp(0xfffffffe);
}

__global__ void different_intrinsics_kernel(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __any_sync(whole_warp, 1);
  else out[threadIdx.x] = __shfl_sync(whole_warp, 1, 0);
}

// Lanes may call the same intrinsic from different lines.
__global__ void two_lines_kernel(int* out) {
  int value;
  if (threadIdx.x % 2 == 0) value = __shfl_xor_sync(whole_warp, 10, 1);
  else value = __shfl_xor_sync(whole_warp, 20, 1);
  out[threadIdx.x] = value;
}

}  // namespace

TEST_CASE("lanes that wait in a circle are reported as a deadlock") {
  const DeviceArray<int> flag(1);
  const std::string message = fault_of([&] {
    launch(absent_lane_kernel, {1, 32}, {}, flag.data());
  });
  CHECK(missing_in(message, {"deadlock", "thread 3 waits at __syncwarp with mask 0x00000018",
                             "thread 4 waits", "thread 5 waits"}) == "");
}

TEST_CASE("a caller that its mask does not name is reported") {
  const DeviceArray<int> out(32);
  const std::string message = fault_of([&] {
    launch(not_in_mask_kernel, {1, 32}, {}, out.data());
  });
  CHECK(missing_in(
            message,
            {"thread 16 (lane 16) calls a shuffle with mask 0x0000ffff, which does not name it",
             "faults_test.cpp:"}) == "");
}

TEST_CASE("lanes that name each other under different masks are reported") {
  const std::string message = fault_of([&] { launch(different_masks_kernel, {1, 32}, {}); });
  CHECK(missing_in(message,
                   {"different masks",
                    "thread 1 waits at __syncwarp with mask 0xffffffff in " + line(masks_line + 2),
                    "thread 16 at __syncwarp with mask 0xfffffffe", line(masks_line + 3)}) == "");
}

TEST_CASE("lanes at different intrinsics are reported, at different lines of the same not") {
  const DeviceArray<int> out(32);
  const std::string message = fault_of([&] {
    launch(different_intrinsics_kernel, {1, 32}, {}, out.data());
  });
  CHECK(missing_in(message, {"different intrinsics", "thread 0 is at __any_sync",
                             "thread 16 at a shuffle"}) == "");
  launch(two_lines_kernel, {1, 32}, {}, out.data());
  for (int t = 0; t < 32; ++t) CHECK(downloaded(out, 32)[t] == (t % 2 == 0 ? 20 : 10));
}

// --- waiting
// -------------------------------------------------------------------------------------------------------------------------------------

namespace {

// For what nobody does.
__global__ void last_waits_kernel(volatile int* flag) {
  while (blockIdx.x == gridDim.x - 1 && *flag == 0) {
  }
}

// Two blocks wait for each other, in each of the ways there are to wait.
template <unsigned way>
__global__ void waits_for_later_kernel(int* flags) {
  if (threadIdx.x == 0) flags[blockIdx.x] = 1;
  int* const flag = flags + (blockIdx.x ^ 1);
  if (way == 0) {
    while (*static_cast<volatile int*>(flag) == 0) {
    }
  }
  if (way == 1) {
    while (atomicAdd(flag, 0) == 0) {
    }
  }
  if (way == 2) {
    while (*flag == 0) __threadfence();
  }
  if (way == 3) {
    while (*flag == 0) asm volatile("" ::: "memory");
  }
  if (way == 4) {
    while (__any_sync(whole_warp, *static_cast<volatile int*>(flag) == 0)) {
    }
  }
  // In a loop that the warp goes round together a turn never runs out.
  if (way == 6) {
    while (__any_sync(whole_warp, atomicAdd(flag, 0) == 0)) {
    }
  }
  if (way == 7) {
    while (__any_sync(whole_warp, *flag == 0)) __threadfence();
  }
  if (way == 5) {
    if (threadIdx.x == 0) {
      while (*static_cast<volatile int*>(flag) == 0) {
      }
    }
    __syncthreads();
  }
}

}  // namespace

TEST_CASE("of a wait in the last block, no other is said to keep it waiting") {
  const auto flags = uploaded(std::vector<int>(2));
  const std::string message = fault_of([&] {
    launch(last_waits_kernel, {1, 1}, {}, flags.data());
  });
  CHECK(missing_in(message, {"There is no other block"}) == "");
  const Schedule in_order(0);
  CHECK_THROWS_WITH(
      launch(last_waits_kernel, {3, 1}, {}, flags.data()),
      ContainsSubstring("All blocks have begun") && !ContainsSubstring("Take a ticket"));
}

TEMPLATE_TEST_CASE_SIG("a wait for a later block is reported instead of hanging", "",
                       ((unsigned way), way), 0, 1, 2, 3, 4, 5, 6, 7) {
  const std::string message = fault_of([&] {
    const auto flag = uploaded(std::vector<int>(2));
    launch(waits_for_later_kernel<way>, {2, 64}, {}, flag.data());
  });
  CHECK(missing_in(message, {"waits_for_later_kernel<", ": endless wait",
                             "no thread of any block that runs changes anything",
                             "Blocks begin in any order"}) == "");
  const std::string alone = fault_of([&] {
    const auto flag = uploaded(std::vector<int>(2));
    launch(waits_for_later_kernel<way>, {1, 64}, {}, flag.data());
  });
  CHECK(missing_in(alone, {"block 0: endless wait", "There is no other block",
                           "Does this loop end"}) == "");
}

namespace {

// Long, but no wait: volatile reads of ever new addresses, and atomics that change nothing between
// reads of new data.
__global__ void long_walk_kernel(const int* in, unsigned n, int* most, int* out) {
  int total = 0;
  for (unsigned round = 0; round < 8; ++round) {
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
      total += *const_cast<const volatile int*>(in + i);
      atomicMax(most, in[i]);
    }
  }
  atomicAdd(out, total);
}

}  // namespace

TEST_CASE("a long walk over data is no wait") {
  const unsigned n = 1 << 19;
  const auto in = uploaded(std::vector<int>(n, 1));
  const auto most = uploaded(std::vector<int>{1});
  const auto out = uploaded(std::vector<int>{0});
  launch(long_walk_kernel, {1, 2}, {}, in.data(), n, most.data(), out.data());
  CHECK(downloaded(out, 1)[0] == 8 * static_cast<int>(n));
}

// --- memory
// --------------------------------------------------------------------------------------------------------------------------------------

namespace {

constexpr unsigned store_line = __LINE__ + 2;
__global__ void store_kernel(int* out, long offset) {
  out[offset] = 1;
}

__global__ void load_kernel(const int* in, long offset, int* out) {
  *out = in[offset];
}

__global__ void atomic_kernel(int* out, long offset) {
  atomicAdd(out + offset, 1);
}

struct alignas(16) Four {
  int element[4];
};

__global__ void vector_kernel(const int* in, Four* out) {
  *out = *reinterpret_cast<const Four*>(in);
}

__global__ void dynamic_kernel(unsigned index) {
  dynamic_shared<int>()[index] = 1;
}

__global__ void dynamic_offset_kernel(unsigned bytes) {
  reinterpret_cast<double*>(dynamic_shared<char>() + bytes)[threadIdx.x] = 1;
}

__device__ int device_variable = 0;
constexpr int constants[4] = {3, 1, 4, 1};

__global__ void own_variables_kernel(int* out) {
  device_variable += constants[threadIdx.x];
  *out = device_variable;
}

// apart, since the exception itself is written to the host's memory
[[gnu::noinline, gnu::no_sanitize("thread")]] void throw_something() {
  throw std::runtime_error("thrown on the device");
}

__global__ void throwing_kernel(int* out) {
  if (threadIdx.x == 7) throw_something();
  out[threadIdx.x] = 1;
}

}  // namespace

TEST_CASE("accesses outside every array are reported before they happen") {
  const DeviceArray<int> array(100), other(100), out(1);
  CHECK(missing_in(fault_of([&] {
                     launch(store_kernel, {1, 1}, {}, array.data(), 100L);
                   }),
                   {"store_kernel in " + line(store_line) +
                    ", block 0: out of bounds: thread 0 writes 4 bytes at offset 400 of the array "
                    "of 400 bytes"}) == "");
  CHECK(missing_in(fault_of([&] {
                     launch(load_kernel, {1, 1}, {}, array.data(), 1000L, out.data());
                   }),
                   {"reads 4 bytes at offset 4000 of the array"}) == "");
  CHECK(missing_in(fault_of([&] {
                     launch(atomic_kernel, {1, 1}, {}, array.data(), 100L);
                   }),
                   {"faults_test.cpp:", "offset 400 of the array"}) == "");
  CHECK(missing_in(fault_of([&] {
                     launch(store_kernel, {1, 1}, {}, other.data(), -1L);
                   }),
                   {"out of bounds"}) == "");
  launch(store_kernel, {1, 1}, {}, array.data(), 99L);
  CHECK(downloaded(array, 100)[99] == 1);
}

TEST_CASE("accesses to released memory are reported") {
  int* released = nullptr;
  {
    const DeviceArray<int> array(100);
    released = array.data();
  }
  CHECK(missing_in(fault_of([&] {
                     launch(store_kernel, {1, 1}, {}, released, 0L);
                   }),
                   {"out of bounds"}) == "");
}

TEST_CASE("accesses to the host's memory and through null pointers are reported") {
  std::vector<int> on_host(100);
  int on_stack = 0;
  CHECK(missing_in(fault_of([&] {
                     launch(store_kernel, {1, 1}, {}, on_host.data(), 0L);
                   }),
                   {"illegal address", "the host's memory"}) == "");
  CHECK(missing_in(fault_of([&] {
                     launch(store_kernel, {1, 1}, {}, &on_stack, 0L);
                   }),
                   {"illegal address", "the host's memory"}) == "");
  CHECK(missing_in(fault_of([&] {
                     launch(store_kernel, {1, 1}, {}, static_cast<int*>(nullptr), 1L);
                   }),
                   {"illegal address", "a null pointer"}) == "");
}

TEST_CASE("a vector load off its boundary is reported") {
  const DeviceArray<int> array(100);
  const DeviceArray<Four> out(1);
  CHECK(missing_in(fault_of([&] {
                     launch(vector_kernel, {1, 1}, {}, array.data() + 1, out.data());
                   }),
                   {"misaligned address: thread 0 reads 16 bytes at offset 4",
                    "no multiple of 16"}) == "");
  launch(vector_kernel, {1, 1}, {}, array.data() + 4, out.data());
}

TEST_CASE("accesses past the dynamic shared memory that was asked for are reported") {
  CHECK(missing_in(fault_of([&] {
                     launch(dynamic_kernel, {1, 1, 40}, {}, 10U);
                   }),
                   {"writes 4 bytes at offset 40 of 40 bytes of dynamic shared memory"}) == "");
  launch(dynamic_kernel, {1, 1, 40}, {}, 9U);
}

TEST_CASE("an array in dynamic shared memory off its boundary is reported by its offset") {
  const std::string message = fault_of([] { launch(dynamic_offset_kernel, {1, 2, 64}, {}, 12U); });
  CHECK(missing_in(message, {"thread 0 writes 8 bytes at offset 12 of dynamic shared memory",
                             "no multiple of 8. Let each array there begin at a multiple"}) == "");
  launch(dynamic_offset_kernel, {1, 2, 64}, {}, 16U);
}

TEST_CASE("device variables and constants are the kernel's own") {
  const DeviceArray<int> out(1);
  launch(own_variables_kernel, {1, 4}, {}, out.data());
  CHECK(downloaded(out, 1)[0] == 9);
}

TEST_CASE("a kernel that throws is reported") {
  const DeviceArray<int> out(64);
  CHECK(missing_in(fault_of([&] {
                     launch(throwing_kernel, {1, 64}, {}, out.data());
                   }),
                   {"thread 7 threw", "thrown on the device"}) == "");
}

constexpr unsigned shift_line = __LINE__ + 2;
__global__ void shifting_kernel(unsigned* out, unsigned by) {
  out[0] = (1U << by) - 1;
}

TEST_CASE("a shift by all bits is reported, which a GPU and a CPU do in two ways") {
  const DeviceArray<unsigned> out(1);
  launch(shifting_kernel, {1, 1}, {}, out.data(), 31);
  CHECK(downloaded(out, 1)[0] == 0x7fffffff);
  for (const unsigned by : {32U, 40U})
    CHECK(missing_in(fault_of([&] {
                       launch(shifting_kernel, {1, 1}, {}, out.data(), by);
                     }),
                     {"shifting_kernel in", "faults_test.cpp:" + std::to_string(shift_line),
                      "shift too far: thread 0 shifts a value of type 'unsigned int' by " +
                          std::to_string(by) + " bits"}) == "");
}

constexpr unsigned grid_line = __LINE__ + 2;
__global__ void grid_kernel() {
  cooperative_groups::this_grid().sync();
}

TEST_CASE("a barrier of the grid in an ordinary launch is reported at its line, with the launch") {
  CHECK(missing_in(fault_of([&] {
                     launch(grid_kernel, {2, 32}, {});
                   }),
                   {"grid_kernel in", "faults_test.cpp:" + std::to_string(grid_line),
                    ".resident = true", "cudaLaunchCooperativeKernel()"}) == "");
  launch(grid_kernel, {.grid = 2, .block = 32, .resident = true}, {});
}

// --- launches and the host's side
// ------------------------------------------------------------------------------------------------------------------

TEST_CASE("launches that CUDA refuses are refused in its words") {
  const DeviceArray<int> out(2048);
  const auto fault = [&](LaunchShape shape) {
    return fault_of([&] { launch(healthy_kernel, shape, {}, out.data()); });
  };
  CHECK(missing_in(fault({0, 64}), {"cudaErrorInvalidConfiguration", "a grid of 0 blocks",
                                    "It is launched in compare/tests/emulator/faults_test.cpp:"}) ==
        "");
  CHECK(missing_in(fault({1, 0}), {"cudaErrorInvalidConfiguration", "blocks of 0 threads"}) == "");
  CHECK(missing_in(fault({1, 1025}), {"cudaErrorInvalidConfiguration",
                                      "blocks of 1025 threads; at most 1024"}) == "");
  CHECK(missing_in(fault({0x80000000U, 64}),
                   {"cudaErrorInvalidConfiguration", "2147483648 blocks"}) == "");
  CHECK(missing_in(fault({1, 64, 227 * 1024 + 1}),
                   {"cudaErrorInvalidValue", "232449 bytes of dynamic shared memory"}) == "");
}

TEST_CASE("device memory: alignment, poison, limits") {
  const DeviceArray<unsigned char> one(1), two(1);
  CHECK(reinterpret_cast<std::uintptr_t>(one.data()) % 256 == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(two.data()) % 256 == 0);
  CHECK(downloaded(one, 1)[0] == 0xff);
  std::vector<unsigned char> host(2);
  CHECK_THROWS_AS(backend::download(host.data(), one.data(), 2), std::invalid_argument);
  CHECK_THROWS_AS(backend::upload(host.data(), host.data(), 2), std::invalid_argument);
  CHECK_THROWS_AS(backend::allocate(std::size_t{1} << 60), backend::OutOfMemory);
  CHECK_THROWS_AS(backend::allocate(~std::size_t{0}), backend::OutOfMemory);
}

TEST_CASE("device memory that is released can be had again") {
  const DeviceArray<int> fence(1);
  void* const first = backend::allocate(1 << 20);
  backend::release(first);
  void* const again = backend::allocate(1 << 20);
  CHECK(again == first);
  backend::release(again);
}

TEST_CASE(
    "where a process may not have many addresses, there is less device memory, and without stacks "
    "no kernel runs") {
  const auto more = GENERATE(rlim_t{1} << 30, rlim_t{0});
  const pid_t child = fork();  // a limit is for a whole process
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + more;
    const rlimit limit{most, most};
    setrlimit(RLIMIT_AS, &limit);
    emulated::Arena arena;
    const bool has_memory = arena.allocate(1 << 20, 0) != nullptr;
    bool has_stacks = true;
    try {
      emulated::Stacks(1024).require();
    } catch (const backend::OutOfMemory&) {
      has_stacks = false;
    }
    _exit(has_memory == (more > 0) && has_stacks == (more > 0) && arena.capacity() <= more / 2 ? 7
                                                                                               : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 7));
}

__global__ void launching_kernel(int* out) {
  if (threadIdx.x == 0) launch(healthy_kernel, {1, 64}, {}, out);
}
__global__ void configuring_kernel(int* out) {
  configured(1, 64) << bound(healthy_kernel, out);
}
__global__ void waiting_kernel(int*) {
  cudaDeviceSynchronize();
}

TEST_CASE("a run names the stream that it was given, and waits for nothing") {
  const DeviceArray<int> out(64), other(64);
  const auto refusal = [&](const std::function<void(Stream)>& run) {
    return fault_of([&] {
      Stream given;
      const Enqueuing enqueuing(given);
      run(given);
    });
  };
  const auto is_refused = [&](const char* what, unsigned line,
                              const std::function<void(Stream)>& run) {
    CHECK(missing_in(refusal(run), {what, "faults_test.cpp:" + std::to_string(line) + "."}) == "");
  };
  const auto is_refused_for_waiting = [&](const char* what, unsigned line,
                                          const std::function<void(Stream)>& run) {
    CHECK(missing_in(refusal(run), {what, "faults_test.cpp:" + std::to_string(line) + ","}) == "");
  };
  const std::size_t bytes = 64 * sizeof(int);
  std::vector<int> on_host(64);
  is_refused("a launch without a stream", __LINE__ + 1, [&](Stream) {
    launch(healthy_kernel, {1, 64}, {}, out.data());
  });
  is_refused("a launch without a stream", __LINE__ + 1,
             [&](Stream) { configured(healthy_kernel, 1, 64)(out.data()); });
  is_refused("a launch without a stream", __LINE__ + 1, [&](Stream) {
    configured(dim3(1), 64, 0, nullptr) << bound(healthy_kernel, out.data());
  });
  is_refused("a copy without a stream", __LINE__ + 1,
             [&](Stream) { backend::copy(out.data(), other.data(), bytes, {}); });
  is_refused("cudaMemcpyAsync without a stream", __LINE__ + 1, [&](Stream) {
    cudaMemcpyAsync(out.data(), other.data(), bytes, cudaMemcpyDeviceToDevice);
  });
  is_refused("cudaMemsetAsync without a stream", __LINE__ + 1,
             [&](Stream) { cudaMemsetAsync(out.data(), 0, bytes); });
  is_refused_for_waiting("cudaMemset in", __LINE__ + 1,
                         [&](Stream) { cudaMemset(out.data(), 0, bytes); });
  CHECK_THAT(refusal([&](Stream) { cudaMemset(out.data(), 0, bytes); }),
             ContainsSubstring("call cudaMemsetAsync(to, value, bytes, stream)"));
  CHECK_THAT(refusal([&](Stream) {
               cudaMemcpy(out.data(), other.data(), bytes, cudaMemcpyDeviceToDevice);
             }),
             ContainsSubstring("Call cudaMemcpyAsync(to, from, bytes, kind, stream)"));
  is_refused_for_waiting("cudaMalloc in", __LINE__ + 2, [&](Stream) {
    int* array = nullptr;
    cudaMalloc(&array, bytes);
  });
  is_refused_for_waiting("cudaDeviceSynchronize in", __LINE__ + 1,
                         [&](Stream) { cudaDeviceSynchronize(); });
  is_refused_for_waiting("synchronize() in", __LINE__ + 1,
                         [&](Stream stream) { backend::synchronize(stream); });
  is_refused_for_waiting("download() in", __LINE__ + 1, [&](Stream stream) {
    backend::download(on_host.data(), out.data(), bytes, stream);
  });
  is_refused_for_waiting("upload() in", __LINE__ + 1,
                         [&](Stream) { backend::upload(out.data(), on_host.data(), bytes); });
  is_refused_for_waiting("fill() in", __LINE__ + 1,
                         [&](Stream) { backend::fill(out.data(), 0, bytes); });

  {
    Stream given;
    const Enqueuing enqueuing(given);
    configured(1, 64, 0, given) << bound(healthy_kernel, out.data());
    launch(healthy_kernel, {.grid = 1, .block = 64, .resident = true}, given, out.data());
    cudaMemsetAsync(other.data(), 0, bytes, given);
    backend::copy(other.data(), out.data(), bytes, given);
    Stream of_device = backend::stream_of(0);
    const Enqueuing another(of_device);
    CHECK(of_device.handle == backend::stream_of(0).handle);
  }
  CHECK_FALSE(Enqueuing::now);
  CHECK(downloaded(other, 64)[0] == 62);
}

TEST_CASE("a copy or a fill past the end of an array names its line and the array") {
  const DeviceArray<int> out(64), other(100);
  const std::size_t bytes = 65 * sizeof(int);
  const auto is_found = [&](unsigned line, const char* call, const std::function<void()>& run) {
    CHECK(
        missing_in(fault_of(run),
                   {call, "faults_test.cpp:" + std::to_string(line) + ": out of bounds: 260 bytes",
                    "from offset 0 of ", "256 bytes"}) == "");
  };
  const emulated::Checking checking;  // which names arrays
  is_found(__LINE__, "cudaMemset in", [&] { cudaMemset(out.data(), 0, bytes); });
  is_found(__LINE__ + 1, "cudaMemcpyAsync in",
           [&] { cudaMemcpyAsync(other.data(), out.data(), bytes, cudaMemcpyDeviceToDevice); });
}

TEST_CASE("memory that is freed twice is told of when there is work the next time") {
  const DeviceArray<int> out(64);
  int* array = nullptr;
  CHECK(cudaMalloc(&array, 64) == cudaSuccess);
  CHECK(cudaFree(array) == cudaSuccess);
  const std::string line = std::to_string(__LINE__ + 2);
  const std::string fault = fault_of([&] {
    cudaFree(array);
    launch(healthy_kernel, {1, 64}, {}, out.data());
  });
  CHECK(missing_in(fault, {"cudaFree in", "faults_test.cpp:" + line,
                           "of memory that is not allocated, or no more"}) == "");
}

TEST_CASE("a kernel that launches another is not wrong, and not run") {
  const DeviceArray<int> out(64);
  for (const auto kernel : {launching_kernel, configuring_kernel, waiting_kernel}) {
    for (const Stream stream : {Stream{}, backend::stream_of(0)}) {
      const auto run = [&] {
        launch(kernel, {1, 32}, stream, out.data());
        backend::synchronize(stream);
      };
      CHECK_THROWS_AS(run(), backend::Unsupported);
      CHECK_THROWS_WITH(run(), ContainsSubstring("in a kernel, in compare/tests/emulator/"
                                                 "faults_test.cpp:"));
    }
  }
  CHECK(next_launch_is_unharmed());
}

TEST_CASE("<<< >>> has what CUDA gives it without asking") {
  const DeviceArray<int> out(64);
  CHECK_THROWS_WITH(configured(healthy_kernel, 1, 64, 48 * 1024 + 1),
                    ContainsSubstring("launch() asks for it"));
  configured(healthy_kernel, 1, 64, 48 * 1024)(out.data());
  CHECK(downloaded(out, 64)[0] == 62);
}

namespace {

__global__ void converting_kernel(const F16* in, float* out) {
  out[0] = 2 * in[1] + 1;
}

}  // namespace

TEST_CASE("a read of a float of two bytes has the line of the kernel that converts it") {
  const DeviceArray<F16> in(1);
  const DeviceArray<float> out(1);
  const auto message = fault_of([&] {
    launch(converting_kernel, {1, 1}, {}, in.data(), out.data());
  });
  CHECK(missing_in(message, {"converting_kernel",
                             "compare/tests/emulator/faults_test.cpp:", "out of bounds"}) == "");
}
