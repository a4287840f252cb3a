#include "compare/emulated/memory/shared_memory.hpp"

#include <cstring>

namespace ladder::emulated {

SharedMemory shared_memory;

void SharedMemory::begin_block(unsigned slot, std::size_t dynamic_bytes) {
  slot_ = slot;
  while (dynamic_.size() <= slot) dynamic_.push_back(std::make_unique_for_overwrite<Dynamic>());
  std::memset(dynamic_[slot]->bytes, 0xff, dynamic_bytes);  // never what the last block left there
  statics.begin_block(slot);
}

void SharedMemory::select(unsigned slot) {
  slot_ = slot;
  statics.select(slot);
}

std::optional<Location> SharedMemory::locate(std::uintptr_t address, bool of_others) const {
  const auto is_dynamic_of = [&](unsigned slot) {
    return address - dynamic(slot) < most_shared_bytes;
  };
  if (is_dynamic_of(slot_) || statics.contains(address)) return Location{{slot_}, address};
  if (!of_others) return {};
  for (unsigned slot = 0; slot < dynamic_.size(); ++slot)
    if (is_dynamic_of(slot)) return Location{{slot}, address};
  return statics.of_image(address);
}

void* SharedMemory::at(const Location& location) {
  if (location.space.is_shared() && statics.contains(location.address))
    return statics.contents(location.space.slot, location.address);
  return reinterpret_cast<void*>(location.address);
}

void* SharedMemory::reached_at(unsigned slot, const Location& location) {
  const auto& [space, address] = location;
  if (!statics.contains(address))
    return reinterpret_cast<void*>(address - dynamic(space.slot) + dynamic(slot));
  return slot == slot_ ? reinterpret_cast<void*>(address) : statics.image(slot, address);
}

}  // namespace ladder::emulated
