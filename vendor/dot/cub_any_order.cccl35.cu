#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>
#include <cub/device/device_reduce.cuh>

#include "compare/launch.hpp"
#include "compare/operations/dot.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_environment.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceReduce::TransformReduce over zipped inputs, with determinism::not_guaranteed: "
        "the blocks add their sums to the result by "
        "atomics.",
    .follows = "cub" LADDER_RELEASE,
    .step = "Nothing is left for a second launch; a memset before the first clears the result.",
    .to_know =
        "Atomic additions take subnormal f32 for 0. As cub, but the order varies, so floats do not "
        "give the same bits every time. The scratch memory "
        "is kept from call to call; the first call, "
        "in the constructor, allocates it.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL 3.5), cub/device/device_reduce.cuh.",
    .flushes_subnormals = true,
    .same_bits_every_run = false,
};

template <class T>
struct CubAnyOrder {
  typename Dot<T>::Device device;
  KeptBlock scratch{*this};

  void operator()(Stream stream) {
    const auto pairs = thrust::make_zip_iterator(device.a, device.b);
    const auto multiply = thrust::make_zip_function(LibraryOperator<Product, T>{});
    gpu::check(cub::DeviceReduce::TransformReduce(
        pairs, device.out, device.n, LibraryOperator<Sum, T>{}, multiply, T(0),
        cub_environment(stream, scratch, ::cuda::execution::determinism::not_guaranteed)));
  }
};

const Register<Dot, CubAnyOrder> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
