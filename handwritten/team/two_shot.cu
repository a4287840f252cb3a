#include "handwritten/team/local_answers.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each device combines its share of the bins of all devices, and stores the result into the "
        "histogram of every device.",
    .follows = "one_shot",
    .step =
        "A bin is combined once, not on each device: over k devices, a device reads 1/k of the "
        "others' bins.",
    .costs = "Stores to the other devices.",
    .limited_by = "The time to pass an event on; of many bins also the links between the devices.",
    .source =
        "The two-shot all-reduce of libraries for inference, such as TensorRT-LLM's custom "
        "all-reduce.",
};

__global__ void two_shot_kernel(const __grid_constant__ Peers<const std::int32_t> from,
                                const __grid_constant__ Peers<std::int32_t> to, unsigned devices,
                                std::size_t first, std::size_t last) {
  for (std::size_t bin = first + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; bin < last;
       bin += std::size_t{gridDim.x} * blockDim.x) {
    std::int32_t count = 0;
    for (unsigned device = 0; device < devices; ++device)
      count = Sum{}(count, from.of[device][bin]);
    for (unsigned device = 0; device < devices; ++device) to.of[device][bin] = count;
  }
}

template <class T>
class TwoShot {
 public:
  explicit TwoShot(const Spread<typename Histogram<T>::Device>& spread) : local_(spread) {
    for (unsigned device = 0; device < spread.team->size(); ++device) {
      from_.of[device] = local_.answers.of(device);
      to_.of[device] = spread.shards[device].out;
    }
  }

  void operator()(const Team& team) {
    constexpr unsigned threads = 128;
    const std::size_t bins = local_.elements, devices = team.size();
    local_(team);
    team.join();
    team.each([&](unsigned device, Stream stream) {
      const std::size_t first = bins * device / devices, last = bins * (device + 1) / devices;
      launch(two_shot_kernel, {blocks_for(last - first, threads), threads}, stream, from_, to_,
             team.size(), first, last);
    });
    team.join();
  }

 private:
  LocalAnswers<Histogram<T>> local_;
  Peers<const std::int32_t> from_{};
  Peers<std::int32_t> to_{};
};

const RegisterOverDevices<Histogram, TwoShot> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
