// What a kernel did that CUDA does not allow.
#pragma once

#include <cstdint>
#include <string>

#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

// What the scheduler finds, and others put into words (calls/faults.cpp); `other`: who stops the
// kernel says it in words.
enum class FaultKind {
  other,
  divergent_barrier,
  deadlock,
  caller_not_in_mask,
  different_masks,
  different_intrinsics,
  endless_wait,
  unsupported,  // none of CUDA's: this backend cannot do it
};

struct Fault {
  FaultKind kind = FaultKind::other;
  unsigned thread = 0;
  unsigned other = 0;  // the lane it disagrees with
  Place place = {};
  std::uintptr_t address = 0;  // that it reads again and again
  std::string text = {};
};

}  // namespace ladder::emulated
