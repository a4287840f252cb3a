#include <cub/device/device_reduce.cuh>

#include <concepts>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_environment.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceReduce::Reduce with determinism::not_guaranteed: the blocks add their sums to "
        "the result by atomics.",
    .follows = "cub" LADDER_RELEASE,
    .step = "Nothing is left for a second launch; a memset before the first clears the result.",
    .to_know =
        "Atomic additions take subnormal f32 for 0. Only sums are added by atomics, so it is not "
        "there for other operators. The order varies, so "
        "floats do not give the same bits every time. "
        "The scratch memory is kept from call to call; the first call, in the constructor, "
        "allocates it.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL 3.5), cub/device/device_reduce.cuh.",
    .flushes_subnormals = true,
    .same_bits_every_run = false,
};

template <class T, std::same_as<Sum> Op>
struct CubAnyOrder {
  typename Reduce<T, Op>::Device device;
  KeptBlock scratch{*this};

  void operator()(Stream stream) {
    gpu::check(cub::DeviceReduce::Reduce(
        device.in, device.out, device.n, LibraryOperator<Op, T>{}, T(0),
        cub_environment(stream, scratch, ::cuda::execution::determinism::not_guaranteed)));
  }
};

const Register<Reduce, CubAnyOrder> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
