#include <cub/device/device_scan.cuh>

#include <concepts>

#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"
#include "vendor/cccl.hpp"
#include "vendor/cub_scratch.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "cub::DeviceScan::InclusiveSum and ExclusiveSum of f16 or bf16: the calls that need no "
        "choice.",
    .follows = "cub" LADDER_RELEASE,
    .step =
        "They accumulate in the element type: 11 bits of f16, 8 of bf16. A long prefix loses most "
        "elements, and in f16 it overflows beyond 65,504.",
    .to_know =
        "Their bound of error is that of the element type. Beyond 1,024 elements of f16, and 128 "
        "of bf16, there is no bound, since the height of the tree is not measured. They do not "
        "give the same bits every time.",
    .library = cccl("CUB", CUB_VERSION),
    .source = "CUB (CCCL), cub/device/device_scan.cuh.",
    .accumulates_elements = true,
    .same_bits_every_run = false,
};

template <class T, std::same_as<Sum> Op, ScanKind kind>
struct CubSum {
  ScanArguments<T> device;
  CubScratch scratch{call({})};

  void operator()(Stream stream) { scratch(call(stream)); }

 private:
  auto call(Stream stream) const {
    return [=, this](void* memory, std::size_t& bytes) {
      const auto* const in = in_library(device.in);
      auto* const out = in_library(device.out);
      if constexpr (kind == ScanKind::inclusive)
        return cub::DeviceScan::InclusiveSum(memory, bytes, in, out, device.n, stream);
      else return cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, device.n, stream);
    };
  }
};

template <class T, std::same_as<Sum> Op>
using InclusiveCubSum = CubSum<T, Op, ScanKind::inclusive>;
template <class T, std::same_as<Sum> Op>
using ExclusiveCubSum = CubSum<T, Op, ScanKind::exclusive>;

const Register<InclusiveScan, InclusiveCubSum, F16, BF16> inclusive{card};
const Register<ExclusiveScan, ExclusiveCubSum, F16, BF16> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
