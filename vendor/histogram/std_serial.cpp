#include <algorithm>

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
class StdSerial {
 public:
  explicit StdSerial(const typename Histogram<T>::Device& device) : device_(device) {}

  void operator()(Stream) {
    std::fill_n(device_.out, device_.bins, 0);
    for (std::size_t i = 0; i < device_.n; ++i) ++device_.out[device_.in[i]];
  }

 private:
  typename Histogram<T>::Device device_;
};

const Register<Histogram, StdSerial, std::int32_t, std::uint8_t> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
