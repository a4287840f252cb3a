// What the threads of a grid read of a device's part, in the launch that finishes it.
#pragma once

#include "compare/operations/dot.hpp"
#include "compare/operations/reduce.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "handwritten/dot/pairs.hpp"
#include "handwritten/shapes.hpp"

namespace ladder {

// How the threads of a grid fold the elements of one device.
template <class Operation>  // on one array
struct Elements {
  using Value = typename PartsOf<Operation>::Element;
  using Combine = typename PartsOf<Operation>::Combine;
  static constexpr unsigned arrays = 1;

  explicit Elements(const typename Operation::Device& device)
      : part(device), head(elements_before_boundary(device.in, device.n)) {}

  template <class KernelOf>
  auto shape(KernelOf kernel_of) const {
    return shape_for_stream(part.n * sizeof(Value), arrays, kernel_of);
  }

  template <class Shape>
  __device__ Value fold() const {
    Value value = Combine::template identity<Value>();
    stream_in_grid<Shape::threads, Shape::vectors, Shape::once>(
        part.in, part.n, head, [&](Value x) {
          if constexpr (std::is_same_v<Operation, SumOfCubes<Value>>) x = cube(x);
          value = Combine{}(value, x);
        });
    return value;
  }

  typename Operation::Device part;
  unsigned head;
};
template <class T>
struct Elements<Dot<T>> {
  using Value = T;
  using Combine = Sum;
  static constexpr unsigned arrays = 2;

  explicit Elements(const typename Dot<T>::Device& device) : part(device), pairs(device) {}

  template <class KernelOf>
  auto shape(KernelOf kernel_of) const {
    return shape_for_stream(part.n * sizeof(T), arrays, kernel_of);
  }

  template <class Shape>
  __device__ T fold() const {
    constexpr unsigned vectors = (Shape::vectors + 1) / 2;
    T value = 0;
    const auto take = [&](T x, T y) { value = Sum{}(value, Product{}(x, y)); };
    if (pairs.width == 1)
      stream_pairs<vectors, 1, Shape::once>(part.a, part.b, part.n, pairs.head, take);
    else
      stream_pairs<vectors, elements_of_vector<T>, Shape::once>(part.a, part.b, part.n, pairs.head,
                                                                take);
    return value;
  }

  typename Dot<T>::Device part;
  Pairs<T> pairs;
};

}  // namespace ladder
