#include "compare/worker/guarded_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compare/backend.hpp"

namespace ladder {
namespace {

// On each side: as wide as a block of 1,024 threads that writes an 8-byte partial each. A multiple of 256, so that displacement 0 is on a boundary.
constexpr std::size_t guard_bytes = 8192;
constexpr std::byte guard_byte{0x5c};

}  // namespace

GuardedArray::GuardedArray(std::size_t bytes, std::size_t displacement)
    : bytes_(bytes),
      memory_(static_cast<std::byte*>(backend::allocate(guard_bytes + displacement + bytes + guard_bytes))),
      data_(memory_ + guard_bytes + displacement) {
  write_guards();
}

GuardedArray::~GuardedArray() {
  backend::release(memory_);
}

void GuardedArray::write_guards() {
  backend::fill(data_ - guard_bytes, std::to_integer<unsigned char>(guard_byte), guard_bytes);
  backend::fill(data_ + bytes_, std::to_integer<unsigned char>(guard_byte), guard_bytes);
}

std::string GuardedArray::damage() const {
  std::array<std::byte, guard_bytes> guard;
  const auto damaged = [](std::byte b) { return b != guard_byte; };

  backend::download(guard.data(), data_ + bytes_, guard_bytes);
  if (const auto found = std::ranges::find_if(guard, damaged); found != guard.end())
    return fmt::format("after its end, at byte {}", found - guard.begin());

  backend::download(guard.data(), data_ - guard_bytes, guard_bytes);
  if (const auto found = std::find_if(guard.rbegin(), guard.rend(), damaged); found != guard.rend())
    return fmt::format("before its start, at byte -{}", found - guard.rbegin() + 1);
  return {};
}

}  // namespace ladder
