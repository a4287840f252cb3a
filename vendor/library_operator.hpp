// The libraries' own operators: they know these, and may have faster code for them than for an
// operator of ours.
#pragma once

#include <cuda/std/functional>

#include "compare/operators.hpp"
#include "vendor/earlier_cccl.hpp"

namespace ladder {

LibrarySum in_library(Sum);
::cuda::std::multiplies<> in_library(Product);
LibraryMin in_library(Min);
LibraryMax in_library(Max);
::cuda::std::logical_or<> in_library(LogicalOr);
::cuda::std::logical_and<> in_library(LogicalAnd);
// No library has Compose.
//
// No library has Height either. The tree measured with Height stands in for the library's own sum.
// In CUB 3.0, up to sm_90, it is no lower than the tree of that sum: a reduction has the same
// tiles, and in each a thread folds its items as a chain, where for cuda::std::plus it folds 4-byte
// floats in pairs (cub/thread/thread_reduce.cuh, cub/device/dispatch/tuning/tuning_reduce.cuh). For
// sm_100 plus has tiles of its own.
template <class Op>
Op in_library(Op);

template <class Op>
using LibraryOperator = decltype(in_library(Op()));

}  // namespace ladder
