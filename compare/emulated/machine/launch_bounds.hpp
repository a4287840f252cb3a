// What a kernel says of its launches by __launch_bounds__.
#pragma once

#include <optional>

namespace ladder::emulated {

// The most threads of a block, rounded up to whole warps; nothing where the kernel does not say.
std::optional<unsigned> launch_bounds(const void* kernel);

}  // namespace ladder::emulated
