// A backend of plain memory, which ends where a test says.
#pragma once

#include <cstddef>

namespace ladder::tests {

extern std::size_t device_bytes;  // larger allocations do not fit

}  // namespace ladder::tests
