#include <thrust/execution_policy.h>
#include <thrust/transform_reduce.h>

#include "compare/launch.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "vendor/cccl.hpp"
#include "vendor/in_library.hpp"
#include "vendor/kept_block.hpp"

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

template <class T>
struct ThrustCaching {
  typename SumOfCubes<T>::Device device;
  KeptBlock scratch = {};

  void to_host(Stream stream, Accumulator<T>* out) {
    const auto policy = thrust::cuda::par(scratch).on(stream);
    *out = thrust::transform_reduce(policy, in_library(device.in), in_library(device.in) + device.n,
                                    Cube<ConvertedTo<T>>{}, Accumulator<T>(0),
                                    LibraryOperator<Sum, T>{});
  }
};

const Register<SumOfCubes, ThrustCaching, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
