#include "compare/emulated/machine/launch_bounds.hpp"

#include <cstdint>
#include <set>

#include "compare/emulated/types/memory_access.hpp"

// The linker's names for the section in which compilers list where such instructions begin; null
// where no kernel has any.
extern "C" {
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern const std::uintptr_t __start___patchable_function_entries[] __attribute__((weak));
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern const std::uintptr_t __stop___patchable_function_entries[] __attribute__((weak));
}

namespace ladder::emulated {

std::optional<unsigned> launch_bounds(const void* kernel) {
  static const std::set<std::uintptr_t> entries(__start___patchable_function_entries,
                                                __stop___patchable_function_entries);
  constexpr unsigned most_warps = 32;
  const auto code = address_of(kernel);
  const auto entry = entries.lower_bound(code - most_warps);
  if (entry == entries.end() || *entry >= code) return {};
  return static_cast<unsigned>(code - *entry) * 32;
}

}  // namespace ladder::emulated
