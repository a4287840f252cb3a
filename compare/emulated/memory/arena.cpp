#include "compare/emulated/memory/arena.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

Arena arena;

// Half of the machine's memory, or less where this process may not have as many addresses: the
// other half is for the host's copies of the same arrays.
Arena::Arena()
    : capacity_(static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
      allocations_(1) {
  void* both = MAP_FAILED;
  while (both == MAP_FAILED && capacity_ > 0) {
    capacity_ = capacity_ / 2 / granule * granule;
    both = mmap(nullptr, 2 * capacity_, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (capacity_ == 0) return;
  base_ = address_of(both);
  munmap(static_cast<std::byte*>(both) + capacity_, capacity_);
  owners_.resize(capacity_ / granule);
}

std::size_t Arena::granules_for(std::size_t bytes) {
  return std::max<std::size_t>(1, (bytes + granule - 1) / granule);
}

void* Arena::allocate(std::size_t bytes, unsigned device) {
  if (bytes > capacity_) return nullptr;
  const std::size_t owned = granules_for(bytes);
  const std::size_t wanted = owned + 1;  // with the guard behind it

  std::size_t free_run = 0;
  for (std::size_t k = 0; k < owners_.size(); ++k) {
    // the first one, for what lies before an array
    const bool guard = k == 0 || (owners_[k] == 0 && owners_[k - 1] != 0);
    free_run = owners_[k] == 0 && !guard ? free_run + 1 : 0;
    if (free_run < wanted) continue;

    const std::size_t first = k + 1 - wanted;
    auto slot = std::find_if(allocations_.begin() + 1, allocations_.end(),
                             [](const Allocation& a) { return a.begin == 0; });
    if (slot == allocations_.end()) slot = allocations_.emplace(slot);
    slot->begin = base_ + first * granule;
    slot->end = slot->begin + bytes;
    slot->device = device;
    std::fill_n(&owners_[first], owned, static_cast<std::uint32_t>(slot - allocations_.begin()));
    allocated_ += bytes;
    if (device > 0) ++elsewhere_;
    void* const pointer = reinterpret_cast<void*>(slot->begin);
    std::memset(pointer, 0xff, bytes);
    return pointer;
  }
  return nullptr;
}

void Arena::release(void* pointer) {
  const auto address = address_of(pointer);
  if (!begins(address))
    throw std::invalid_argument("released a pointer that allocate did not return");
  const std::uint32_t owner = owners_[(address - base_) / granule];
  const std::size_t bytes = allocations_[owner].end - address;
  std::fill_n(&owners_[(address - base_) / granule], granules_for(bytes), 0);
  allocated_ -= bytes;
  if (allocations_[owner].device > 0) --elsewhere_;
  allocations_[owner] = {};
}

// As cudaMemcpy refuses what is not device memory.
void Arena::require(const void* pointer, std::size_t bytes, const char* call) const {
  if (bytes == 0 || holds(address_of(pointer), bytes)) return;
  throw std::invalid_argument(
      fmt::format("{}: {} bytes at {} are not within one allocation of device memory.", call, bytes,
                  fmt::ptr(pointer)));
}

const Allocation* Arena::nearest(std::uintptr_t address) const {
  const Allocation* before = nullptr;
  const Allocation* after = nullptr;
  for (const Allocation& a : allocations_) {
    if (a.begin == 0) continue;
    if (a.begin <= address && (before == nullptr || a.begin > before->begin)) before = &a;
    if (a.begin > address && (after == nullptr || a.begin < after->begin)) after = &a;
  }
  if (before == nullptr || after == nullptr) return before != nullptr ? before : after;
  return address < before->end || address - before->end < after->begin - address ? before : after;
}

}  // namespace ladder::emulated
