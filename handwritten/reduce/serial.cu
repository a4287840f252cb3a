// serial: one thread adds everything up, as a loop on a CPU would.
//
// Improves on  nothing: this is the ground the ladder stands on.
// Costs        n steps, n operations, each waiting for the one before.
// Limited by   the latency of one dependent load after another; all other lanes of the GPU idle.
// Source       N3 (the serial reduce), N1 and N4 (the CPU loop they start from)
// Repaired     nothing.
#include "compare/launch.hpp"
#include "compare/operations/reduce.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
__global__ void serial_kernel(const T* in, std::size_t n, T* out) {
  const Op op;
  T total = Op::template identity<T>();
  for (std::size_t i = 0; i < n; ++i) total = op(total, in[i]);
  *out = total;
}

template <class T, class Op>
class Serial {
 public:
  explicit Serial(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void operator()(Stream stream) { launch(serial_kernel<T, Op>, {1, 1}, stream, device_.in, device_.n, device_.out); }

 private:
  typename Reduce<T, Op>::Device device_;
};

const Register<Reduce, Serial, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "One thread walks over the whole input.",
    .notes = "N1 N3 N4",
    .max_elements = std::size_t{1} << 20,
    .max_reason = "one thread takes 40 to 70 ms for 2^20 elements, and as much for every further million",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
