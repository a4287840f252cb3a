#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/system/tbb/execution_policy.h>

#include <vector>

#include "compare/operations/histogram.hpp"
#include "compare/register.hpp"
#include "vendor/cccl.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::sort, thrust::upper_bound and thrust::adjacent_difference (thrust::tbb::par): the "
        "same calls as thrust_sort_bound, on all cores, by "
        "the CPU system of Thrust.",
    .to_know =
        "The sort is a merge sort. It works in place, on a copy of the input that is made within "
        "the run and timed with it, and allocates its own "
        "scratch memory there.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source = "Thrust (CCCL), thrust/system/tbb/detail/sort.inl.",
};

template <class T>
struct ThrustHost {
  typename Histogram<T>::Device device;
  std::vector<T> keys = std::vector<T>(device.n);
  std::vector<std::uint32_t> ends = std::vector<std::uint32_t>(device.bins);

  void operator()(Stream) {
    const thrust::counting_iterator<int> bin(0);
    thrust::copy(thrust::tbb::par, device.in, device.in + device.n, keys.begin());
    thrust::sort(thrust::tbb::par, keys.begin(), keys.end());
    thrust::upper_bound(thrust::tbb::par, keys.begin(), keys.end(), bin, bin + device.bins,
                        ends.begin());
    thrust::adjacent_difference(thrust::tbb::par, ends.begin(), ends.end(), device.out);
  }
};

const Register<Histogram, ThrustHost> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
