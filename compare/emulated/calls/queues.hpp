// The queues of the devices. What is in them runs when the host waits for it: all queues together,
// for the work of one may wait for that of another.
#pragma once

#include <array>
#include <exception>

#include "compare/backend.hpp"
#include "compare/emulated/machine/queued_work.hpp"

namespace ladder::emulated {

class Queues {
 public:
  Stream stream_of(unsigned device) { return {&queues_.at(device)}; }
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

  std::array<Queue, most_devices> queues_{};
  unsigned joins_ = 0;
  std::exception_ptr thrown_;
};

extern Queues queues;

}  // namespace ladder::emulated
