#include "compare/emulated/checking/initialised_memory.hpp"

#include <algorithm>

namespace ladder::emulated {

std::vector<bool>* Initialised::array_at(std::uintptr_t address, std::size_t& offset) {
  if (last_ == nullptr || address - last_->first >= last_->second.size()) {
    auto array = global_.upper_bound(address);
    if (array == global_.begin()) return nullptr;
    last_ = &*--array;  // a map's elements stay where they are
  }
  offset = address - last_->first;
  return offset < last_->second.size() ? &last_->second : nullptr;
}

Initialised::Page& Initialised::page_of(Shared& shared, std::uintptr_t shared_byte) {
  const std::uintptr_t number = shared_byte / page_size;
  if (shared.last == nullptr || shared.last_number != number) {
    shared.last = &shared.pages[number];
    shared.last_number = number;
  }
  return *shared.last;
}

// Stops at the first byte that visit(byte, its written value) says no to.
template <class Visit>
bool Initialised::each_byte(Space space, std::uintptr_t address, std::size_t size,
                            const Visit& visit) {
  if (space.is_shared) {
    Shared& shared = shared_[space.slot];
    for (std::uintptr_t byte = address; byte < address + size; ++byte)
      if (!visit(page_of(shared, byte)[byte % page_size], shared.block)) return false;
    return true;
  }
  std::size_t offset = 0;
  std::vector<bool>* const array = array_at(address, offset);
  if (array == nullptr) return true;
  for (std::size_t k = offset; k < std::min(offset + size, array->size()); ++k)
    if (!visit((*array)[k], true)) return false;
  return true;
}

void Initialised::mark(Space space, std::uintptr_t address, std::size_t size, bool written) {
  each_byte(space, address, size, [&](auto&& byte, auto value) {
    byte = written ? value : 0;
    return true;
  });
}

bool Initialised::all_written(Space space, std::uintptr_t address, std::size_t size) {
  return each_byte(space, address, size, [](auto&& byte, auto value) { return byte == value; });
}

bool Initialised::any_written(Space space, std::uintptr_t address, std::size_t size) {
  for (std::uintptr_t byte = address; byte < address + size; ++byte)
    if (all_written(space, byte, 1)) return true;
  return false;
}

}  // namespace ladder::emulated
