#include "compare/tests/verifier/backend.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/backend.hpp"
#include "compare/checksum.hpp"
#include "compare/worker/backend.hpp"

namespace ladder {

std::size_t tests::device_bytes = std::numeric_limits<std::size_t>::max();
std::uint64_t tests::schedule = 0;
bool tests::can_capture = true;
bool tests::are_held = false;
std::size_t tests::fetched_bytes = 0;
unsigned tests::questions = 0;
std::function<void()> tests::before_download;

namespace backend {
namespace {

constexpr std::align_val_t alignment{256};

}  // namespace

std::string_view name() {
  return "test";
}

void* allocate(std::size_t bytes) {
  if (bytes > tests::device_bytes) throw OutOfMemory(std::to_string(bytes) + " bytes do not fit");
  return ::operator new(bytes, alignment);
}

void* allocate_on_host(std::size_t bytes) {
  return allocate(bytes);
}

void release(void* pointer) noexcept {
  ::operator delete(pointer, alignment);
}

void upload(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);  // it takes no null pointers
}

void download(void* to, const void* from, std::size_t bytes, Stream) {
  if (tests::before_download) tests::before_download();
  ++tests::questions;
  tests::fetched_bytes += bytes;
  if (bytes > 0) std::memcpy(to, from, bytes);  // it takes no null pointers
}

void fill(void* to, unsigned char value, std::size_t bytes) {
  if (bytes > 0) std::memset(to, value, bytes);
}

void copy(void* to, const void* from, std::size_t bytes, Stream) {
  if (bytes > 0) std::memcpy(to, from, bytes);  // it takes no null pointers
}

void synchronize(Stream) {}

std::vector<std::uint64_t> checksums(std::span<const Bytes> arrays) {
  ++tests::questions;
  return checksums_on_host(arrays);
}

unsigned devices() {
  return 3;
}

void use(unsigned) {}

Stream stream_of(unsigned) {
  return {};
}

void join(unsigned) {}

bool is_host_memory() {
  return false;
}

unsigned multiprocessors() {
  return 1;
}

}  // namespace backend

namespace probe {

void set_schedule(std::uint64_t schedule) {
  tests::schedule = schedule;
}

std::optional<std::uint64_t> count_joins(const std::function<void()>& run) {
  run();
  return std::nullopt;
}

bool replay(Prepared& prepared, unsigned runs, unsigned replays,
            const std::function<void()>& before, const std::function<void()>& after) {
  if (!tests::can_capture) return false;
  for (unsigned replay = 0; replay < replays; ++replay) {
    before();
    for (unsigned k = 0; k < runs; ++k) prepared.run({});
    after();
  }
  return true;
}

void run_together(const std::vector<Instance>& instances, unsigned runs) {
  tests::are_held = true;
  take_turns(instances, runs);
  tests::are_held = false;
}

}  // namespace probe
}  // namespace ladder
