// The memory of the emulated backend. Work without a queue is complete on return.
#include "compare/backend.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "compare/checksum.hpp"
#include "compare/emulated/calls/multiprocessors.hpp"
#include "compare/emulated/calls/queues.hpp"
#include "compare/emulated/checking/checker.hpp"
#include "compare/emulated/counting/traffic.hpp"
#include "compare/emulated/memory/arena.hpp"

namespace ladder::backend {

namespace {

using emulated::arena;
namespace checker = emulated::checker;
namespace queues = emulated::queues;

unsigned asked_multiprocessors = 0;

}  // namespace

std::string_view name() {
  return "emulated";
}

void* allocate(std::size_t bytes) {
  void* const pointer = arena.allocate(bytes, queues::device_in_use);
  if (pointer == nullptr) {
    throw OutOfMemory(
        fmt::format("needs {} bytes of emulated device memory, {} of {} are free; there is half of "
                    "this machine's memory at most",
                    bytes, arena.capacity() - arena.allocated(), arena.capacity()));
  }
  checker::allocated(pointer, bytes);
  return pointer;
}

void* allocate_on_host(std::size_t bytes) {
  return allocate(bytes);
}

void release(void* pointer) noexcept {
  if (pointer == nullptr) return;
  queues::run_before_release();
  checker::released(pointer);
  arena.release(pointer);
}

void upload(void* to, const void* from, std::size_t bytes) {
  queues::refuse_waiting("upload()", __builtin_return_address(0));
  arena.require(to, bytes, "upload");
  if (bytes > 0) std::memcpy(to, from, bytes);
  checker::written(to, bytes);
}

void download(void* to, const void* from, std::size_t bytes, Stream stream) {
  queues::refuse_waiting("download()", __builtin_return_address(0));
  arena.require(from, bytes, "download");
  synchronize(stream);
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void fill(void* to, unsigned char value, std::size_t bytes) {
  queues::refuse_waiting("fill()", __builtin_return_address(0));
  arena.require(to, bytes, "fill");
  if (bytes > 0) std::memset(to, value, bytes);
  checker::written(to, bytes);
}

void copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  arena.require(to, bytes, "copy, destination");
  arena.require(from, bytes, "copy, source");
  queues::refuse_no_stream(stream, "a copy", __builtin_return_address(0));
  if (bytes == 0) return;
  if (queues::is_queue(stream)) {
    queues::add(stream, emulated::QueuedCopy{to, {from}, bytes, __builtin_return_address(0)});
    return;
  }
  std::memcpy(to, from, bytes);
  checker::written(to, bytes);
  emulated::traffic::copied_by_host(to, from, bytes);
}

std::vector<std::uint64_t> checksums(std::span<const Bytes> arrays) {
  for (const Bytes array : arrays) arena.require(array.data(), array.size(), "checksum");
  return checksums_on_host(arrays);
}

unsigned devices() {
  return most_devices;
}

bool is_host_memory() {
  return false;
}

// What kernels that fill the machine ask for. As many as an H200 has, so that counts are of the
// same grids; tests and checks ask for few, so that loops over a grid go round at sizes that they
// can afford.
unsigned multiprocessors() {
  constexpr unsigned of_an_h200 = 132;
  static const unsigned usual =
      std::getenv("LADDER_FEW_MULTIPROCESSORS") == nullptr ? of_an_h200 : 8;
  return asked_multiprocessors == 0 ? usual : asked_multiprocessors;
}

}  // namespace ladder::backend

namespace ladder::emulated {

void set_multiprocessors(unsigned count) {
  backend::asked_multiprocessors = count;
}

}  // namespace ladder::emulated
