#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>

#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/cccl.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "thrust::inner_product on the GPU, as anyone would call it.",
    .to_know =
        "It returns its result, so it waits for the GPU and copies: there is no device_result. Its "
        "scratch memory is allocated and freed within the "
        "call, and timed with it; thrust_caching shows the call without that. Both inputs pass "
        "through an iterator that multiplies them.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source = "Thrust (CCCL), thrust/inner_product.h.",
};

template <class T>
struct Thrust {
  typename Dot<T>::Device device;

  void to_host(Stream stream, Accumulator<T>* out) {
    const auto policy = thrust::cuda::par.on(stream);
    *out = thrust::inner_product(policy, in_library(device.a), in_library(device.a) + device.n,
                                 in_library(device.b), Accumulator<T>(0), LibraryOperator<Sum, T>{},
                                 LibraryOperator<Product, T>{});
  }
};

const Register<Dot, Thrust, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
