// What the rungs over devices share, of operations whose answer is on every device: each device
// answers for its own part of the data, and the devices' answers are combined, element by element.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "compare/operations/histogram.hpp"
#include "compare/operations/reduce.hpp"
#include "compare/operations/sum_of_cubes.hpp"

namespace ladder {

// Of an operation: the fastest rung for one device, and the operator that combines two answers.
template <class Operation>
struct OnOneDevice;
template <class T, class Op>
struct OnOneDevice<Reduce<T, Op>> {
  using Combine = Op;
  static std::unique_ptr<Prepared> prepare(const ReduceArguments<T>& part) {
    return prepare_rung<Reduce, T, Op>("handwritten/reduce/gather", part);
  }
};
template <class T>
struct OnOneDevice<SumOfCubes<T>> {
  using Combine = Sum;
  static std::unique_ptr<Prepared> prepare(const typename SumOfCubes<T>::Device& part) {
    return prepare_rung<SumOfCubes, T>("handwritten/sum_of_cubes/gather", part);
  }
};
template <class T>
struct OnOneDevice<Dot<T>> {
  using Combine = Sum;
  static std::unique_ptr<Prepared> prepare(const typename Dot<T>::Device& part) {
    return prepare_rung<Dot, T>("handwritten/dot/gather", part);
  }
};
template <class T>
struct OnOneDevice<Histogram<T>> {
  using Combine = Sum;
  static std::unique_ptr<Prepared> prepare(const typename Histogram<T>::Device& part) {
    return prepare_rung<Histogram, T>(
        sizeof(T) == 1 ? "handwritten/histogram/bytes" : "handwritten/histogram/by_size", part);
  }
};

template <class Operation>
using Answer = std::remove_pointer_t<decltype(Operation::Device::out)>;  // an element of it
template <class Operation>
using CombineAnswers = typename OnOneDevice<Operation>::Combine;

// The answer of each device, in its own memory.
template <class Operation>
class LocalAnswers {
 public:
  explicit LocalAnswers(const Spread<typename Operation::Device>& spread)
      : elements_(spread.own().results()),
        answers_(*spread.team, elements_),
        rungs_(spread.team->size()) {
    spread.team->each([&](unsigned device, Stream) {
      auto part = spread.shards[device];
      part.out = answers_.of(device);
      rungs_[device] = OnOneDevice<Operation>::prepare(part);
    });
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) { rungs_[device]->run(stream); });
  }

  std::size_t elements() const { return elements_; }
  const TeamArray<Answer<Operation>>& answers() const { return answers_; }

 private:
  std::size_t elements_;
  TeamArray<Answer<Operation>> answers_;
  std::vector<std::unique_ptr<Prepared>> rungs_;
};

// out[i] = from.of[0][i] op from.of[1][i] .. of so many devices: in one order, so that all devices
// get the same bits.
template <class Op, class T>
__global__ void combine_answers_kernel(const __grid_constant__ Peers<const T> from,
                                       unsigned devices, std::size_t elements, T* out) {
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < elements;
       i += std::size_t{gridDim.x} * blockDim.x) {
    T value = from.of[0][i];
    for (unsigned device = 1; device < devices; ++device) value = Op{}(value, from.of[device][i]);
    out[i] = value;
  }
}

// A launch of that in the stream.
template <class Op, class T>
void combine_answers(const Peers<const T>& from, unsigned devices, std::size_t elements, T* out,
                     Stream stream) {
  constexpr unsigned threads = 256;
  const unsigned block = elements < threads ? 32 : threads;
  launch(combine_answers_kernel<Op, T>, {blocks_for(elements, block), block}, stream, from, devices,
         elements, out);
}

}  // namespace ladder
