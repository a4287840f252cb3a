#include "compare/emulated/calls/queues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compare/emulated/calls/asynchronous_copies.hpp"
#include "compare/emulated/calls/faults.hpp"
#include "compare/emulated/machine/scheduler.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated {

Queues queues;

namespace {

// Who watches: whoever counts or checks comes last, when memory is ready.
void run_watched(std::vector<Queue> work) {
  std::vector<Observer*> observers{&monitor::observer(), &asynchronous_copies()};
  if (traffic.active()) observers.push_back(&traffic);
  if (checker.active()) observers.push_back(&checker);
  scheduler.run(std::move(work), std::move(observers), describe);
}

}  // namespace

// In CUDA's words.
void Queues::refuse_other_device(Stream stream) const {
  if (stream.handle == nullptr || device_of(stream) == in_use) return;
  throw KernelFault(
      fmt::format("invalid resource handle (cudaErrorInvalidResourceHandle): a launch in the "
                  "stream of device {}, while device {} is in use. Call "
                  "backend::use({}) before the launch.",
                  device_of(stream), in_use, device_of(stream)));
}

void Queues::add(Stream stream, Work work) {
  if (stream.handle != nullptr) {
    queues_[device_of(stream)].work.push_back(std::move(work));
    return;
  }
  std::vector<Queue> alone(1, {in_use, {}});
  alone.front().work.push_back(std::move(work));
  run_watched(std::move(alone));
}

void Queues::join(unsigned devices) {
  for (unsigned device = 0; device < devices; ++device)
    queues_.at(device).work.emplace_back(Join{devices, joins_});
  ++joins_;
}

void Queues::run() {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  std::vector<Queue> all;
  for (unsigned device = 0; device < most_devices; ++device)
    if (auto& work = queues_[device].work; !work.empty())
      all.push_back({device, std::exchange(work, {})});
  if (!all.empty()) run_watched(std::move(all));
}

void Queues::clear() {
  thrown_ = nullptr;
  // what it has allocated is released when the queues are empty
  const auto dropped = std::exchange(queues_, {});
}

void Queues::run_before_release() noexcept {
  if (std::ranges::all_of(queues_, [](const Queue& queue) { return queue.work.empty(); })) return;
  if (std::uncaught_exceptions() > 0) {  // nobody will wait for this work
    clear();
    return;
  }
  try {
    run();
  } catch (...) {
    thrown_ = std::current_exception();
  }
}

}  // namespace ladder::emulated
