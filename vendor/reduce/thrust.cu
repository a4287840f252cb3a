#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"
#include "vendor/cccl.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "thrust::reduce on the GPU, as anyone would call it.",
    .to_know =
        "It returns its result, so it waits for the GPU and copies: there is no device_result. Its "
        "scratch memory is allocated and freed within the "
        "call, and timed with it; thrust_caching shows the call without that. It is more general "
        "than a rung: it takes any iterators and any "
        "operator.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source = "Thrust (CCCL), thrust/reduce.h.",
};

template <class T, class Op>
struct Thrust {
  typename Reduce<T, Op>::Device device;

  void to_host(Stream stream, Accumulator<T>* out) {
    const auto policy = thrust::cuda::par.on(stream);
    *out = thrust::reduce(policy, in_library(device.in), in_library(device.in) + device.n,
                          Op::template identity<Accumulator<T>>(), LibraryOperator<Op, T>{});
  }
};

const Register<Reduce, Thrust, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
