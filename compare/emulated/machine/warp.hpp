// What the lanes of a warp bring to an intrinsic, turned into what each takes away.
#pragma once

#include <cstdint>

#include "compare/emulated/machine/thread.hpp"

namespace ladder::emulated {

// `lanes` are the 32 threads of the warp, of which those in `arrived` take part. Returns how many
// read a lane that does not: what they get is undefined, and so is this.
unsigned combine(const Intrinsic& intrinsic, std::uint32_t arrived, Thread* lanes);

}  // namespace ladder::emulated
