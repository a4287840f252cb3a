#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include <algorithm>
#include <bit>
#include <limits>

#include "compare/launch.hpp"
#include "compare/operations/histogram.hpp"
#include "vendor/cccl.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceRadixSort::SortKeys, then cub::DeviceRunLengthEncode::Encode: sort, then "
        "measure the runs.",
    .to_know =
        "It sorts only the bits that a bin number has, into an array of its own: the input stays "
        "as it is. The runs come one after another, without "
        "bins that do not occur: a small kernel of ours puts each length where its bin is. All "
        "scratch memory is allocated in the constructor, "
        "outside the timed region.",
    .library = cccl("CUB", CUB_VERSION),
    .source =
        "CUB (CCCL), cub/device/device_radix_sort.cuh and cub/device/device_run_length_encode.cuh.",
    .max_elements = std::numeric_limits<int>::max(),
    .max_reason = "cub::DeviceRunLengthEncode::Encode takes the number of elements as an int",
};

constexpr unsigned threads = 256;

template <class T>
__global__ void scatter_lengths_kernel(const T* run_bins, const std::int32_t* lengths,
                                       const int* runs, std::int32_t* counts) {
  const unsigned run = blockIdx.x * threads + threadIdx.x;
  if (run < static_cast<unsigned>(*runs)) counts[run_bins[run]] = lengths[run];
}

template <class T>
class CubSortRle {
 public:
  explicit CubSortRle(const typename Histogram<T>::Device& device)
      : device_(device),
        sorted_(device.n),
        run_bins_(device.bins),
        lengths_(device.bins),
        runs_(1) {
    sort(nullptr, Stream{});  // each only asks how much scratch memory it needs
    encode(nullptr, Stream{});
    scratch_ = DeviceArray<unsigned char>(std::max(bytes_to_sort_, bytes_to_encode_));
  }

  void operator()(Stream stream) {
    gpu::check(cudaMemsetAsync(device_.out, 0, device_.bins * sizeof *device_.out, stream));
    sort(scratch_.data(), stream);
    encode(scratch_.data(), stream);
    launch(scatter_lengths_kernel<T>, {blocks_for(device_.bins, threads), threads}, stream,
           run_bins_.data(), lengths_.data(), runs_.data(), device_.out);
  }

 private:
  void sort(void* scratch, Stream stream) {
    const int bits = std::max(static_cast<int>(std::bit_width(device_.bins - 1)), 1);
    gpu::check(cub::DeviceRadixSort::SortKeys(scratch, bytes_to_sort_, device_.in, sorted_.data(),
                                              device_.n, 0, bits, stream));
  }

  void encode(void* scratch, Stream stream) {
    gpu::check(cub::DeviceRunLengthEncode::Encode(scratch, bytes_to_encode_, sorted_.data(),
                                                  run_bins_.data(), lengths_.data(), runs_.data(),
                                                  static_cast<int>(device_.n), stream));
  }

  typename Histogram<T>::Device device_;
  DeviceArray<T> sorted_, run_bins_;
  DeviceArray<std::int32_t> lengths_;
  DeviceArray<int> runs_;
  std::size_t bytes_to_sort_ = 0, bytes_to_encode_ = 0;
  DeviceArray<unsigned char> scratch_;
};

const Register<Histogram, CubSortRle> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
