// The size of the GPU that kernels are told of.
#pragma once

namespace ladder::emulated {

// Kernels from here on are told of `count` multiprocessors; 0: the usual number.
void set_multiprocessors(unsigned count);

}  // namespace ladder::emulated
