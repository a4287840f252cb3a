#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>

#include "compare/launch.hpp"
#include "compare/operations/histogram.hpp"
#include "vendor/cccl.hpp"
#include "vendor/kept_block.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::sort, then thrust::upper_bound for the end of each bin, and the differences of "
        "neighbouring ends.",
    .to_know =
        "thrust::sort works in place, on a copy of the input that is made within the run and timed "
        "with it. It sorts all bits, not knowing how "
        "many a bin number has. No call returns anything that depends on the data, so with "
        "par_nosync none of them waits for the GPU. The scratch "
        "memory is kept from run to run; the first run, in the constructor, allocates it.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source =
        "Thrust (CCCL), thrust/sort.h, thrust/binary_search.h and thrust/adjacent_difference.h; "
        "the way to cache is that of its "
        "custom_temporary_allocation example.",
};

template <class T>
struct ThrustSortBound {
  typename Histogram<T>::Device device;
  DeviceArray<T> keys{device.n};
  DeviceArray<std::uint32_t> ends{device.bins};
  KeptBlock scratch{*this};

  void operator()(Stream stream) {
    const auto policy = thrust::cuda::par_nosync(scratch).on(stream);
    T* const first = keys.data();
    T* const end = first + device.n;
    const thrust::counting_iterator<int> bin(0);

    backend::copy(first, device.in, device.n * sizeof(T), stream);
    thrust::sort(policy, first, end);
    thrust::upper_bound(policy, first, end, bin, bin + device.bins, ends.data());
    thrust::adjacent_difference(policy, ends.data(), ends.data() + device.bins, device.out);
  }
};

const Register<Histogram, ThrustSortBound> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
