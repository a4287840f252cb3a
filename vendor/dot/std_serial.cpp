#include <numeric>

#include "compare/operations/dot.hpp"
#include "compare/register.hpp"
#include "vendor/standard_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "std::inner_product: one core adds from left to right, the loop that everyone would write "
        "first.",
    .to_know =
        "Floats may not be reordered, so their sum waits for one addition after another. Integers "
        "are vectorised by the compiler.",
    .library = standard_library,
    .source = "ISO C++20, <numeric>.",
};

template <class T>
class StdSerial {
 public:
  explicit StdSerial(const typename Dot<T>::Device& device) : device_(device) {}

  void operator()(Stream) {
    *device_.out =
        std::inner_product(device_.a, device_.a + device_.n, device_.b, T(0), Sum(), Product());
  }

 private:
  typename Dot<T>::Device device_;
};

const Register<Dot, StdSerial, std::int32_t, std::int64_t, float, double> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
