#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"
#include "vendor/cccl.hpp"
#include "vendor/library_operator.hpp"

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

template <class T, class Op, bool inclusive>
class Thrust {
 public:
  explicit Thrust(const ScanArguments<T>& device) : device_(device) {}

  void to_host(Stream stream, T* out) {
    const auto policy = thrust::cuda::par.on(static_cast<cudaStream_t>(stream.handle));
    const T* const end = device_.in + device_.n;
    const T identity = Op::template identity<T>();
    if constexpr (inclusive)
      thrust_inclusive_scan(policy, device_.in, end, device_.out, identity, LibraryOperator<Op>{});
    else
      thrust::exclusive_scan(policy, device_.in, end, device_.out, identity, LibraryOperator<Op>{});
    backend::download(out, device_.out, device_.n * sizeof(T), stream);
  }

 private:
  ScanArguments<T> device_;
};

template <class T, class Op>
using InclusiveThrust = Thrust<T, Op, true>;
template <class T, class Op>
using ExclusiveThrust = Thrust<T, Op, false>;

const Register<InclusiveScan, InclusiveThrust, std::int32_t, std::int64_t, float, double> inclusive{
    card};
const Register<ExclusiveScan, ExclusiveThrust, std::int32_t, std::int64_t, float, double> exclusive{
    card};

}  // namespace LADDER_UNIT
}  // namespace ladder
