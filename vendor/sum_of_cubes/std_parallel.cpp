#include <execution>
#include <numeric>

#include "compare/operations/sum_of_cubes.hpp"
#include "compare/register.hpp"
#include "vendor/on_converted.hpp"
#include "vendor/standard_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "std::transform_reduce(par_unseq): all cores, in any order.",
    .to_know =
        "The order of combination varies from run to run, so floats do not give the same bits "
        "every time. With libstdc++ the threads are TBB's.",
    .library = standard_library,
    .source = "ISO C++20, <numeric> and <execution>.",
    .same_bits_every_run = false,
};

template <class T>
struct StdParallel {
  typename SumOfCubes<T>::Device device;

  void operator()(Stream) {
    *device.out = std::transform_reduce(std::execution::par_unseq, device.in, device.in + device.n,
                                        Accumulator<T>(0), OnConverted<Sum, Accumulator<T>>(),
                                        Cube<Accumulator<T>>());
  }
};

const Register<SumOfCubes, StdParallel, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
