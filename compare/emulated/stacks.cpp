#include "compare/emulated/stacks.hpp"

#include <sys/mman.h>

#include "compare/backend.hpp"

namespace ladder::emulated {

namespace {

// 252 KiB to use, 4 KiB for colouring and a 4 KiB guard: 65 pages, an odd number, so that the tops of the stacks spread over the sets of the cache.
constexpr std::size_t guard = 4 * 1024;
constexpr std::size_t colours = 4 * 1024;
constexpr std::size_t stride = guard + Stacks::usable + colours;

}  // namespace

Stacks::Stacks(unsigned count) : size_(count * stride) {
  void* const range = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  base_ = reinterpret_cast<std::uintptr_t>(range);
  bool there = range != MAP_FAILED;
  for (unsigned k = 0; k < count && there; ++k) there = mprotect(reinterpret_cast<void*>(base_ + k * stride), guard, PROT_NONE) == 0;
  if (!there) base_ = size_ = 0;
}

void Stacks::require() const {
  if (size_ == 0) throw backend::OutOfMemory("there are not enough addresses for the stacks of the emulated threads; ulimit -v shows the limit");
}

// Neighbours begin at different cache lines of their page: with all tops at one offset, a thousand hot lines would compete for a few sets of the
// first-level cache.
void* Stacks::top(unsigned index) const {
  return reinterpret_cast<void*>(base_ + (index + 1) * stride - index % 16 * 256);
}

}  // namespace ladder::emulated
