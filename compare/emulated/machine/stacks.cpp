#include "compare/emulated/machine/stacks.hpp"

#include <sys/mman.h>

#include "compare/backend.hpp"
#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

namespace {

// 252 KiB to use, 4 KiB for colouring and a 4 KiB guard: 65 pages, an odd number, so that the tops
// of the stacks spread over the sets of the cache.
constexpr std::size_t guard = 4 * 1024;
constexpr std::size_t colours = 4 * 1024;
constexpr std::size_t stride = guard + Stacks::usable + colours;

}  // namespace

// Guards are mappings of their own, of which a process may have 65,530.
Stacks::Stacks(unsigned count, bool guarded) : guarded_(count, !guarded) {
  const std::size_t size = count * stride;
  void* const range = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (range == MAP_FAILED) return;
  base_ = address_of(range);
  size_ = size;
}

Stacks::~Stacks() {
  if (size_ > 0) munmap(reinterpret_cast<void*>(base_), size_);
}

void Stacks::require() const {
  if (size_ == 0)
    throw backend::OutOfMemory(
        "there are not enough addresses for the stacks of the emulated threads; ulimit -v shows "
        "the limit");
}

// Neighbours begin at different cache lines of their page: with all tops at one offset, a thousand
// hot lines would compete for a few sets of the first-level cache.
void* Stacks::top(unsigned index) const {
  if (!guarded_[index])
    guarded_[index] =
        mprotect(reinterpret_cast<void*>(base_ + index * stride), guard, PROT_NONE) == 0;
  return reinterpret_cast<void*>(base_ + (index + 1) * stride - index % 16 * 256);
}

}  // namespace ladder::emulated
