#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"
#include "vendor/cccl.hpp"
#include "vendor/in_library.hpp"
#include "vendor/kept_block.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::reduce with an allocator that keeps its block of scratch memory from one call to "
        "the next.",
    .follows = "thrust",
    .step = "No call but the first allocates, and the first is outside the timed region.",
    .to_know = "As thrust: it waits for the GPU, and there is no device_result.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source =
        "Thrust (CCCL), thrust/reduce.h; the way to cache is that of its "
        "custom_temporary_allocation example.",
};

template <class T, class Op>
struct ThrustCaching {
  typename Reduce<T, Op>::Device device;
  KeptBlock scratch = {};

  void to_host(Stream stream, Accumulator<T>* out) {
    const auto policy = thrust::cuda::par(scratch).on(stream);
    *out = thrust::reduce(policy, in_library(device.in), in_library(device.in) + device.n,
                          Op::template identity<Accumulator<T>>(), LibraryOperator<Op, T>{});
  }
};

const Register<Reduce, ThrustCaching, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
