// thrust_caching: thrust::reduce with an allocator that keeps its block of scratch memory from one call to the next.
//
// Source       Thrust (CCCL), thrust/reduce.h; the way to cache is that of its custom_temporary_allocation example
// To know      As thrust, but for the allocation: the first call makes it, outside the timed region.
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cstddef>

#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"
#include "vendor/reduce/library_operator.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

// Thrust asks for one block in a call and returns it at the end.
class KeptBlock {
 public:
  using value_type = char;

  char* allocate(std::ptrdiff_t bytes) {
    if (static_cast<std::size_t>(bytes) > size_) {
      block_ = DeviceArray<char>(static_cast<std::size_t>(bytes));
      size_ = static_cast<std::size_t>(bytes);
    }
    return block_.data();
  }
  void deallocate(char*, std::size_t) {}

 private:
  DeviceArray<char> block_;
  std::size_t size_ = 0;
};

template <class T, class Op>
class ThrustCaching {
 public:
  explicit ThrustCaching(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void to_host(Stream stream, T* out) {
    const auto policy = thrust::cuda::par(scratch_).on(static_cast<cudaStream_t>(stream.handle));
    *out = thrust::reduce(policy, device_.in, device_.in + device_.n, Op::template identity<T>(), LibraryOperator<Op>{});
  }

 private:
  typename Reduce<T, Op>::Device device_;
  KeptBlock scratch_;
};

const Register<Reduce, ThrustCaching, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "The same with scratch memory that is kept between calls.",
    .improves_on = "thrust",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
