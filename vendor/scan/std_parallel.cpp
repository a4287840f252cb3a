#include <execution>
#include <numeric>
#include <type_traits>

#include "compare/operations/scan.hpp"
#include "compare/register.hpp"
#include "vendor/standard_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "std::inclusive_scan(par_unseq) and std::exclusive_scan(par_unseq): all cores.",
    .to_know =
        "libstdc++ 12 scans floats in tiles that start from T{}, whatever the initial value: that "
        "is right for a sum, but a product comes out as 0. "
        "Where the identity is not T{}, the initial value is therefore handed over in a class of "
        "ours, which sends the call down the path of all "
        "other types. There the order of combination varies from run to run, so products of floats "
        "do not give the same bits every time; sums of "
        "floats do. With libstdc++ the threads are TBB's.",
    .library = standard_library,
    .source = "ISO C++17, <numeric> and <execution>.",
    .same_bits_every_run = false,
};

// A float that is none to std::is_floating_point.
template <class T>
struct InAClass {
  T value;
  InAClass(T its) : value(its) {}  // NOLINT(google-explicit-constructor): it stands for a T
  operator T() const { return value; }
};

template <class T, class Op>
auto initial() {
  constexpr T identity = Op::template identity<T>();
  if constexpr (std::is_floating_point_v<T> && identity != T{}) return InAClass<T>(identity);
  else return identity;
}

template <class T, class Op, ScanKind kind>
struct StdParallel {
  ScanArguments<T> device;

  void operator()(Stream) {
    const T* const end = device.in + device.n;
    const auto op = [](T a, T b) { return Op()(a, b); };
    if constexpr (kind == ScanKind::inclusive)
      std::inclusive_scan(std::execution::par_unseq, device.in, end, device.out, op,
                          initial<T, Op>());
    else
      std::exclusive_scan(std::execution::par_unseq, device.in, end, device.out, initial<T, Op>(),
                          op);
  }
};

// Not for floats of two bytes: libstdc++ keeps what comes before a part of the output in the
// output, so it would be rounded twice.
const RegisterScans<StdParallel> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
