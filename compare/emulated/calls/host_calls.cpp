#include "compare/emulated/calls/host_calls.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>
#include <vector>

#include "compare/emulated/calls/queues.hpp"
#include "compare/emulated/calls/runtime.hpp"
#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/counting/traffic.hpp"
#include "compare/emulated/memory/arena.hpp"
#include "compare/emulated/memory/source_line.hpp"
#include "compare/emulated/types/memory_access.hpp"
#include "compare/emulated/watching/monitor.hpp"

namespace ladder::emulated {

namespace {

bool is_of_device(const void* array) {
  return arena.contains(address_of(array));
}

void require(const char* name, const void* array, std::size_t bytes, const void* call) {
  if (bytes == 0 || !is_of_device(array) || arena.holds(address_of(array), bytes)) return;
  queues::clear();
  throw KernelFault(fmt::format(
      "{} in {}: out of bounds: {} bytes from {}. Count the bytes of the array for this input.",
      name, source_line(call), bytes, monitor::in_words(address_of(array))));
}

void refuse(const char* name, Stream stream, const void* call) {
  refuse_in_kernel(name, call);
  queues::refuse_no_stream(stream, name, call);
}

void add(Stream stream, Call work) {
  if (queues::is_queue(stream)) queues::add(stream, std::move(work));
  else work();
}

}  // namespace

void copy(const char* name, void* to, const void* from, std::size_t bytes, Stream stream) {
  const void* const call = __builtin_return_address(0);
  refuse(name, stream, call);
  require(name, to, bytes, call);
  require(name, from, bytes, call);
  if (bytes == 0) return;
  if (is_of_device(to) && is_of_device(from)) {
    if (queues::is_queue(stream)) return queues::add(stream, QueuedCopy{to, {from}, bytes, call});
    traffic::copied_by_host(to, from, bytes);
  }
  // what the host has is read now
  std::vector<char> staged;
  if (!is_of_device(from)) {
    staged.resize(bytes);
    std::memcpy(staged.data(), from, bytes);
  }
  add(stream, [=, staged = std::move(staged)] {
    std::memmove(to, staged.empty() ? from : staged.data(), bytes);
    if (is_of_device(to)) checker::written(to, bytes);
  });
}

void fill(const char* name, void* to, int value, std::size_t bytes, Stream stream) {
  const void* const call = __builtin_return_address(0);
  refuse(name, stream, call);
  require(name, to, bytes, call);
  if (bytes == 0) return;
  add(stream, [=] {
    std::memset(to, value, bytes);
    if (is_of_device(to)) checker::written(to, bytes);
  });
}

void* allocate(const char* name, std::size_t bytes, bool on_host) {
  const void* const call = __builtin_return_address(0);
  refuse_in_kernel(name, call);
  queues::refuse_waiting(name, call, "Allocate in the constructor.");
  return on_host ? backend::allocate_on_host(bytes) : backend::allocate(bytes);
}

void release(const char* name, void* array) {
  const void* const call = __builtin_return_address(0);
  refuse_in_kernel(name, call);
  if (array == nullptr) return;
  if (arena.begins(address_of(array))) return backend::release(array);
  queues::throw_later(
      fmt::format("{} in {}, of memory that is not allocated, or no more. Has a copy of an object "
                  "freed it before, in its destructor?",
                  name, source_line(call)));
}

void wait(const char* name, const char* instead) {
  const void* const call = __builtin_return_address(0);
  refuse_in_kernel(name, call);
  if (instead == nullptr) queues::refuse_waiting(name, call);
  else queues::refuse_waiting(name, call, instead);
  backend::synchronize(backend::stream_of(0));
}

}  // namespace ladder::emulated
