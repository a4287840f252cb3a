#include <numeric>

#include "compare/operations/sum_of_cubes.hpp"
#include "compare/register.hpp"
#include "vendor/on_converted.hpp"
#include "vendor/standard_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "std::transform_reduce without a policy: one core.",
    .to_know =
        "It may add in any order even so, and libstdc++ adds four at a time: floats wait less for "
        "each other than in std::accumulate. N2 checks its "
        "kernels against such a loop.",
    .notes = "N2",
    .library = standard_library,
    .source = "ISO C++20, <numeric>.",
};

template <class T>
struct StdSerial {
  typename SumOfCubes<T>::Device device;

  void operator()(Stream) {
    *device.out = std::transform_reduce(device.in, device.in + device.n, Accumulator<T>(0),
                                        OnConverted<Sum, Accumulator<T>>(), Cube<Accumulator<T>>());
  }
};

const Register<SumOfCubes, StdSerial, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
