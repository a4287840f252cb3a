// std_serial: the loop that everyone would write first.
//
// Source       ISO C++20
// To know      One load of the element, and a load and a store of its counter, for each element; elements of one bin in a row wait for each other.
#include <algorithm>

#include "compare/contract.hpp"
#include "compare/operations/histogram.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

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

const Register<Histogram, StdSerial, std::int32_t> rung{{
    .idea = "A loop: one core counts from left to right.",
    .notes = "N3",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
