// The libraries' own operators: they know these, and may have faster code for them than for an
// operator of ours. The same holds of their types.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cuda/std/functional>
#include <type_traits>

#include "compare/launch.hpp"
#include "compare/operators.hpp"
#include "vendor/earlier_cccl.hpp"
#include "vendor/on_converted.hpp"

namespace ladder {

// No library has Compose.
//
// No library has Height either. The tree measured with Height stands in for the library's own sum.
// In CUB 3.0, up to sm_90, it is no lower than the tree of that sum: a reduction has the same
// tiles, and in each a thread folds its items as a chain, where for cuda::std::plus it folds 4-byte
// floats in pairs (cub/thread/thread_reduce.cuh, cub/device/dispatch/tuning/tuning_reduce.cuh). For
// sm_100 plus has tiles of its own.
template <class Op, class T>
struct InLibrary {
  using type = Converting<Op, T>;
};
template <class T>
struct InLibrary<Sum, T> {
  using type = LibrarySum<T>;
};
template <class T>
struct InLibrary<Product, T> {
  using type = ::cuda::std::multiplies<T>;
};
template <class T>
struct InLibrary<Min, T> {
  using type = LibraryMin<T>;
};
template <class T>
struct InLibrary<Max, T> {
  using type = LibraryMax<T>;
};
template <class T>
struct InLibrary<LogicalOr, T> {
  using type = ::cuda::std::logical_or<T>;
};
template <class T>
struct InLibrary<LogicalAnd, T> {
  using type = ::cuda::std::logical_and<T>;
};

// On elements of type T, which it converts to what they are accumulated in.
template <class T>
using ConvertedTo = std::conditional_t<std::is_same_v<T, Accumulator<T>>, void, Accumulator<T>>;
template <class Op, class T>
using LibraryOperator = typename InLibrary<Op, ConvertedTo<T>>::type;

// The libraries have types of two bytes of their own, for which they may have faster code too.
template <class T>
struct LibraryElementOf {
  using type = T;
};
template <>
struct LibraryElementOf<F16> {
  using type = __half;
};
template <>
struct LibraryElementOf<BF16> {
  using type = __nv_bfloat16;
};
template <class T>
using LibraryElement = typename LibraryElementOf<T>::type;

template <class T>
const LibraryElement<T>* in_library(const T* array) {
  return reinterpret_cast<const LibraryElement<T>*>(array);
}
template <class T>
LibraryElement<T>* in_library(T* array) {
  return reinterpret_cast<LibraryElement<T>*>(array);
}

}  // namespace ladder
