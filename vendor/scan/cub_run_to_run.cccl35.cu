#include <cub/device/device_scan.cuh>

#include <concepts>

#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_environment.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceScan with determinism::run_to_run: the look-back combines the sums before a "
        "tile in a fixed order.",
    .follows = "cub" LADDER_RELEASE,
    .step = "Floats give the same bits in every run on one GPU.",
    .to_know =
        "Only sums of floats have this code, so it is not there for other operators and types. The "
        "scratch memory is kept from call to call; the "
        "first call, in the constructor, allocates it.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL 3.5), cub/device/device_scan.cuh.",
};

template <class T, std::same_as<Sum> Op, ScanKind kind>
struct CubRunToRun {
  ScanArguments<T> device;
  KeptBlock scratch{*this};

  void operator()(Stream stream) {
    const auto environment =
        cub_environment(stream, scratch, ::cuda::execution::determinism::run_to_run);
    if constexpr (kind == ScanKind::inclusive)
      gpu::check(cub::DeviceScan::InclusiveSum(device.in, device.out, device.n, environment));
    else gpu::check(cub::DeviceScan::ExclusiveSum(device.in, device.out, device.n, environment));
  }
};

template <class T, std::same_as<Sum> Op>
using InclusiveCubRunToRun = CubRunToRun<T, Op, ScanKind::inclusive>;
template <class T, std::same_as<Sum> Op>
using ExclusiveCubRunToRun = CubRunToRun<T, Op, ScanKind::exclusive>;

const Register<InclusiveScan, InclusiveCubRunToRun, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveCubRunToRun, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
