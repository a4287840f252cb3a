
#include "compare/operations/histogram.hpp"
#include "compare/register.hpp"
#include "vendor/standard_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "A loop, as everyone would write it first: one core counts from left to right.",
    .to_know =
        "For each element it loads the element, and loads and stores its counter. Elements of one "
        "bin in a row wait for each other.",
    .notes = "N3",
    .library = standard_library,
    .source = "ISO C++20.",
};

template <class T>
struct StdSerial {
  typename Histogram<T>::Device device;

  void operator()(Stream) {
    std::fill_n(device.out, device.bins, 0);
    for (std::size_t i = 0; i < device.n; ++i) ++device.out[device.in[i]];
  }
};

const Register<Histogram, StdSerial> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
