#include <execution>
#include <numeric>

#include "compare/operations/reduce.hpp"
#include "compare/register.hpp"
#include "vendor/on_converted.hpp"
#include "vendor/standard_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "std::reduce(par_unseq): all cores, in any order.",
    .to_know =
        "The order of combination varies from run to run, so floats do not give the same bits "
        "every time. With libstdc++ the threads are TBB's.",
    .library = standard_library,
    .source = "ISO C++20, <numeric> and <execution>.",
    .same_bits_every_run = false,
};

template <class T, class Op>
struct StdParallel {
  typename Reduce<T, Op>::Device device;

  void operator()(Stream) {
    *device.out =
        std::reduce(std::execution::par_unseq, device.in, device.in + device.n,
                    Op::template identity<Accumulator<T>>(), OnConverted<Op, Accumulator<T>>());
  }
};

const Register<Reduce, StdParallel, AllNumbers> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
