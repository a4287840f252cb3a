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

// Of an operation: the fastest rung for one device.
template <class Operation>
constexpr const char* fastest = nullptr;
template <class T, class Op>
constexpr const char* fastest<Reduce<T, Op>> = "handwritten/reduce/gather";
template <class T>
constexpr const char* fastest<SumOfCubes<T>> = "handwritten/sum_of_cubes/gather";
template <class T>
constexpr const char* fastest<Dot<T>> = "handwritten/dot/gather";
template <class T>
constexpr const char* fastest<Histogram<T>> = sizeof(T) == 1 ? "handwritten/histogram/bytes"
                                                             : "handwritten/histogram/by_size";

template <class Operation>
using Answer = std::remove_pointer_t<decltype(Operation::Device::out)>;  // an element of it
template <class Operation>
using CombineAnswers = typename PartsOf<Operation>::Combine;

// The answer of each device, in its own memory.
template <class Operation>
struct LocalAnswers {
  explicit LocalAnswers(const Spread<typename Operation::Device>& data)
      : spread(data),
        elements(data.own().results()),
        answers(*data.team, elements),
        rungs(data.team->size()) {
    data.team->each([&](unsigned device, Stream) {
      auto part = data.shards[device];
      part.out = answers.of(device);
      rungs[device] = prepare_rung<Operation>(fastest<Operation>, part);
    });
  }

  void operator()(const Team& team) {
    team.each([&](unsigned device, Stream stream) { rungs[device]->run(stream); });
  }

  // where the combined answer goes
  Answer<Operation>* out(unsigned device) const { return spread.shards[device].out; }

  Spread<typename Operation::Device> spread;
  std::size_t elements;
  TeamArray<Answer<Operation>> answers;
  std::vector<std::unique_ptr<Prepared>> rungs;
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
