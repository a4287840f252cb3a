// Several devices: queues, whose work runs side by side, and what kernels on different devices do
// to each other.
#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare/emulated/calls/runtime.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/emulator/device.hpp"
#include "compare/tests/emulator/findings.hpp"

using namespace ladder;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr unsigned seeds = 50;

// Allocations and launches are on a device for one scope.
class On {
 public:
  explicit On(unsigned device) { backend::use(device); }
  On(const On&) = delete;
  ~On() { backend::use(0); }
};

template <class T>
DeviceArray<T> uploaded_to(unsigned device, const std::vector<T>& values) {
  const On on(device);
  return uploaded(values);
}

template <class... P>
void launch_on(unsigned device, void (*kernel)(P...), LaunchShape shape,
               std::type_identity_t<P>... arguments) {
  const On on(device);
  launch(kernel, shape, backend::stream_of(device), arguments...);
}

__global__ void add_kernel(int* value, int what) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *value += what;
}

__global__ void double_kernel(const int* from, int* to, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) to[t] = 2 * from[t];
}

// The launch's own shape, and its dynamic shared memory, after others may have had their turn.
__global__ void shape_kernel(unsigned* turns, unsigned* out) {
  unsigned* const shared = dynamic_shared<unsigned>();
  atomicAdd_system(turns, 1U);
  shared[threadIdx.x] = 100 * blockDim.x + 10 * gridDim.x + blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = shared[blockDim.x - 1];
}

using Tagged = unsigned long long;

// Each device hands its value to the next, which adds its own: a ring of one word for each, value
// and tag in one.
template <unsigned threads>
__global__ void ring_kernel(volatile Tagged* mine, volatile Tagged* next, unsigned device,
                            unsigned tag, unsigned* out) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) {
    Tagged word = Tagged{tag} << 32;
    while (device > 0 && (word = *mine) >> 32 != tag) {
    }
    sum = static_cast<unsigned>(word) + device + 1;
    if (next != nullptr) *next = Tagged{tag} << 32 | sum;
  }
  __syncthreads();
  if (threadIdx.x == threads - 1) *out = sum;
}

constexpr unsigned halves = 64;

// A value in many words, then a flag.
__global__ void announce_kernel(int* values, volatile unsigned* flag, unsigned tag) {
  values[threadIdx.x] = static_cast<int>(tag + threadIdx.x);
  __syncthreads();
  if (threadIdx.x > 0) return;
  __threadfence_system();
  *flag = tag;
}
__global__ void gather_kernel(const int* values, volatile unsigned* flag, unsigned tag, int* out) {
  if (threadIdx.x == 0) {
    while (*flag != tag) {
    }
    __threadfence_system();
  }
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}

__global__ void wait_kernel(volatile unsigned* word) {
  if (blockIdx.x > 0) return;
  while (*word == 0) {
  }
}

__global__ void count_system_kernel(unsigned* count) {
  atomicAdd_system(count, 1U);
}

__global__ void last_block_kernel(int* out) {
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *out = static_cast<int>(gridDim.x);
}

__global__ void constant_kernel(const int* in, int* out) {
  *out = __ldg(in);
}

__global__ void out_of_bounds_kernel(int* out) {
  out[1000] = 1;
}

// Every block of every device waits for all blocks of all devices.
__global__ void meet_all_kernel(unsigned* arrived, unsigned expected) {
  if (threadIdx.x == 0) {
    atomicAdd_system(arrived, 1U);
    while (*static_cast<volatile unsigned*>(arrived) != expected) {
    }
  }
  __syncthreads();
}

void for_each_schedule(const std::function<void()>& run) {
  for (unsigned seed = 0; seed <= seeds; ++seed) {
    const Schedule schedule(seed);
    INFO("seed " << seed);
    run();
  }
}

// The sum that the last of `count` devices has, after two rounds.
unsigned run_ring(unsigned count) {
  std::vector<DeviceArray<Tagged>> words;
  for (unsigned device = 0; device < count; ++device)
    words.push_back(uploaded_to<Tagged>(device, {0}));
  const auto out = uploaded_to<unsigned>(count - 1, std::vector<unsigned>(count));
  for (const unsigned tag : {1U, 2U}) {
    // a word is overwritten when the one before it has been read
    if (tag > 1) backend::join(count);
    for (unsigned device = count; device-- > 0;)
      launch_on(device, ring_kernel<64>, {1, 64}, words[device].data(),
                device + 1 < count ? words[device + 1].data() : nullptr, device, tag,
                out.data() + device);
  }
  backend::synchronize(backend::stream_of(0));
  return downloaded(out, count).back();
}

}  // namespace

TEST_CASE(
    "nothing of a queue runs before the host waits for it, and then all of it does, in order") {
  const auto value = uploaded<int>({1});
  const auto twice = uploaded_to<int>(1, {0});
  launch_on(0, add_kernel, {4, 32}, value.data(), 2);
  backend::copy(twice.data(), value.data(), sizeof(int), backend::stream_of(0));
  launch_on(0, add_kernel, {1, 1}, value.data(), 10);
  CHECK(downloaded(value, 1).front() == 1);

  int copied = 0, now = 0;
  SECTION("by synchronize") {
    backend::synchronize(backend::stream_of(3));
    backend::download(&now, value.data(), sizeof now);
  }
  SECTION("by download") {
    backend::download(&now, value.data(), sizeof now, backend::stream_of(0));
  }
  SECTION("by a release of memory") {
    backend::release(backend::allocate(1));
    backend::download(&now, value.data(), sizeof now);
  }
  CHECK(now == 13);
  backend::download(&copied, twice.data(), sizeof copied);
  CHECK(copied == 3);
}

TEST_CASE("a launch in a queue keeps its arguments, and <<< >>> has queues too") {
  const auto value = uploaded<int>({1});
  {
    int what = 5;
    configured(add_kernel, 1, 32, 0, backend::stream_of(0))(value.data(), what);
    what = 100;
  }
  backend::synchronize(backend::stream_of(0));
  CHECK(downloaded(value, 1).front() == 6);
}

TEST_CASE("what follows a join of queues follows all that lies before it on any of them") {
  const unsigned count = GENERATE(2U, 3U, 5U);
  for_each_schedule([&] {
    const auto findings = findings_of([&] {
      constexpr unsigned n = 100;
      std::vector<DeviceArray<int>> in, out;
      for (unsigned device = 0; device < count; ++device) {
        in.push_back(uploaded_to(device, counted<int>(n)));
        out.push_back(uploaded_to<int>(device, std::vector<int>(n)));
      }
      for (unsigned device = 0; device < count; ++device)
        launch_on(device, double_kernel, {4, 32}, in[device].data(), out[device].data(), n);
      backend::join(count);
      // Each reads what the next one has made.
      for (unsigned device = 0; device < count; ++device)
        launch_on(device, double_kernel, {4, 32}, out[(device + 1) % count].data(),
                  in[device].data(), n);
      backend::join(count);
      backend::copy(out[0].data(), in[count - 1].data(), n * sizeof(int), backend::stream_of(0));
      backend::synchronize(backend::stream_of(0));
      const auto answer = downloaded(out[0], n);
      for (unsigned k = 0; k < n; ++k) REQUIRE(answer[k] == static_cast<int>(4 * k));
    });
    REQUIRE(in_words(findings) == "");
  });
}

TEST_CASE(
    "a collective call orders the queues: it finds what was brought, which may then be written "
    "anew") {
  const unsigned count = GENERATE(1U, 2U, 3U, 5U);
  const bool reduces = GENERATE(true, false);
  for_each_schedule([&] {
    const auto findings = findings_of([&] {
      constexpr unsigned n = 70, rounds = 3;
      std::vector<DeviceArray<int>> in, brought, got, out;
      std::vector<backend::Exchange> all;
      for (unsigned device = 0; device < count; ++device) {
        in.push_back(uploaded_to(device, counted<int>(n)));
        brought.push_back(uploaded_to<int>(device, std::vector<int>(n)));
        got.push_back(uploaded_to<int>(device, std::vector<int>(count * n)));
        out.push_back(uploaded_to<int>(device, std::vector<int>(count * n)));
        all.push_back({brought[device].data(), got[device].data()});
      }
      for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned device = 0; device < count; ++device)
          launch_on(device, double_kernel, {3, 32}, in[device].data(), brought[device].data(), n);
        if (reduces) backend::all_reduce(all, n, "i32", "sum");
        else backend::all_gather(all, n * sizeof(int));
        for (unsigned device = 0; device < count; ++device)
          launch_on(device, double_kernel, {12, 32}, got[device].data(), out[device].data(),
                    reduces ? n : count * n);
      }
      backend::synchronize(backend::stream_of(0));
      for (const auto& values : out) {
        const auto answer = downloaded(values, count * n);
        for (unsigned k = 0; k < (reduces ? n : count * n); ++k)
          REQUIRE(answer[k] == static_cast<int>(reduces ? 4 * count * k : 4 * (k % n)));
      }
    });
    REQUIRE(in_words(findings) == "");
  });
}

TEST_CASE("each grid has its own shape and shared memory while others take turns with it") {
  for_each_schedule([] {
    const DeviceArray<unsigned> out(3 * 8);
    const auto turns = uploaded<unsigned>({0});
    for (unsigned device = 0; device < 3; ++device) {
      const unsigned threads = 32 * (device + 1);
      launch_on(device, shape_kernel, {device + 2, threads, threads * sizeof(unsigned)},
                turns.data(), out.data() + 8 * device);
    }
    backend::synchronize(backend::stream_of(0));
    const auto answer = downloaded(out, 3 * 8);
    for (unsigned device = 0; device < 3; ++device)
      for (unsigned block = 0; block < device + 2; ++block)
        REQUIRE(answer[8 * device + block] == 3200 * (device + 1) + 10 * (device + 2) + block);
  });
}

TEST_CASE("kernels on several devices hand a value on by a tagged word, in any order") {
  const unsigned count = GENERATE(2U, 3U, 5U);
  for_each_schedule([&] {
    const auto findings = findings_of([&] { REQUIRE(run_ring(count) == count * (count + 1) / 2); });
    REQUIRE(in_words(findings) == "");
  });
}

TEST_CASE("kernels on several devices hand values on by a flag between fences of the system") {
  for_each_schedule([] {
    const auto findings = findings_of([] {
      const auto values = uploaded_to<int>(1, std::vector<int>(halves));
      const auto flag = uploaded_to<unsigned>(1, {0});
      const DeviceArray<int> out(halves);
      for (const unsigned tag : {7U, 9U}) {
        launch_on(0, gather_kernel, {1, halves}, values.data(), flag.data(), tag, out.data());
        launch_on(1, announce_kernel, {1, halves}, values.data(), flag.data(), tag);
        backend::synchronize(backend::stream_of(0));
        const auto answer = downloaded(out, halves);
        for (unsigned k = 0; k < halves; ++k) REQUIRE(answer[k] == static_cast<int>(tag + k));
      }
    });
    REQUIRE(in_words(findings) == "");
  });
}

TEST_CASE("resident grids on several devices meet, each with all its blocks") {
  for_each_schedule([] {
    const auto arrived = uploaded<unsigned>({0});
    constexpr unsigned blocks = 5, count = 3;
    const auto findings = findings_of([&] {
      for (unsigned device = 0; device < count; ++device)
        launch_on(device, meet_all_kernel, {blocks, 64, 0, true}, arrived.data(), blocks * count);
      backend::synchronize(backend::stream_of(0));
    });
    REQUIRE(in_words(findings) == "");
    REQUIRE(downloaded(arrived, 1).front() == blocks * count);
  });
}

TEST_CASE("an ordinary grid of a device never runs all its blocks, though others run beside it") {
  const auto arrived = uploaded<unsigned>({0});
  const Schedule schedule(GENERATE(0, 1, 2));
  for (unsigned device = 0; device < 2; ++device)
    launch_on(device, meet_all_kernel, {3, 64}, arrived.data(), 6U);
  CHECK_THROWS_WITH(backend::synchronize(backend::stream_of(0)), ContainsSubstring("endless wait"));
}

TEST_CASE(
    "a word that nobody writes is one fault, which names the device and the line, and the queues "
    "are empty after it") {
  const auto word = uploaded_to<unsigned>(2, {0});
  const auto value = uploaded<int>({0});
  const Schedule schedule(GENERATE(0, 1, 2));
  launch_on(0, add_kernel, {1, 32}, value.data(), 1);
  launch_on(1, wait_kernel, {2, 32}, word.data());
  launch_on(2, wait_kernel, {1, 64}, word.data());
  launch_on(1, add_kernel, {1, 32}, value.data(), 10);
  CHECK_THROWS_WITH(backend::synchronize(backend::stream_of(1)),
                    ContainsSubstring("devices_test.cpp") && ContainsSubstring("endless wait") &&
                        ContainsSubstring("Device 1, block 0: threads 0-31") &&
                        ContainsSubstring("Device 2, block 0: threads 0-63") &&
                        !ContainsSubstring("Device 0"));
  backend::synchronize(backend::stream_of(1));
  CHECK(downloaded(value, 1).front() == 1);
  CHECK(run_ring(3) == 6);
}

TEST_CASE("a fault names the device where several run") {
  const auto out = uploaded_to<int>(1, {0});
  const auto value = uploaded<int>({0});
  launch_on(0, add_kernel, {1, 32}, value.data(), 1);
  launch_on(1, out_of_bounds_kernel, {1, 1}, out.data());
  CHECK_THROWS_WITH(backend::synchronize(backend::stream_of(0)),
                    ContainsSubstring("device 1, block 0") && ContainsSubstring("out of bounds"));
  CHECK_THROWS_WITH(launch(out_of_bounds_kernel, {1, 1}, {}, out.data()),
                    !ContainsSubstring("device 0"));
}

TEST_CASE("a finding names the device, the block as its grid numbers it, and the kernel") {
  const Schedule schedule(GENERATE(0, 1, 2));
  const auto findings = findings_of([] {
    const auto out = uploaded<int>({0}), other = uploaded<int>({0});
    launch_on(0, add_kernel, {4, 32}, other.data(), 1);
    launch_on(0, last_block_kernel, {3, 32}, out.data());
    launch_on(1, last_block_kernel, {5, 32}, out.data());
    backend::synchronize(backend::stream_of(0));
  });
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings.front().message, ContainsSubstring("device 0, block 2, thread 0 writes") &&
                                           ContainsSubstring("device 1, block 4, thread 0 writes"));
  CHECK_THAT(findings.front().advice, ContainsSubstring("__threadfence_system()"));
  CHECK(findings.front().kernel == "last_block_kernel");
}

TEST_CASE(
    "memory that a kernel takes for constant may be written by the kernels before and after it in "
    "its queue, and by no other") {
  const Schedule schedule(GENERATE(0, 1, 2));
  const auto findings_with = [](unsigned device) {
    return in_words(findings_of([=] {
      const auto value = uploaded<int>({0}), out = uploaded<int>({0});
      launch_on(0, add_kernel, {1, 1}, value.data(), 1);
      if (device != 0) backend::join(2);
      launch_on(0, constant_kernel, {1, 1}, value.data(), out.data());
      launch_on(device, add_kernel, {1, 1}, value.data(), 1);
      backend::synchronize(backend::stream_of(0));
    }));
  };
  CHECK(findings_with(0) == "");
  CHECK_THAT(findings_with(1), ContainsSubstring("__ldg"));
}

TEST_CASE("work is dropped where memory is released while an exception is on its way") {
  const auto value = uploaded<int>({0});
  try {
    const auto out = uploaded<int>({0});
    launch_on(0, add_kernel, {1, 1}, value.data(), 1);
    launch_on(0, out_of_bounds_kernel, {1, 1}, out.data());
    throw std::runtime_error("something else");
  } catch (const std::runtime_error& error) {
    CHECK(error.what() == std::string("something else"));
  }
  CHECK_NOTHROW(backend::synchronize(backend::stream_of(0)));
  CHECK(downloaded(value, 1).front() == 0);
}

TEST_CASE(
    "what stops enqueued work before memory is released is thrown where the host waits next, and "
    "once") {
  const auto out = uploaded<int>({0});
  launch_on(0, out_of_bounds_kernel, {1, 1}, out.data());
  backend::release(backend::allocate(1));
  CHECK_THROWS_WITH(backend::synchronize(backend::stream_of(0)),
                    ContainsSubstring("out of bounds"));
  CHECK_NOTHROW(backend::synchronize(backend::stream_of(0)));
}

TEST_CASE("a launch in the stream of a device that is not in use is refused, as by CUDA") {
  const auto value = uploaded<int>({0});
  launch_on(0, add_kernel, {1, 1}, value.data(), 1);
  CHECK_THROWS_WITH(
      launch(add_kernel, {1, 1}, backend::stream_of(1), value.data(), 1),
      ContainsSubstring("cudaErrorInvalidResourceHandle") && ContainsSubstring("backend::use(1)"));
  backend::synchronize(backend::stream_of(0));  // what was enqueued before is gone
  CHECK(downloaded(value, 1).front() == 0);
  CHECK_THROWS_WITH(backend::use(8), ContainsSubstring("no device 8"));
}

TEST_CASE("bytes in the memory of another device are counted, of kernels and of copies") {
  constexpr unsigned n = 256;
  const auto here = uploaded<int>(counted<int>(n));
  const auto there = uploaded_to<int>(1, counted<int>(n));
  const auto count = uploaded_to<unsigned>(1, {0});
  const auto counts_of = [&](const std::function<void()>& run) {
    return emulated::count([&] {
      run();
      backend::synchronize(backend::stream_of(0));
    });
  };
  constexpr std::size_t bytes = n * sizeof(int);

  const auto read = counts_of([&] {
    launch_on(0, double_kernel, {2, 128}, there.data(), here.data(), n);
  });
  CHECK((read.peer_load_bytes == bytes && read.peer_store_bytes == 0));
  CHECK((read.loads.bytes == bytes && read.stores.bytes == bytes));
  const auto written = counts_of([&] {
    launch_on(1, double_kernel, {2, 128}, there.data(), here.data(), n);
  });
  CHECK((written.peer_load_bytes == 0 && written.peer_store_bytes == bytes));
  const auto none = counts_of([&] {
    launch_on(1, double_kernel, {2, 128}, there.data(), there.data(), n);
  });
  CHECK((none.peer_load_bytes == 0 && none.peer_store_bytes == 0));
  const auto added = counts_of([&] { launch_on(0, count_system_kernel, {2, 32}, count.data()); });
  CHECK((added.peer_load_bytes == 0 && added.peer_store_bytes == 64 * sizeof(unsigned)));
  const auto at_once = counts_of([&] {
    launch(double_kernel, {2, 128}, {}, there.data(), here.data(), n);
  });
  CHECK(at_once.peer_load_bytes == bytes);

  for (const Stream stream : {Stream{}, backend::stream_of(0), backend::stream_of(1)}) {
    const auto copied = counts_of([&] { backend::copy(here.data(), there.data(), bytes, stream); });
    CHECK(
        (copied.peer_load_bytes == 0 && copied.peer_store_bytes == bytes && copied.launches == 0));
    CHECK(counts_of([&] {
            backend::copy(here.data(), here.data() + n / 2, bytes / 2, stream);
          }).peer_store_bytes == 0);
  }
}

TEST_CASE("a collective call moves to each device what the others bring") {
  constexpr unsigned count = 3, n = 10;
  std::vector<DeviceArray<int>> from, to;
  std::vector<backend::Exchange> all;
  for (unsigned device = 0; device < count; ++device) {
    from.push_back(uploaded_to(device, counted<int>(n)));
    to.push_back(uploaded_to<int>(device, std::vector<int>(count * n)));
    all.push_back({from[device].data(), to[device].data()});
  }
  const auto bytes_of = [](const std::function<void()>& call) {
    return emulated::count([&] {
             call();
             backend::synchronize(backend::stream_of(0));
           })
        .peer_store_bytes;
  };
  CHECK(bytes_of([&] { backend::all_gather(all, n * sizeof(int)); }) ==
        count * (count - 1) * n * sizeof(int));
  CHECK(bytes_of([&] { backend::all_reduce(all, n, "i32", "max"); }) ==
        count * (count - 1) * n * sizeof(int));
  CHECK_THROWS_WITH(backend::all_gather(all, (n + 1) * sizeof(int)),
                    ContainsSubstring("all_gather: 44 bytes"));
}

TEST_CASE("counts on several devices are the same under the same seed, and add up") {
  constexpr unsigned n = 256, count = 3;
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const auto run = [&] {
      const Schedule schedule(seed);
      return emulated::count([&] { run_ring(count); });
    };
    const emulated::Counts first = run();
    CHECK(run() == first);
    CHECK(first.launches == 2 * count);
    CHECK(first.blocks == 2 * count);
    // words, and sums
    CHECK(first.peer_store_bytes ==
          2 * ((count - 1) * sizeof(Tagged) + (count - 1) * sizeof(unsigned)));
  }
  const auto in = uploaded<int>(counted<int>(n)), out = uploaded<int>(std::vector<int>(n));
  const auto alone = emulated::count([&] {
    launch(double_kernel, {2, 128}, {}, in.data(), out.data(), n);
  });
  const auto of_both = emulated::count([&] {
    for (unsigned device = 0; device < 2; ++device)
      launch_on(device, double_kernel, {2, 128}, in.data() + device * n / 2,
                out.data() + device * n / 2, n / 2);
    backend::synchronize(backend::stream_of(0));
  });
  CHECK(of_both.loads.requests == alone.loads.requests);
  CHECK(of_both.stores.sectors == alone.stores.sectors);
}

TEST_CASE("under some seed each of two devices begins, and in the regular order the first does") {
  const auto order = [](std::uint64_t seed) {
    const Schedule schedule(seed);
    const auto value = uploaded<int>({0});
    launch_on(0, add_kernel, {1, 1}, value.data(), 1);
    launch_on(1, double_kernel, {1, 1}, value.data(), value.data(), 1U);
    backend::synchronize(backend::stream_of(0));
    return downloaded(value, 1).front();  // 2 where device 0 came first
  };
  CHECK(order(0) == 2);
  std::vector<int> found;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) found.push_back(order(seed));
  CHECK(std::ranges::count(found, 1) > 5);
  CHECK(std::ranges::count(found, 2) > 5);
}

TEST_CASE("many kernels in a queue, each after what the ones before it have learnt") {
  for_each_schedule([] {
    const auto findings = findings_of([] {
      const auto values = uploaded_to<int>(1, std::vector<int>(halves));
      const auto flag = uploaded_to<unsigned>(1, {0});
      const DeviceArray<int> out(halves), twice(halves);
      // before the flag, in another kernel
      launch_on(1, double_kernel, {2, 32}, values.data(), values.data(), halves);
      launch_on(1, announce_kernel, {1, halves}, values.data(), flag.data(), 1U);
      launch_on(0, gather_kernel, {1, halves}, values.data(), flag.data(), 1U, out.data());
      // knows what the kernel before it has read
      launch_on(0, double_kernel, {2, 32}, values.data(), twice.data(), halves);
      launch_on(0, double_kernel, {2, 32}, twice.data(), values.data(), halves);
      backend::copy(out.data(), values.data(), halves * sizeof(int), backend::stream_of(0));
      backend::synchronize(backend::stream_of(0));
      REQUIRE(downloaded(out, halves).back() == 4 * static_cast<int>(halves));
    });
    REQUIRE(in_words(findings) == "");
  });
}
