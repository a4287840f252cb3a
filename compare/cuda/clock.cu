// The clock of the cuda backend. device_result: events around one run that was queued behind a
// blocking kernel, so that the host's launch latency is not in it. host_result: the wall clock
// around the call, until the host holds its result.
#include "compare/worker/backend.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare/cuda/alone_us.hpp"
#include "compare/cuda/check.hpp"
#include "compare/launch.hpp"
#include "reports/numbers/statistics.hpp"

namespace ladder::clock {

namespace {

using gpu::check;

// Holds the stream until *released, or for limit_cycles: a run that waits for the stream on the
// host would otherwise never end.
__global__ void block_stream(const volatile unsigned* released, unsigned* gave_up,
                             long long limit_cycles) {
  const long long start = clock64();
  while (*released == 0) {
    if (clock64() - start > limit_cycles) {
      *gave_up = 1;
      return;
    }
  }
}

// Of the L2 cache, for data that outlasts a flush: a rung that had some would find its input there,
// cold or not.
std::size_t set_aside_bytes() {
  std::size_t bytes = 0;
  if (cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize) == cudaSuccess) return bytes;
  cudaGetLastError();  // the device cannot set any aside
  return 0;
}

// Of a stream, on the device in use.
struct Timed : gpu::Stopwatch {
  explicit Timed(cudaStream_t timed, unsigned its_device = 0) : stream(timed), device(its_device) {
    flush_bytes = 2 * static_cast<std::size_t>(gpu::attribute(cudaDevAttrL2CacheSize));
    check(cudaMalloc(&flush_buffer, flush_bytes));
    if (set_aside_bytes() != 0) check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
  }

  cudaStream_t stream;
  unsigned device;
  void* flush_buffer{};
  std::size_t flush_bytes{};
};

// What every sample needs, made once.
struct Instruments : Timed {
  Instruments() : Timed(gpu::new_stream()) {
    released = static_cast<volatile unsigned*>(backend::allocate_on_host(2 * sizeof(unsigned)));
    check(cudaMalloc(&small_block, sizeof(unsigned)));
    check(cudaMemset(small_block, 0, sizeof(unsigned)));
  }

  // [0]: set by the host; [1]: set by a blocking kernel that gave up
  volatile unsigned* released{};
  // The driver serves small blocks from a larger one that it maps, and unmaps with the last of
  // them. A library call that allocates scratch memory and frees it would pay for both each time,
  // unless the process holds a small block. Most programs hold one, and so does every process here.
  void* small_block{};
};

Instruments& instruments() {
  static auto* made = new Instruments;  // never freed: the context is torn down with the process
  return *made;
}

// Where a run over so many devices enqueues; 0: the stream that it is given.
std::vector<const Timed*> streams_of(unsigned devices) {
  if (devices == 0) return {&instruments()};
  static auto* made = new std::vector<const Timed*>;
  const unsigned here = Team::rank ? 1 : devices;  // the others are of other processes
  if (made->size() < here) {
    const Team team(devices);
    team.each([&](unsigned device, Stream stream) {
      const unsigned number = device - team.first();
      if (number >= made->size()) made->push_back(new Timed(stream, number));
    });
  }
  return {made->begin(), made->begin() + here};
}

// Calls action(stream) for each, with its device in use.
template <class Action>
void for_each(const std::vector<const Timed*>& streams, const Action& action) {
  for (const Timed* stream : streams) {
    if (streams.size() > 1) backend::use(stream->device);
    action(*stream);
  }
  if (streams.size() > 1) backend::use(0);
}

// Holds the streams while `enqueue` puts work into them, so that all of it is there when the first
// of it starts. False where it took longer than `hold`.
[[nodiscard]] bool enqueue_held(const std::vector<const Timed*>& streams, std::chrono::seconds hold,
                                const std::function<void()>& enqueue) {
  constexpr long long cycles_of_a_second = 2'000'000'000;  // about
  const long long limit_cycles = hold.count() * cycles_of_a_second;
  Instruments& with = instruments();
  with.released[0] = 0;
  with.released[1] = 0;
  for_each(streams, [&](const Timed& timed) {
    launch(block_stream, {1, 1}, {timed.stream}, with.released,
           const_cast<unsigned*>(&with.released[1]), limit_cycles);
  });
  try {
    enqueue();
    check(cudaGetLastError());  // a launch that was refused, and that nobody looked at
  } catch (...) {
    with.released[0] = 1;
    throw;
  }
  with.released[0] = 1;
  for_each(streams, [](const Timed& timed) { check(cudaStreamSynchronize(timed.stream)); });
  return with.released[1] == 0;
}

// GPU time of what `enqueue` puts into each stream, until it is done, microseconds. All are let go
// at the same moment. Empty where it was enqueued too late.
std::vector<double> each_us(const std::vector<const Timed*>& streams, std::chrono::seconds hold,
                            const std::function<void()>& enqueue) {
  const bool in_time = enqueue_held(streams, hold, [&] {
    for_each(streams,
             [](const Timed& timed) { check(cudaEventRecord(timed.start, timed.stream)); });
    enqueue();
    for_each(streams, [](const Timed& timed) { check(cudaEventRecord(timed.stop, timed.stream)); });
  });
  std::vector<double> times;
  if (!in_time) return times;
  for (const Timed* timed : streams) times.push_back(timed->us());
  return times;
}

// Of what takes a moment to enqueue: a host that is late is waited for.
double device_us(const Timed& timed, const std::function<void()>& enqueue) {
  for (;;) {
    const std::vector<double> times = each_us({&timed}, std::chrono::seconds(1), enqueue);
    if (!times.empty()) return times.front();
  }
}

double median_us(const std::function<void()>& enqueue) {
  constexpr unsigned samples = 51;
  std::vector<double> times;
  for (unsigned k = 0; k < samples; ++k) times.push_back(device_us(instruments(), enqueue));
  return statistics::median(times);
}

// The same until the host has waited for it and for a copy of four bytes.
double until_host_us(const std::function<void()>& enqueue) {
  constexpr unsigned samples = 200;
  cudaStream_t const stream = instruments().stream;
  std::vector<double> times;
  for (unsigned k = 0; k < samples; ++k) {
    unsigned answer = 0;
    const auto start = std::chrono::steady_clock::now();
    enqueue();
    check(cudaMemcpyAsync(&answer, instruments().small_block, sizeof answer, cudaMemcpyDeviceToHost,
                          stream));
    check(cudaStreamSynchronize(stream));
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
  }
  return statistics::median(times);
}

__global__ void empty_kernel() {}

// Runs that a graph holds, one after the other. Empty where they cannot be captured: a call that
// waits for its stream is none that follows another. The graph begins and ends in the first stream:
// the others wait for it, and it waits for them.
class Batch {
 public:
  Batch(const std::function<void(Stream)>& run, unsigned runs,
        const std::vector<const Timed*>& streams) {
    const Timed& first = *streams.front();
    const auto others = [&](const auto& action) {
      for_each(streams, [&](const Timed& timed) {
        if (&timed != &first) action(timed);
      });
    };
    check(cudaStreamBeginCapture(first.stream, cudaStreamCaptureModeRelaxed));
    bool enqueued = true;
    try {
      if (streams.size() > 1) check(cudaEventRecord(first.start, first.stream));
      others([&](const Timed& timed) { check(cudaStreamWaitEvent(timed.stream, first.start)); });
      for (unsigned k = 0; k < runs; ++k) run({first.stream});
      others([](const Timed& timed) { check(cudaEventRecord(timed.stop, timed.stream)); });
      others([&](const Timed& timed) { check(cudaStreamWaitEvent(first.stream, timed.stop)); });
    } catch (const std::exception&) {
      enqueued = false;
    }
    const bool captured = cudaStreamEndCapture(first.stream, &graph_) == cudaSuccess && enqueued;
    if (!captured || cudaGraphInstantiate(&executable_, graph_, 0) != cudaSuccess)
      executable_ = nullptr;
    cudaGetLastError();  // what was refused is not an error of the next call
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }

  explicit operator bool() const { return executable_ != nullptr; }
  void enqueue(cudaStream_t stream) const { check(cudaGraphLaunch(executable_, stream)); }

 private:
  cudaGraph_t graph_{};
  cudaGraphExec_t executable_{};
};

}  // namespace

Stream stream() {
  return {instruments().stream};
}

void treat_cache(reports::Cache cache, unsigned devices) {
  const auto streams = streams_of(devices);
  for_each(streams, [&](const Timed& timed) {
    if (cache == reports::Cache::cold)
      check(cudaMemsetAsync(timed.flush_buffer, 0, timed.flush_bytes, timed.stream));
  });
  for_each(streams, [](const Timed& timed) { check(cudaStreamSynchronize(timed.stream)); });
}

void inspect() {
  check(cudaGetLastError());
  if (set_aside_bytes() == 0) return;
  check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
  check(cudaCtxResetPersistingL2Cache());
  throw std::runtime_error("leaves L2 lines set aside, so a cold run would hit the cache");
}

std::chrono::steady_clock::time_point now() {
  return std::chrono::steady_clock::now();
}

double alone_us(const std::function<void()>& enqueue) {
  return device_us(instruments(), enqueue);
}

std::optional<double> time_us(Prepared& prepared, Problem& problem, Contract contract,
                              std::chrono::seconds hold, std::vector<double>* of_devices) {
  if (contract == Contract::device_result) {
    const std::vector<double> times =
        each_us(streams_of(prepared.devices()), hold, [&] { prepared.run(stream()); });
    if (times.empty()) return {};
    if (of_devices != nullptr && prepared.devices() > 0) *of_devices = times;
    return std::ranges::max(times);
  }
  const auto start = now();
  prepared.run_to_host(stream(), problem.host_output());
  return std::chrono::duration<double, std::micro>(now() - start).count();
}

std::optional<bool> works_elsewhere(Prepared& prepared, std::chrono::seconds hold,
                                    const std::function<bool()>& is_done) {
  bool done = false;
  const bool in_time = enqueue_held(streams_of(prepared.devices()), hold, [&] {
    prepared.run(stream());
    done = is_done();
  });
  return in_time ? std::optional(done) : std::nullopt;
}

std::optional<double> back_to_back_us(Prepared& prepared, Contract contract) {
  // of under 10 us: what the clock cannot tell is less than a hundredth of all of them
  constexpr unsigned runs = 20;
  if (contract != Contract::device_result || prepared.restores()) return {};
  const auto streams = streams_of(prepared.devices());
  const Timed& first = *streams.front();
  const Batch batch([&](Stream into) { prepared.run(into); }, runs, streams);
  if (!batch) return {};
  batch.enqueue(first.stream);  // the first time it is set up
  return device_us(first, [&] { batch.enqueue(first.stream); }) / runs;
}

std::vector<reports::Overhead> overheads() {
  const auto empty = [] { empty_kernel<<<1, 1, 0, stream()>>>(); };
  const auto of = [](Contract contract, const char* what, double us) {
    return reports::Overhead{reports::Backend::cuda, contract, what, us};
  };
  return {of(Contract::device_result, "no kernel", median_us([] {})),
          of(Contract::device_result, "an empty kernel", median_us(empty)),
          of(Contract::host_result, "an empty kernel", until_host_us(empty))};
}

double resolution_us(Contract contract) {
  return reports::gpu_resolution_us(contract);
}

}  // namespace ladder::clock

namespace ladder::probe {

using gpu::check;

std::vector<Contract> contracts() {
  return {Contract::device_result, Contract::host_result};
}

bool replay(Prepared& prepared, unsigned runs, unsigned replays,
            const std::function<void()>& before, const std::function<void()>& after) {
  const auto streams = clock::streams_of(prepared.devices());
  cudaStream_t const stream = streams.front()->stream;
  const auto run = [&](Stream into) {
    prepared.restore(into);
    prepared.run(into);
  };
  const clock::Batch batch(run, runs, streams);
  if (!batch) return false;
  for (unsigned k = 0; k < replays; ++k) {
    before();
    batch.enqueue(stream);
    check(cudaStreamSynchronize(stream));
    after();
  }
  return true;
}

namespace {

__global__ void invert(std::byte* bytes, std::size_t count, unsigned late_by_ns) {
  let_next_launch_begin();
  if (late_by_ns > 0) __nanosleep(late_by_ns);
  for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count;
       k += std::size_t{gridDim.x} * blockDim.x)
    bytes[k] = ~bytes[k];
}

}  // namespace

void run_together(const std::vector<Instance>& instances, unsigned runs) {
  // a device has one stream
  if (instances.front().prepared.devices() > 0) return take_turns(instances, runs);
  constexpr unsigned late_by_ns = 20'000;
  constexpr std::chrono::seconds hold(30);  // nothing is timed: a busy machine may take its time
  const clock::Instruments& with = clock::instruments();
  static std::vector<cudaStream_t> streams{with.stream};
  while (streams.size() < instances.size()) streams.push_back(gpu::new_stream());
  const bool in_time = clock::enqueue_held({&with}, hold, [&] {
    check(cudaEventRecord(with.start, with.stream));
    // so that all begin at once
    for (cudaStream_t const stream : streams) check(cudaStreamWaitEvent(stream, with.start));
    for (unsigned k = 0; k < runs; ++k) {
      for (std::size_t one = 0; one < instances.size(); ++one)
        instances[one].prepared.restore({streams[one]});
      for (std::size_t one = 0; one < instances.size(); ++one) {
        for (const unsigned late_by : {0U, late_by_ns})
          for (const auto input : instances[one].inputs)
            invert<<<64, 256, 0, streams[one]>>>(input.data(), input.size(), late_by);
        instances[one].prepared.run({streams[one]});
      }
    }
  });
  for (cudaStream_t const stream : streams) check(cudaStreamSynchronize(stream));
  if (!in_time)
    throw std::runtime_error("waits for its stream on the host, or takes over 30 s to enqueue");
}

}  // namespace ladder::probe
