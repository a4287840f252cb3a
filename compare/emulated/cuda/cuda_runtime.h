// CUDA's words for kernels without a GPU; nothing of the runtime's functions for the host, which
// compare/launch.hpp stands for.
#pragma once

#include "compare/emulated/language/intrinsics.hpp"
