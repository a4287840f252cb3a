#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include <algorithm>
#include <bit>
#include <limits>

#include "compare/launch.hpp"
#include "compare/operations/histogram.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_scratch.hpp"

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
struct CubSortRle {
  typename Histogram<T>::Device device;
  DeviceArray<T> sorted{device.n}, run_bins{device.bins};
  DeviceArray<std::int32_t> lengths{device.bins};
  DeviceArray<int> runs{1};
  CubScratch to_sort{sort({})}, to_encode{encode({})};

  void operator()(Stream stream) {
    gpu::check(cudaMemsetAsync(device.out, 0, device.bins * sizeof *device.out, stream));
    to_sort(sort(stream));
    to_encode(encode(stream));
    launch(scatter_lengths_kernel<T>, {blocks_for(device.bins, threads), threads}, stream,
           run_bins.data(), lengths.data(), runs.data(), device.out);
  }

 private:
  auto sort(Stream stream) const {
    return [=, this](void* memory, std::size_t& bytes) {
      const int bits = std::max(static_cast<int>(std::bit_width(device.bins - 1)), 1);
      return cub::DeviceRadixSort::SortKeys(memory, bytes, device.in, sorted.data(), device.n, 0,
                                            bits, stream);
    };
  }

  auto encode(Stream stream) const {
    return [=, this](void* memory, std::size_t& bytes) {
      return cub::DeviceRunLengthEncode::Encode(memory, bytes, sorted.data(), run_bins.data(),
                                                lengths.data(), runs.data(),
                                                static_cast<int>(device.n), stream);
    };
  }
};

const Register<Histogram, CubSortRle> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
