#include <thrust/execution_policy.h>
#include <thrust/transform_reduce.h>

#include "compare/launch.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "vendor/cccl.hpp"
#include "vendor/library_operator.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "thrust::transform_reduce on the GPU, as anyone would call it.",
    .to_know =
        "It returns its result, so it waits for the GPU and copies: there is no device_result. Its "
        "scratch memory is allocated and freed within the "
        "call, and timed with it; thrust_caching shows the call without that. The elements pass "
        "through an iterator that cubes them.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source = "Thrust (CCCL), thrust/transform_reduce.h.",
};

struct Cube {
  template <class T>
  constexpr T operator()(T x) const {
    return cube(x);
  }
};

template <class T>
class Thrust {
 public:
  explicit Thrust(const typename SumOfCubes<T>::Device& device) : device_(device) {}

  void to_host(Stream stream, T* out) {
    const auto policy = thrust::cuda::par.on(static_cast<cudaStream_t>(stream.handle));
    *out = thrust::transform_reduce(policy, device_.in, device_.in + device_.n, Cube{}, T(0),
                                    LibraryOperator<Sum>{});
  }

 private:
  typename SumOfCubes<T>::Device device_;
};

const Register<SumOfCubes, Thrust, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
