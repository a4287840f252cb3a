#include <thrust/execution_policy.h>
#include <thrust/transform_reduce.h>

#include "compare/launch.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "vendor/cccl.hpp"
#include "vendor/in_library.hpp"

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

template <class T>
struct Thrust {
  typename SumOfCubes<T>::Device device;

  void to_host(Stream stream, Accumulator<T>* out) {
    const auto policy = thrust::cuda::par.on(stream);
    *out = thrust::transform_reduce(policy, in_library(device.in), in_library(device.in) + device.n,
                                    Cube<ConvertedTo<T>>{}, Accumulator<T>(0),
                                    LibraryOperator<Sum, T>{});
  }
};

const Register<SumOfCubes, Thrust, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
