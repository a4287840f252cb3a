#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "One thread walks over the whole input, as a loop on a CPU does.",
    .costs = "It takes n steps, and each step waits for the one before.",
    .limited_by =
        "The latency of one dependent load after another. All other lanes of the GPU idle.",
    .notes = "N1 N3 N4",
    .source = "N3 has this reduction. N1 and N4 start from the same loop on a CPU.",
    .max_elements = std::size_t{1} << 20,
    .max_reason =
        "one thread takes 40 to 70 ms for 2^20 elements, and as much for every further million",
};

template <class T, class Op>
__global__ void serial_kernel(const T* in, std::size_t n, T* out) {
  const Op op;
  T total = Op::template identity<T>();
  for (std::size_t i = 0; i < n; ++i) total = op(total, in[i]);
  *out = total;
}

template <class T, class Op>
struct Serial {
  typename Reduce<T, Op>::Device device;

  void operator()(Stream stream) {
    launch(serial_kernel<T, Op>, {1, 1}, stream, device.in, device.n, device.out);
  }
};

const Register<Reduce, Serial> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
