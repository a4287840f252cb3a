#include "compare/worker/problem.hpp"

namespace ladder {

namespace {

constexpr std::size_t guard_bytes = 256;  // on each side; wider than any vector store
constexpr unsigned char guard_byte = 0x5c;

bool is_guard(const std::byte* device_memory, std::size_t bytes) {
  std::vector<std::byte> held(bytes);
  backend::download(held.data(), device_memory, bytes);
  return std::ranges::all_of(held, [](std::byte b) { return b == std::byte{guard_byte}; });
}

}  // namespace

GuardedArray::GuardedArray(std::size_t bytes, std::size_t displacement)
    : bytes_(bytes), displacement_(displacement), memory_(static_cast<std::byte*>(backend::allocate(displacement + bytes + 2 * guard_bytes))) {
  write_guards();
}

GuardedArray::~GuardedArray() {
  backend::release(memory_);
}

std::byte* GuardedArray::data() const {
  return memory_ + guard_bytes + displacement_;
}

void GuardedArray::write_guards() {
  backend::fill(memory_, guard_byte, guard_bytes + displacement_);
  backend::fill(data() + bytes_, guard_byte, guard_bytes);
}

bool GuardedArray::guards_hold() const {
  return is_guard(memory_, guard_bytes + displacement_) && is_guard(data() + bytes_, guard_bytes);
}

WatchedInput::WatchedInput(const void* values, std::size_t bytes, std::size_t displacement) : array_(bytes, displacement), original_(bytes) {
  if (bytes > 0) std::memcpy(original_.data(), values, bytes);
  backend::upload(array_.data(), original_.data(), bytes);
}

std::string WatchedInput::complaint() const {
  if (!array_.guards_hold()) return "wrote beside its input";
  std::vector<std::byte> held(original_.size());
  backend::download(held.data(), array_.data(), held.size());
  return held == original_ ? "" : "modified its input";
}

}  // namespace ladder
