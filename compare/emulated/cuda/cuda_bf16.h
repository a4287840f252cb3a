// __nv_bfloat16 and __nv_bfloat162 without a GPU.
#pragma once

#include "compare/emulated/language/small_floats.hpp"

namespace ladder::emulated::words {

LADDER_SMALL_FLOAT(bfloat16, __nv_bfloat16, Bfloat16)
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

}  // namespace ladder::emulated::words

#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
