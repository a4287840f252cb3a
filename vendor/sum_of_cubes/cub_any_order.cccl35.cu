#include <cub/device/device_reduce.cuh>

#include "compare/launch.hpp"
#include "compare/operations/sum_of_cubes.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_environment.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceReduce::TransformReduce with determinism::not_guaranteed: the blocks add their "
        "sums to the result by atomics.",
    .follows = "cub" LADDER_RELEASE,
    .step = "Nothing is left for a second launch; a memset before the first clears the result.",
    .to_know =
        "Atomic additions take subnormal f32 for 0. The order varies, so floats do not give the "
        "same bits every time. The scratch memory is kept "
        "from call to call; the first call, in the "
        "constructor, allocates it.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL 3.5), cub/device/device_reduce.cuh.",
    .flushes_subnormals = true,
    .same_bits_every_run = false,
};

template <class T>
struct CubAnyOrder {
  typename SumOfCubes<T>::Device device;
  KeptBlock scratch{*this};

  void operator()(Stream stream) {
    gpu::check(cub::DeviceReduce::TransformReduce(
        device.in, device.out, device.n, LibraryOperator<Sum, T>{}, Cube<ConvertedTo<T>>{}, T(0),
        cub_environment(stream, scratch, ::cuda::execution::determinism::not_guaranteed)));
  }
};

const Register<SumOfCubes, CubAnyOrder> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
