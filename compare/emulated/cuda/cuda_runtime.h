// CUDA's words for kernels without a GPU, and the calls for host code that have a meaning here.
#pragma once

#include "compare/emulated/language/host_calls.hpp"
#include "compare/emulated/language/intrinsics.hpp"
