#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>

#include "compare/launch.hpp"
#include "compare/operations/histogram.hpp"
#include "vendor/cccl.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::sort, then thrust::reduce_by_key with a 1 for each element, as anyone would call "
        "them.",
    .to_know =
        "reduce_by_key returns where its results end, so it waits for the GPU: there is no "
        "device_result. thrust::sort works in place, on a copy of "
        "the input that is made within the run and timed with it. It sorts all bits, not knowing "
        "how many a bin number has. The scratch memory of "
        "both is allocated and freed within the call, and timed with it; thrust_sort_bound shows a "
        "call without that.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source = "Thrust (CCCL), thrust/sort.h, thrust/reduce.h and thrust/scatter.h.",
};

template <class T>
class ThrustSortReduce {
 public:
  explicit ThrustSortReduce(const typename Histogram<T>::Device& device)
      : device_(device), keys_(device.n), run_bins_(device.bins), lengths_(device.bins) {}

  void to_host(Stream stream, std::int32_t* out) {
    const auto policy = thrust::cuda::par.on(static_cast<cudaStream_t>(stream.handle));
    T* const keys = keys_.data();
    T* const end = keys + device_.n;

    backend::copy(keys, device_.in, device_.n * sizeof(T), stream);
    thrust::sort(policy, keys, end);
    const thrust::constant_iterator<std::int32_t> ones(1);
    const auto ends =
        thrust::reduce_by_key(policy, keys, end, ones, run_bins_.data(), lengths_.data());

    thrust::fill_n(policy, device_.out, device_.bins, 0);  // for the bins that do not occur
    thrust::scatter(policy, lengths_.data(), ends.second, run_bins_.data(), device_.out);
    backend::download(out, device_.out, device_.bins * sizeof *out, stream);
  }

 private:
  typename Histogram<T>::Device device_;
  DeviceArray<T> keys_, run_bins_;
  DeviceArray<std::int32_t> lengths_;
};

const Register<Histogram, ThrustSortReduce, std::int32_t, std::uint8_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
