// thrust: thrust::reduce on the GPU, as anyone would call it.
//
// Source       Thrust (CCCL), thrust/reduce.h
// To know      It returns its result, so it waits for the GPU and copies: there is no device_result. Its scratch memory is allocated and freed within
//              the call, and is timed with it; thrust_caching shows the call without that. More general than a rung: any iterators, any operator.
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"
#include "vendor/library_operator.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
class Thrust {
 public:
  explicit Thrust(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void to_host(Stream stream, T* out) {
    const auto policy = thrust::cuda::par.on(static_cast<cudaStream_t>(stream.handle));
    *out = thrust::reduce(policy, device_.in, device_.in + device_.n, Op::template identity<T>(), LibraryOperator<Op>{});
  }

 private:
  typename Reduce<T, Op>::Device device_;
};

const Register<Reduce, Thrust, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "thrust::reduce: returns the result; allocates its scratch memory in the call.",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
