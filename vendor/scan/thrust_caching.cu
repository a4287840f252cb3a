#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"
#include "vendor/cccl.hpp"
#include "vendor/in_library.hpp"
#include "vendor/kept_block.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::inclusive_scan and thrust::exclusive_scan with an allocator that keeps its block "
        "of scratch memory, and without the wait at their "
        "end.",
    .follows = "thrust",
    .step = "The constructor allocates by a first run, and par_nosync leaves out the wait.",
    .to_know = "As thrust, but there is a device_result.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source =
        "Thrust (CCCL), thrust/scan.h; the way to cache is that of its custom_temporary_allocation "
        "example.",
    .same_bits_every_run = false,
};

template <class T, class Op, ScanKind kind>
struct ThrustCaching {
  ScanArguments<T> device;
  KeptBlock scratch{*this};

  void operator()(Stream stream) {
    const auto policy = thrust::cuda::par_nosync(scratch).on(stream);
    const auto* const in = in_library(device.in);
    const auto* const end = in + device.n;
    auto* const prefixes = in_library(device.out);
    const auto identity = Op::template identity<Accumulator<T>>();
    if constexpr (kind == ScanKind::inclusive)
      thrust_inclusive_scan(policy, in, end, prefixes, identity, LibraryOperator<Op, T>{});
    else thrust::exclusive_scan(policy, in, end, prefixes, identity, LibraryOperator<Op, T>{});
  }
};

const RegisterScans<ThrustCaching, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
