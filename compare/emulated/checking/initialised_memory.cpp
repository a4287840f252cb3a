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

void Initialised::mark(Space space, std::uintptr_t address, std::size_t size, bool written) {
  if (space.is_shared) {
    Shared& shared = shared_[space.slot];
    for (std::uintptr_t byte = address; byte < address + size; ++byte)
      page_of(shared, byte)[byte % page_size] = written ? shared.block : 0;
    return;
  }
  std::size_t offset = 0;
  std::vector<bool>* const array = array_at(address, offset);
  if (array == nullptr) return;
  for (std::size_t k = offset; k < std::min(offset + size, array->size()); ++k)
    (*array)[k] = written;
}

Initialised::Page& Initialised::page_of(Shared& shared, std::uintptr_t shared_byte) {
  const std::uintptr_t number = shared_byte / page_size;
  if (shared.last == nullptr || shared.last_number != number) {
    shared.last = &shared.pages[number];
    shared.last_number = number;
  }
  return *shared.last;
}

bool Initialised::all_written(Space space, std::uintptr_t address, std::size_t size) {
  if (space.is_shared) {
    Shared& shared = shared_[space.slot];
    for (std::uintptr_t byte = address; byte < address + size; ++byte)
      if (page_of(shared, byte)[byte % page_size] != shared.block) return false;
    return true;
  }
  std::size_t offset = 0;
  const std::vector<bool>* const array = array_at(address, offset);
  if (array == nullptr) return true;
  for (std::size_t k = offset; k < std::min(offset + size, array->size()); ++k)
    if (!(*array)[k]) return false;
  return true;
}

bool Initialised::any_written(Space space, std::uintptr_t address, std::size_t size) {
  for (std::uintptr_t byte = address; byte < address + size; ++byte)
    if (all_written(space, byte, 1)) return true;
  return false;
}

}  // namespace ladder::emulated
