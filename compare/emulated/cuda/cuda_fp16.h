// __half, or half, and half2 without a GPU.
#pragma once

#include "compare/emulated/language/small_floats.hpp"

namespace ladder::emulated::words {

LADDER_SMALL_FLOAT(half, __half, Binary16)
using half = __half;
using half2 = __half2;

}  // namespace ladder::emulated::words

#define CUDART_ZERO_FP16 __ushort_as_half(0)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
