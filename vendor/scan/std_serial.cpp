#include <boost/iterator/function_output_iterator.hpp>
#include <numeric>
#include <type_traits>

#include "compare/operations/scan.hpp"
#include "compare/register.hpp"
#include "vendor/on_converted.hpp"
#include "vendor/standard_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "std::inclusive_scan and std::exclusive_scan: one core, from left to right, the loop that "
        "everyone would write first.",
    .to_know = "With floats each result waits for one addition after another.",
    .library = standard_library,
    .source = "ISO C++17, <numeric>.",
};

template <class T, class Op, ScanKind kind>
struct StdSerial {
  ScanArguments<T> device;

  void operator()(Stream) {
    if constexpr (std::is_same_v<T, Accumulator<T>>) {
      scan_to(device.out);
    } else {
      T* out = device.out;
      scan_to(boost::make_function_output_iterator([&](Accumulator<T> x) { *out++ = T(x); }));
    }
  }

 private:
  template <class Out>
  void scan_to(Out out) const {
    const T* const end = device.in + device.n;
    constexpr auto identity = Op::template identity<Accumulator<T>>();
    const OnConverted<Op, Accumulator<T>> op;
    if constexpr (kind == ScanKind::inclusive)
      std::inclusive_scan(device.in, end, out, op, identity);
    else std::exclusive_scan(device.in, end, out, identity, op);
  }
};

const RegisterScans<StdSerial, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
