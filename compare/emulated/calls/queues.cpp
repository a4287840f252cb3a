#include "compare/emulated/calls/queues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "compare/emulated/calls/asynchronous_copies.hpp"
#include "compare/emulated/calls/faults.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated::queues {

unsigned device_in_use = 0;

namespace {

std::array<Queue, most_devices> of_devices{};
unsigned joins = 0;
std::exception_ptr thrown;

unsigned device_of(Stream stream) {
  return static_cast<unsigned>(static_cast<Queue*>(stream.handle) - of_devices.data());
}

// Who watches: whoever counts or checks comes last, when memory is ready.
void run_watched(std::vector<Queue> work) {
  std::vector<Observer*> observers{&monitor::observer(), &asynchronous_copies()};
  if (traffic::active()) observers.push_back(&traffic::observer());
  if (checker::active()) observers.push_back(&checker::observer());
  scheduler::run(std::move(work), std::move(observers), describe);
}

// Until all are empty; after a fault they are empty too.
void run() {
  if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  std::vector<Queue> all;
  for (unsigned device = 0; device < most_devices; ++device)
    if (auto& work = of_devices[device].work; !work.empty())
      all.push_back({device, std::exchange(work, {})});
  if (!all.empty()) run_watched(std::move(all));
}

}  // namespace

// In CUDA's words.
void refuse_other_device(Stream stream) {
  if (!is_queue(stream) || device_of(stream) == device_in_use) return;
  throw KernelFault(
      fmt::format("invalid resource handle (cudaErrorInvalidResourceHandle): a launch in the "
                  "stream of device {}, while device {} is in use. Call "
                  "backend::use({}) before the launch.",
                  device_of(stream), device_in_use, device_of(stream)));
}

void refuse_no_stream(Stream stream, const char* what, const void* call) {
  if (!Enqueuing::now || stream.handle != nullptr) return;
  clear();
  throw KernelFault(fmt::format(
      "{} without a stream, in {}. A GPU does it beside the work in the stream that the "
      "rung is given, and can neither time nor capture it. Name that stream, as in "
      "kernel<<<grid, block, bytes, stream>>>(..).",
      what, source_line(call)));
}

void refuse_waiting(const char* what, const void* call, const char* instead) {
  if (!Enqueuing::now) return;
  clear();
  throw KernelFault(
      fmt::format("{} in {}, while a run is enqueued. The host waits there, so a GPU can neither "
                  "time nor capture the run. {}",
                  what, source_line(call), instead));
}

bool is_queue(Stream stream) {
  return stream.handle != nullptr && stream.handle != Enqueuing::own_stream().handle;
}

void add(Stream stream, Work work) {
  if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  if (is_queue(stream)) {
    of_devices[device_of(stream)].work.push_back(std::move(work));
    return;
  }
  std::vector<Queue> alone(1, {device_in_use, {}});
  alone.front().work.push_back(std::move(work));
  run_watched(std::move(alone));
}

void clear() {
  thrown = nullptr;
  // what it has allocated is released when the queues are empty
  const auto dropped = std::exchange(of_devices, {});
}

void throw_later(const std::string& message) {
  thrown = std::make_exception_ptr(KernelFault(message));
}

void run_before_release() noexcept {
  if (std::ranges::all_of(of_devices, [](const Queue& queue) { return queue.work.empty(); }))
    return;
  if (std::uncaught_exceptions() > 0) {  // nobody will wait for this work
    clear();
    return;
  }
  try {
    run();
  } catch (...) {
    thrown = std::current_exception();
  }
}

}  // namespace ladder::emulated::queues

namespace ladder::backend {

using namespace emulated::queues;

void use(unsigned device) {
  if (device >= devices())
    throw std::invalid_argument(
        fmt::format("use: there is no device {}; the last one is {}.", device, devices() - 1));
  device_in_use = device;
}

Stream stream_of(unsigned device) {
  return {&of_devices.at(device)};
}

void synchronize(Stream stream) {
  refuse_waiting("synchronize()", __builtin_return_address(0));
  if (is_queue(stream)) run();
}

void join(unsigned count) {
  for (unsigned device = 0; device < count; ++device)
    of_devices.at(device).work.emplace_back(emulated::Join{count, joins});
  ++joins;
}

}  // namespace ladder::backend
