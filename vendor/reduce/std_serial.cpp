// std_serial: std::accumulate, the loop that everyone would write first.
//
// Source       ISO C++20, <numeric>; notes N1 and N4 start from this loop
// To know      A left fold, one element after the other. Floats may not be reordered, so their sum waits for one addition after another; integer
//              operators are vectorised by the compiler.
#include <numeric>

#include "compare/contract.hpp"
#include "compare/operations/reduce.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T, class Op>
class StdSerial {
 public:
  explicit StdSerial(const typename Reduce<T, Op>::Device& device) : device_(device) {}

  void operator()(Stream) { *device_.out = std::accumulate(device_.in, device_.in + device_.n, Op::template identity<T>(), Op()); }

 private:
  typename Reduce<T, Op>::Device device_;
};

const Register<Reduce, StdSerial, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "std::accumulate: one core folds from left to right.",
    .notes = "N1 N4",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
