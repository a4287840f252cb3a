// The queues of the devices. What is in them runs when the host waits for it: all queues together,
// for the work of one may wait for that of another.
#pragma once

#include <string>

#include "compare/backend.hpp"
#include "compare/emulated/machine/queued_work.hpp"

namespace ladder::emulated::queues {

extern unsigned device_in_use;

// throws KernelFault where it is not that of the device in use
void refuse_other_device(Stream stream);
// Throw KernelFault where a rung that enqueues a run (Enqueuing) names no stream, or waits. `call`
// returns to the line that does.
void refuse_no_stream(Stream stream, const char* what, const void* call);
void refuse_waiting(const char* what, const void* call,
                    const char* instead =
                        "Remove it, or move it to the constructor or to to_host(): work in one "
                        "stream is in order without it.");
// without a queue it runs at once, on the device in use
bool is_queue(Stream stream);
void add(Stream stream, Work work);
void clear();
// Throws KernelFault with this message when work is added or waited for the next time: what found
// it may not throw.
void throw_later(const std::string& message);
// Memory is about to be released that enqueued work may use. What stops that work is thrown when
// the host waits the next time.
void run_before_release() noexcept;

}  // namespace ladder::emulated::queues
