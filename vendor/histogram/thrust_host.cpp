// thrust_host: thrust::sort, thrust::upper_bound and thrust::adjacent_difference on Thrust's own CPU system, TBB.
//
// Source       Thrust (CCCL), thrust/system/tbb/detail/sort.inl: a merge sort
// To know      The same calls as thrust_sort_bound. The sort works in place, on a copy of the input that is made within the run and timed with it,
//              and allocates its own scratch memory there.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/system/tbb/execution_policy.h>

#include <vector>

#include "compare/contract.hpp"
#include "compare/operations/histogram.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T>
class ThrustHost {
 public:
  explicit ThrustHost(const typename Histogram<T>::Device& device) : device_(device), keys_(device.n), ends_(device.bins) {}

  void operator()(Stream) {
    const thrust::counting_iterator<T> bin(0);
    thrust::copy(thrust::tbb::par, device_.in, device_.in + device_.n, keys_.begin());
    thrust::sort(thrust::tbb::par, keys_.begin(), keys_.end());
    thrust::upper_bound(thrust::tbb::par, keys_.begin(), keys_.end(), bin, bin + device_.bins, ends_.begin());
    thrust::adjacent_difference(thrust::tbb::par, ends_.begin(), ends_.end(), device_.out);
  }

 private:
  typename Histogram<T>::Device device_;
  std::vector<T> keys_;
  std::vector<std::uint32_t> ends_;
};

const Register<Histogram, ThrustHost, std::int32_t> rung{{
    .idea = "thrust::sort and thrust::upper_bound (thrust::tbb::par): the same calls as on a GPU, on all cores.",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
