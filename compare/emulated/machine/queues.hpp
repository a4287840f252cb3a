// What is enqueued for the devices. It runs when the host waits for it: all queues together, for
// the work of one may wait for that of another.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "compare/backend.hpp"
#include "compare/emulated/calls/runtime.hpp"

namespace ladder::emulated {

struct Launch {
  Grid grid{};
  // what grid.bound points to; nothing where that outlives the grid
  std::shared_ptr<const void> arguments = {};
  std::shared_ptr<void> barrier = {};  // likewise grid.barrier
};
// Puts to[i] op from[i] in place of to[i], of so many bytes in all.
using Combine = void (*)(void* to, const void* from, std::size_t bytes);

// Of as many places as there are: the first is copied, each of the others is combined with what is
// there.
struct QueuedCopy {
  void* to;
  std::vector<const void*> from;
  std::size_t bytes;
  const void* instruction;  // the call returns there
  Combine combine = nullptr;
};
// Devices 0 to `devices` - 1 go on when all of them have come to it.
struct Join {
  unsigned devices, number;
};
// Something that the host does when it is its turn.
using Call = std::function<void()>;
using Work = std::variant<Launch, QueuedCopy, Join, Call>;

// The work of one device, one after the other.
struct Queue {
  unsigned device;
  std::vector<Work> work;
};

class Queues {
 public:
  Stream stream_of(unsigned device);
  // throws KernelFault where it is not that of the device in use
  void refuse_other_device(Stream stream) const;
  // without a queue it runs at once, on the device in use
  void add(Stream stream, Work work);
  void join(unsigned devices);
  void run();  // until all are empty; after a fault they are empty too
  void clear();
  // Memory is about to be released that enqueued work may use. What stops that work is thrown by
  // the next run().
  void run_before_release() noexcept;

  unsigned in_use = 0;  // this device

 private:
  unsigned device_of(Stream stream) const {
    return static_cast<unsigned>(static_cast<Queue*>(stream.handle) - queues_.data());
  }
  bool empty() const;

  std::array<Queue, most_devices> queues_{};
  unsigned joins_ = 0;
  std::exception_ptr thrown_;
};

extern Queues queues;

}  // namespace ladder::emulated
