#include <cub/device/device_histogram.cuh>

#include "compare/launch.hpp"
#include "compare/operations/histogram.hpp"
#include "vendor/cccl.hpp"

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
class Cub {
 public:
  explicit Cub(const typename Histogram<T>::Device& device) : device_(device) {
    enqueue(nullptr, Stream{});  // only asks how much scratch memory it needs
    scratch_ = DeviceArray<unsigned char>(scratch_bytes_);
  }

  void operator()(Stream stream) { enqueue(scratch_.data(), stream); }

 private:
  void enqueue(void* scratch, Stream stream) {
    const int bins = static_cast<int>(device_.bins);
    gpu::check(cub::DeviceHistogram::HistogramEven(scratch, scratch_bytes_, device_.in, device_.out,
                                                   bins + 1, 0, bins,
                                                   static_cast<std::int64_t>(device_.n), stream));
  }

  typename Histogram<T>::Device device_;
  std::size_t scratch_bytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

const Register<Histogram, Cub> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
