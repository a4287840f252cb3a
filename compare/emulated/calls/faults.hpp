// The words for what a kernel did that CUDA does not allow.
#pragma once

#include <string>

#include "compare/emulated/types/fault.hpp"

namespace ladder::emulated {

// The message of a KernelFault. Called when the block has stopped, as it stands.
std::string describe(const Fault& fault);

}  // namespace ladder::emulated
