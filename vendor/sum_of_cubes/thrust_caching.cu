#include <thrust/execution_policy.h>
#include <thrust/transform_reduce.h>

#include "compare/launch.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "vendor/cccl.hpp"
#include "vendor/kept_block.hpp"
#include "vendor/library_operator.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::transform_reduce with an allocator that keeps its block of scratch memory from "
        "one call to the next.",
    .follows = "thrust",
    .step = "No call but the first allocates, and the first is outside the timed region.",
    .to_know = "As thrust: it waits for the GPU, and there is no device_result.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source =
        "Thrust (CCCL), thrust/transform_reduce.h; the way to cache is that of its "
        "custom_temporary_allocation example.",
};

struct Cube {
  template <class T>
  constexpr T operator()(T x) const {
    return cube(x);
  }
};

template <class T>
class ThrustCaching {
 public:
  explicit ThrustCaching(const typename SumOfCubes<T>::Device& device) : device_(device) {}

  void to_host(Stream stream, T* out) {
    const auto policy = thrust::cuda::par(scratch_).on(static_cast<cudaStream_t>(stream.handle));
    *out = thrust::transform_reduce(policy, device_.in, device_.in + device_.n, Cube{}, T(0),
                                    LibraryOperator<Sum>{});
  }

 private:
  typename SumOfCubes<T>::Device device_;
  KeptBlock scratch_;
};

const Register<SumOfCubes, ThrustCaching, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
