// What CCCL got after 2.3, the version of CUDA 12.4: the library's own where it is there, otherwise
// the same by what the earlier version has.
#pragma once

#include <thrust/version.h>
#include <cuda/std/functional>
#include <type_traits>
#if THRUST_VERSION >= 200800
#include <cuda/functional>
#endif

#include "vendor/on_converted.hpp"
#ifdef __CUDACC__
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <cstddef>
#endif

namespace ladder {

// CUB 2.8 knows these operators of libcu++; until then it knows its own.
#if THRUST_VERSION >= 200800
template <class T>
using LibrarySum = ::cuda::std::plus<T>;
template <class T>
using LibraryMin = ::cuda::minimum<T>;
template <class T>
using LibraryMax = ::cuda::maximum<T>;
#else
template <class T>
using LibrarySum = Converting<cub::Sum, T>;
template <class T>
using LibraryMin = Converting<cub::Min, T>;
template <class T>
using LibraryMax = Converting<cub::Max, T>;
#endif

#ifdef __CUDACC__

// cub::DeviceReduce::TransformReduce is of 2.4.
template <class In, class T, class Op, class Transform>
cudaError_t cub_transform_reduce(void* scratch, std::size_t& bytes, In in, T* out, std::size_t n,
                                 Op op, Transform transform, cudaStream_t stream) {
#if THRUST_VERSION >= 200400
  return cub::DeviceReduce::TransformReduce(scratch, bytes, in, out, n, op, transform, T(0),
                                            stream);
#else
  return cub::DeviceReduce::Reduce(scratch, bytes, thrust::make_transform_iterator(in, transform),
                                   out, n, op, T(0), stream);
#endif
}

// Element i of what is scanned.
template <class T, class Op>
struct BegunWith {
  const T *init, *in;
  Op op;
  constexpr T operator()(std::size_t i) const { return i == 0 ? op(*init, in[0]) : in[i]; }
};

// An inclusive scan that begins with a value in device memory. cub::DeviceScan::InclusiveScanInit
// is of 2.7.
template <class T, class Op>
cudaError_t cub_inclusive_scan_from(T* init, void* scratch, std::size_t& bytes, const T* in, T* out,
                                    Op op, std::size_t n, cudaStream_t stream) {
#if THRUST_VERSION >= 200700
  return cub::DeviceScan::InclusiveScanInit(scratch, bytes, in, out, op, cub::FutureValue<T>(init),
                                            n, stream);
#else
  const auto begun = thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0),
                                                     BegunWith<T, Op>{init, in, op});
  return cub::DeviceScan::InclusiveScan(scratch, bytes, begun, out, op, n, stream);
#endif
}

template <class T, class Op>
struct CombinedWith {
  T identity;
  Op op;
  constexpr T operator()(T value) const { return op(identity, value); }
};

// An inclusive scan in which the identity takes part: it accumulates in the type of that.
template <class In, class T, class Op>
cudaError_t cub_inclusive_scan(T identity, void* scratch, std::size_t& bytes, const In* in, In* out,
                               Op op, std::size_t n, cudaStream_t stream) {
#if THRUST_VERSION >= 200700
  return cub::DeviceScan::InclusiveScanInit(scratch, bytes, in, out, op, identity, n, stream);
#else
  return cub::DeviceScan::InclusiveScan(
      scratch, bytes, thrust::make_transform_iterator(in, CombinedWith<T, Op>{identity, op}), out,
      op, n, stream);
#endif
}

// An inclusive scan in which the identity takes part: a logical operator gives 0 or 1 for the first
// element too. inclusive_scan takes a first value from 2.7 on.
template <class Policy, class In, class T, class Op>
void thrust_inclusive_scan(const Policy& policy, const In* first, const In* last, In* out,
                           T identity, Op op) {
#if THRUST_VERSION >= 200700
  thrust::inclusive_scan(policy, first, last, out, identity, op);
#else
  thrust::transform_inclusive_scan(policy, first, last, out, CombinedWith<T, Op>{identity, op}, op);
#endif
}

#endif

}  // namespace ladder
