#include <thrust/reduce.h>
#include <thrust/system/tbb/execution_policy.h>

#include "compare/operations/reduce.hpp"
#include "compare/register.hpp"
#include "vendor/cccl.hpp"

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
class ThrustHost {
 public:
  explicit ThrustHost(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void operator()(Stream) {
    *device_.out = thrust::reduce(thrust::tbb::par, device_.in, device_.in + device_.n,
                                  Op::template identity<T>(), Op());
  }

 private:
  typename Reduce<T, Op>::Device device_;
};

const Register<Reduce, ThrustHost, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
