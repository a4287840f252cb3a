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
struct ThrustSortReduce {
  typename Histogram<T>::Device device;
  DeviceArray<T> keys{device.n};
  DeviceArray<T> run_bins{device.bins};
  DeviceArray<std::int32_t> lengths{device.bins};

  void to_host(Stream stream, std::int32_t* out) {
    const auto policy = thrust::cuda::par.on(stream);
    T* const first = keys.data();
    T* const end = first + device.n;

    backend::copy(first, device.in, device.n * sizeof(T), stream);
    thrust::sort(policy, first, end);
    const thrust::constant_iterator<std::int32_t> ones(1);
    const auto ends =
        thrust::reduce_by_key(policy, first, end, ones, run_bins.data(), lengths.data());

    thrust::fill_n(policy, device.out, device.bins, 0);  // for the bins that do not occur
    thrust::scatter(policy, lengths.data(), ends.second, run_bins.data(), device.out);
    backend::download(out, device.out, device.bins * sizeof *out, stream);
  }
};

const Register<Histogram, ThrustSortReduce> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
