// cub: cub::DeviceHistogram::HistogramEven with a bin for each integer.
//
// Source       CUB (CCCL), cub/device/device_histogram.cuh
// To know      More general than a rung: it maps any range to bins, and leaves out what lies outside. Here the value is the bin. Up to 256 bins it
//              counts in shared memory, above that in global memory. It clears the counts itself. Its scratch memory is allocated in the
//              constructor, outside the timed region.
#include <cub/device/device_histogram.cuh>

#include "compare/launch.hpp"
#include "compare/operations/histogram.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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
    cuda::check(cub::DeviceHistogram::HistogramEven(scratch, scratch_bytes_, device_.in, device_.out, bins + 1, T{0}, static_cast<T>(bins),
                                                    static_cast<std::int64_t>(device_.n), static_cast<cudaStream_t>(stream.handle)));
  }

  typename Histogram<T>::Device device_;
  std::size_t scratch_bytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

const Register<Histogram, Cub, std::int32_t> rung{{
    .idea = "cub::DeviceHistogram::HistogramEven: a histogram for each block, in shared memory up to 256 bins.",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
