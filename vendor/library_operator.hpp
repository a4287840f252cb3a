// The libraries' own operators: they know these, and may have faster code for them than for an
// operator of ours.
#pragma once

#include <cuda/std/functional>

#include "compare/operators.hpp"
#include "vendor/earlier_cccl.hpp"

namespace ladder {

template <class Op>
struct InLibrary;

template <>
struct InLibrary<Sum> {
  using type = LibrarySum;
};
template <>
struct InLibrary<Product> {
  using type = ::cuda::std::multiplies<>;
};
template <>
struct InLibrary<Min> {
  using type = LibraryMin;
};
template <>
struct InLibrary<Max> {
  using type = LibraryMax;
};
template <>
struct InLibrary<LogicalOr> {
  using type = ::cuda::std::logical_or<>;
};
template <>
struct InLibrary<LogicalAnd> {
  using type = ::cuda::std::logical_and<>;
};

template <>
struct InLibrary<Compose> {  // no library has it
  using type = Compose;
};

// No library has Height either. The tree measured with Height stands in for the library's own sum.
// In CUB 3.0, up to sm_90, it is no lower than the tree of that sum: a reduction has the same
// tiles, and in each a thread folds its items as a chain, where for cuda::std::plus it folds 4-byte
// floats in pairs (cub/thread/thread_reduce.cuh, cub/device/dispatch/tuning/tuning_reduce.cuh). For
// sm_100 plus has tiles of its own.
template <>
struct InLibrary<Height> {
  using type = Height;
};

template <class Op>
using LibraryOperator = typename InLibrary<Op>::type;

}  // namespace ladder
