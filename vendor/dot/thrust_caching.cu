#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>

#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/cccl.hpp"
#include "vendor/in_library.hpp"
#include "vendor/kept_block.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::inner_product with an allocator that keeps its block of scratch memory from one "
        "call to the next.",
    .follows = "thrust",
    .step = "No call but the first allocates, and the first is outside the timed region.",
    .to_know = "As thrust: it waits for the GPU, and there is no device_result.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source =
        "Thrust (CCCL), thrust/inner_product.h; the way to cache is that of its "
        "custom_temporary_allocation example.",
};

template <class T>
struct ThrustCaching {
  typename Dot<T>::Device device;
  KeptBlock scratch = {};

  void to_host(Stream stream, Accumulator<T>* out) {
    const auto policy = thrust::cuda::par(scratch).on(stream);
    *out = thrust::inner_product(policy, in_library(device.a), in_library(device.a) + device.n,
                                 in_library(device.b), Accumulator<T>(0), LibraryOperator<Sum, T>{},
                                 LibraryOperator<Product, T>{});
  }
};

const Register<Dot, ThrustCaching, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
