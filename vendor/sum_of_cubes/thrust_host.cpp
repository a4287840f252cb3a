#include <thrust/system/tbb/execution_policy.h>
#include <thrust/transform_reduce.h>

#include "compare/operations/sum_of_cubes.hpp"
#include "compare/register.hpp"
#include "vendor/cccl.hpp"
#include "vendor/on_converted.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::transform_reduce(thrust::tbb::par): the same call as on a GPU, on all cores, by "
        "the CPU system of Thrust.",
    .to_know =
        "The order of combination varies from run to run, so floats do not give the same bits "
        "every time. The operators are ours: thrust::plus on a "
        "signed integer that overflows is undefined on a CPU.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source =
        "Thrust (CCCL), thrust/transform_reduce.h, and thrust/system/tbb/detail/reduce.inl "
        "beneath.",
    .same_bits_every_run = false,
};

template <class T>
struct ThrustHost {
  typename SumOfCubes<T>::Device device;

  void operator()(Stream) {
    *device.out = thrust::transform_reduce(thrust::tbb::par, device.in, device.in + device.n,
                                           Cube<Accumulator<T>>(), Accumulator<T>(0),
                                           OnConverted<Sum, Accumulator<T>>());
  }
};

const Register<SumOfCubes, ThrustHost, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
