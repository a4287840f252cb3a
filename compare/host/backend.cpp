// The memory of the host backend: ordinary memory.
#include "compare/backend.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <cstdlib>
#include <cstring>

#include "compare/checksum.hpp"
#include "compare/system.hpp"

namespace ladder::backend {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t page = 4096;

}  // namespace

std::string_view name() {
  return "host";
}

void* allocate(std::size_t bytes) {
  // A sixteenth stays free, for everything else that runs here.
  const std::uint64_t available = host::available_memory() / 16 * 15;
  void* pointer = nullptr;
  if (bytes <= available)
    pointer = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  if (pointer == nullptr)
    throw OutOfMemory(fmt::format("needs {} bytes of memory, {} are free", bytes, available));

  // Touched at once, by all cores: no timed run pays for page faults, each memory controller gets
  // its share, and the next call sees what is left.
  auto* const first = static_cast<unsigned char*>(pointer);
  tbb::parallel_for(
      std::size_t{0}, (bytes + page - 1) / page, [first](std::size_t i) { first[i * page] = 0; },
      tbb::static_partitioner());
  return pointer;
}

void* allocate_on_host(std::size_t bytes) {
  return allocate(bytes);
}

void release(void* pointer) noexcept {
  std::free(pointer);
}

void upload(void* to, const void* from, std::size_t bytes) {
  // memcpy allows neither null pointers nor the same place
  if (bytes > 0 && to != from) std::memcpy(to, from, bytes);
}

void download(void* to, const void* from, std::size_t bytes, Stream) {
  upload(to, from, bytes);
}

void fill(void* to, unsigned char value, std::size_t bytes) {
  if (bytes > 0) std::memset(to, value, bytes);
}

void copy(void* to, const void* from, std::size_t bytes, Stream) {
  upload(to, from, bytes);
}

void synchronize(Stream) {}

std::vector<std::uint64_t> checksums(std::span<const Bytes> arrays) {
  return checksums_on_host(arrays);
}

unsigned devices() {
  return 1;
}

void use(unsigned) {}

Stream stream_of(unsigned) {
  return {};
}

void join(unsigned) {}

bool is_host_memory() {
  return true;
}

unsigned multiprocessors() {
  return host::cores();
}

}  // namespace ladder::backend
