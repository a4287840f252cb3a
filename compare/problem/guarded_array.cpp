#include "compare/problem/guarded_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <vector>

#include "compare/backend.hpp"
#include "compare/checksum.hpp"

namespace ladder {
namespace {

// On each side: as wide as a block of 1,024 threads that writes an 8-byte partial each. A multiple
// of 256, so that displacement 0 is on a boundary.
constexpr std::size_t usual_guard_bytes = 8192;
constexpr std::byte guard_byte{0x5c};

// A tool that watches every allocation (compute-sanitizer) sees more without guards: it takes them
// for part of the array.
std::size_t guard_bytes() {
  static const std::size_t bytes =
      std::getenv("LADDER_WITHOUT_GUARDS") == nullptr ? usual_guard_bytes : 0;
  return bytes;
}

}  // namespace

GuardedArray::GuardedArray(std::size_t bytes, std::size_t displacement)
    : bytes_(bytes),
      memory_(static_cast<std::byte*>(
          backend::allocate(guard_bytes() + displacement + bytes + guard_bytes()))),
      data_(memory_ + guard_bytes() + displacement) {
  write_guards();
}

GuardedArray::~GuardedArray() {
  backend::release(memory_);
}

void GuardedArray::write_guards() {
  backend::fill(memory_, std::to_integer<unsigned char>(guard_byte),
                static_cast<std::size_t>(data_ - memory_));
  backend::fill(data_ + bytes_, std::to_integer<unsigned char>(guard_byte), guard_bytes());
}

std::span<const std::byte> GuardedArray::whole() const {
  return {memory_, data_ + bytes_ + guard_bytes()};
}

std::array<std::span<const std::byte>, 2> GuardedArray::guards() const {
  return {std::span(data_ - guard_bytes(), guard_bytes()),
          std::span(data_ + bytes_, guard_bytes())};
}

std::uint64_t GuardedArray::checksum_of_guard() {
  static const std::uint64_t sum = [] {
    const std::vector guard(guard_bytes(), guard_byte);
    return checksum_on_host(guard.data(), guard.size());
  }();
  return sum;
}

std::string GuardedArray::damage() {
  std::vector<std::byte> before(guard_bytes()), after(guard_bytes());
  backend::download(before.data(), data_ - guard_bytes(), guard_bytes());
  backend::download(after.data(), data_ + bytes_, guard_bytes());
  const auto damaged = [](std::byte b) { return b != guard_byte; };
  const auto last = std::find_if(before.rbegin(), before.rend(), damaged);
  const auto first = std::ranges::find_if(after, damaged);
  if (last == before.rend() && first == after.end()) return {};

  write_guards();
  if (first != after.end()) return fmt::format("after its end, at byte {}", first - after.begin());
  return fmt::format("before its start, at byte -{}", last - before.rbegin() + 1);
}

}  // namespace ladder
