#include <thrust/scan.h>
#include <thrust/system/tbb/execution_policy.h>

#include "compare/operations/scan.hpp"
#include "compare/register.hpp"
#include "vendor/cccl.hpp"

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

template <class T, class Op>
class InclusiveThrustHost {
 public:
  explicit InclusiveThrustHost(const ScanArguments<T>& device) : device_(device) {}

  void operator()(Stream) {
    thrust::inclusive_scan(thrust::tbb::par, device_.in, device_.in + device_.n, device_.out,
                           Op::template identity<T>(), Op());
  }

 private:
  ScanArguments<T> device_;
};

template <class T, class Op>
class ExclusiveThrustHost {
 public:
  explicit ExclusiveThrustHost(const ScanArguments<T>& device) : device_(device) {}

  void operator()(Stream) {
    thrust::exclusive_scan(thrust::tbb::par, device_.in, device_.in + device_.n, device_.out,
                           Op::template identity<T>(), Op());
  }

 private:
  ScanArguments<T> device_;
};

const Register<InclusiveScan, InclusiveThrustHost, std::int32_t, std::int64_t, float, double>
    inclusive{card};
const Register<ExclusiveScan, ExclusiveThrustHost, std::int32_t, std::int64_t, float, double>
    exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
