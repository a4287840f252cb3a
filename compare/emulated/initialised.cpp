#include "compare/emulated/initialised.hpp"

#include <algorithm>

namespace ladder::emulated {

std::vector<bool>* Initialised::array_at(std::uintptr_t address, std::size_t& offset) {
  auto array = global_.upper_bound(address);
  if (array == global_.begin()) return nullptr;
  --array;
  offset = address - array->first;
  return offset < array->second.size() ? &array->second : nullptr;
}

void Initialised::mark_global(std::uintptr_t address, std::size_t size, bool written) {
  std::size_t offset = 0;
  std::vector<bool>* const array = array_at(address, offset);
  if (array == nullptr) return;
  for (std::size_t k = offset; k < std::min(offset + size, array->size()); ++k) (*array)[k] = written;
}

bool Initialised::is_global(std::uintptr_t address, std::size_t size) {
  std::size_t offset = 0;
  const std::vector<bool>* const array = array_at(address, offset);
  if (array == nullptr) return true;
  for (std::size_t k = offset; k < std::min(offset + size, array->size()); ++k)
    if (!(*array)[k]) return false;
  return true;
}

void Initialised::written_shared(std::uintptr_t address, std::size_t size) {
  for (std::uintptr_t byte = address; byte < address + size; ++byte) {
    std::vector<std::uint32_t>& page = running_.pages[byte / page_size];
    page.resize(page_size);
    page[byte % page_size] = running_.number;
  }
}

bool Initialised::is_shared(std::uintptr_t address, std::size_t size) {
  for (std::uintptr_t byte = address; byte < address + size; ++byte) {
    const auto page = running_.pages.find(byte / page_size);
    if (page == running_.pages.end() || page->second[byte % page_size] != running_.number) return false;
  }
  return true;
}

}  // namespace ladder::emulated
