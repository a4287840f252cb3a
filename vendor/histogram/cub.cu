#include <cub/device/device_histogram.cuh>

#include "compare/launch.hpp"
#include "compare/operations/histogram.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_scratch.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceHistogram::HistogramEven with a bin for each integer: a histogram for each "
        "block, in shared memory up to 256 bins.",
    .to_know =
        "It is more general than a rung: it maps any range to bins and leaves out values outside "
        "it. Here the value is the bin. Above 256 bins it "
        "counts in global memory. It clears the counts itself. Its scratch memory is allocated in "
        "the constructor, outside the timed region.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL), cub/device/device_histogram.cuh.",
};

template <class T>
struct Cub {
  typename Histogram<T>::Device device;
  CubScratch scratch{call({})};

  void operator()(Stream stream) { scratch(call(stream)); }

 private:
  auto call(Stream stream) const {
    return [=, this](void* memory, std::size_t& bytes) {
      const int bins = static_cast<int>(device.bins);
      return cub::DeviceHistogram::HistogramEven(memory, bytes, device.in, device.out, bins + 1, 0,
                                                 bins, static_cast<std::int64_t>(device.n), stream);
    };
  }
};

const Register<Histogram, Cub> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
