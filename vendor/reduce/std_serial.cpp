#include <numeric>

#include "compare/operations/reduce.hpp"
#include "compare/register.hpp"
#include "vendor/on_converted.hpp"
#include "vendor/standard_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "std::accumulate: one core folds from left to right, the loop that everyone would write "
        "first.",
    .to_know =
        "Floats may not be reordered, so their sum waits for one addition after another. Integer "
        "operators are vectorised by the compiler. N1 and N4 "
        "start from this loop.",
    .notes = "N1 N4",
    .library = standard_library,
    .source = "ISO C++20, <numeric>.",
};

template <class T, class Op>
struct StdSerial {
  typename Reduce<T, Op>::Device device;

  void operator()(Stream) {
    *device.out =
        std::accumulate(device.in, device.in + device.n, Op::template identity<Accumulator<T>>(),
                        OnConverted<Op, Accumulator<T>>());
  }
};

const Register<Reduce, StdSerial, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
