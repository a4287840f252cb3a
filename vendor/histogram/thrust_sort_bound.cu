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
class ThrustSortBound {
 public:
  explicit ThrustSortBound(const typename Histogram<T>::Device& device)
      : device_(device), keys_(device.n), ends_(device.bins) {
    (*this)(Stream{});
    backend::synchronize(Stream{});
  }

  void operator()(Stream stream) {
    const auto policy = thrust::cuda::par_nosync(scratch_).on(stream);
    T* const keys = keys_.data();
    T* const end = keys + device_.n;
    const thrust::counting_iterator<int> bin(0);

    backend::copy(keys, device_.in, device_.n * sizeof(T), stream);
    thrust::sort(policy, keys, end);
    thrust::upper_bound(policy, keys, end, bin, bin + device_.bins, ends_.data());
    thrust::adjacent_difference(policy, ends_.data(), ends_.data() + device_.bins, device_.out);
  }

 private:
  typename Histogram<T>::Device device_;
  KeptBlock scratch_;
  DeviceArray<T> keys_;
  DeviceArray<std::uint32_t> ends_;
};

const Register<Histogram, ThrustSortBound> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
