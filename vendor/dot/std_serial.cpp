// std_serial: std::inner_product, the loop that everyone would write first.
//
// Source       ISO C++20, <numeric>
// To know      A left fold, one pair after the other. Floats may not be reordered, so their sum waits for one addition after another; integers are
//              vectorised by the compiler.
#include <numeric>

#include "compare/contract.hpp"
#include "compare/operations/dot.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T>
class StdSerial {
 public:
  explicit StdSerial(const typename Dot<T>::Device& device) : device_(device) {}

  void operator()(Stream) { *device_.out = std::inner_product(device_.a, device_.a + device_.n, device_.b, T(0), Sum(), Product()); }

 private:
  typename Dot<T>::Device device_;
};

const Register<Dot, StdSerial, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "std::inner_product: one core adds from left to right.",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
