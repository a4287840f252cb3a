#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/scan.h>
#include <thrust/system/tbb/execution_policy.h>

#include <type_traits>

#include "compare/operations/scan.hpp"
#include "compare/register.hpp"
#include "vendor/cccl.hpp"
#include "vendor/on_converted.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "thrust::inclusive_scan(thrust::tbb::par) and thrust::exclusive_scan(thrust::tbb::par): "
        "the same calls as on a GPU, on all cores, by the CPU "
        "system of Thrust.",
    .to_know =
        "TBB may combine in an order that depends on which thread is idle when, and then floats do "
        "not give the same bits every time. The operators "
        "are ours: thrust::plus on a signed integer that overflows is undefined on a CPU.",
    .library = cccl("Thrust", THRUST_VERSION),
    .source = "Thrust (CCCL), thrust/system/tbb/detail/scan.inl.",
    .same_bits_every_run = false,
};

template <class T, class Op, ScanKind kind>
struct ThrustHost {
  ScanArguments<T> device;

  void operator()(Stream) {
    if constexpr (std::is_same_v<T, Accumulator<T>>) scan_to(device.out);
    else scan_to(thrust::make_transform_output_iterator(device.out, Round()));
  }

 private:
  struct Round {
    T operator()(Accumulator<T> x) const { return T(x); }
  };

  template <class Out>
  void scan_to(Out out) const {
    const T* const end = device.in + device.n;
    constexpr auto identity = Op::template identity<Accumulator<T>>();
    const OnConverted<Op, Accumulator<T>> op;
    if constexpr (kind == ScanKind::inclusive)
      thrust::inclusive_scan(thrust::tbb::par, device.in, end, out, identity, op);
    else thrust::exclusive_scan(thrust::tbb::par, device.in, end, out, identity, op);
  }
};

const RegisterScans<ThrustHost, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
