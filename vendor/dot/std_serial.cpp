#include <numeric>

#include "compare/operations/dot.hpp"
#include "compare/register.hpp"
#include "vendor/on_converted.hpp"
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
struct StdSerial {
  typename Dot<T>::Device device;

  void operator()(Stream) {
    *device.out = std::inner_product(device.a, device.a + device.n, device.b, Accumulator<T>(0),
                                     OnConverted<Sum, Accumulator<T>>(),
                                     OnConverted<Product, Accumulator<T>>());
  }
};

const Register<Dot, StdSerial, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
