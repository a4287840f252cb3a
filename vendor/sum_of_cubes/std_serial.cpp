// std_serial: std::transform_reduce without a policy, on one core.
//
// Source       ISO C++20, <numeric>; note N2 checks its kernels against such a loop
// To know      It may add in any order even so, and libstdc++ adds four at a time: floats wait less for each other than in std::accumulate.
#include <numeric>

#include "compare/contract.hpp"
#include "compare/operations/sum_of_cubes.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

template <class T>
class StdSerial {
 public:
  explicit StdSerial(const typename SumOfCubes<T>::Device& device) : device_(device) {}

  void operator()(Stream) { *device_.out = std::transform_reduce(device_.in, device_.in + device_.n, T(0), Sum(), cube<T>); }

 private:
  typename SumOfCubes<T>::Device device_;
};

const Register<SumOfCubes, StdSerial, std::int32_t, std::int64_t, float, double> rung{{
    .idea = "std::transform_reduce: one core.",
    .notes = "N2",
}};

}  // namespace LADDER_UNIT
}  // namespace ladder
