#include <thrust/reduce.h>
#include <thrust/system/tbb/execution_policy.h>

#include "compare/operations/reduce.hpp"
#include "compare/register.hpp"
#include "vendor/cccl.hpp"
#include "vendor/on_converted.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::reduce(thrust::tbb::par): the same call as on a GPU, on all cores, by the CPU "
        "system of Thrust.",
    .to_know =
        "The order of combination varies from run to run, so floats do not give the same bits "
        "every time. The operators are ours: thrust::plus on a "
        "signed integer that overflows is undefined on a CPU.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source = "Thrust (CCCL), thrust/system/tbb/detail/reduce.inl.",
    .same_bits_every_run = false,
};

template <class T, class Op>
struct ThrustHost {
  typename Reduce<T, Op>::Device device;

  void operator()(Stream) {
    *device.out =
        thrust::reduce(thrust::tbb::par, device.in, device.in + device.n,
                       Op::template identity<Accumulator<T>>(), OnConverted<Op, Accumulator<T>>());
  }
};

const Register<Reduce, ThrustHost, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
