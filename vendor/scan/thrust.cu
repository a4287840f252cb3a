#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"
#include "vendor/cccl.hpp"
#include "vendor/in_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::inclusive_scan and thrust::exclusive_scan on the GPU, as anyone would call them.",
    .to_know =
        "The call allocates and frees its scratch memory and waits for the GPU, so there is no "
        "device_result; thrust_caching shows it without that. "
        "Floats do not give the same bits every time, as with cub. It is more general than a rung: "
        "it takes any iterators and any operator. "
        "Before Thrust 2.7 the inclusive one is transform_inclusive_scan, which combines each "
        "element with the identity.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source = "Thrust (CCCL), thrust/scan.h, which is cub::DeviceScan underneath.",
    .same_bits_every_run = false,
};

template <class T, class Op, ScanKind kind>
struct Thrust {
  ScanArguments<T> device;

  void to_host(Stream stream, T* out) {
    const auto policy = thrust::cuda::par.on(stream);
    const auto* const in = in_library(device.in);
    const auto* const end = in + device.n;
    auto* const prefixes = in_library(device.out);
    const auto identity = Op::template identity<Accumulator<T>>();
    if constexpr (kind == ScanKind::inclusive)
      thrust_inclusive_scan(policy, in, end, prefixes, identity, LibraryOperator<Op, T>{});
    else thrust::exclusive_scan(policy, in, end, prefixes, identity, LibraryOperator<Op, T>{});
    backend::download(out, device.out, device.n * sizeof(T), stream);
  }
};

const RegisterScans<Thrust, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
