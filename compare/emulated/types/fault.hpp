// What a kernel did that CUDA does not allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "compare/emulated/types/memory_access.hpp"

namespace ladder::emulated {

enum class FaultKind {
  divergent_barrier,
  deadlock,
  caller_not_in_mask,
  different_masks,
  different_intrinsics,
  endless_wait,
  out_of_bounds,
  out_of_shared,
  out_of_static_shared,
  out_of_variable,
  out_of_array_type,
  assertion,
  foreign_memory,
  foreign_shared,
  misaligned,
  asynchronous,
  exception,
};

struct Fault {
  FaultKind kind;
  unsigned thread = 0;
  unsigned other = 0;  // the lane it disagrees with
  Place place = {};
  std::uintptr_t address = 0;
  std::size_t size = 0;
  bool write = false;
  // the condition of an assertion; what the kernel threw; what a thread did with asynchronous
  // copies; the type of an array, "int [4]", of which ..
  std::string text = {};
  long long index = 0;  // .. there is no such element
};

}  // namespace ladder::emulated
