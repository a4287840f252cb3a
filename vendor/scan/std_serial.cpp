#include <numeric>

#include "compare/operations/scan.hpp"
#include "compare/register.hpp"
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
    const T* const end = device.in + device.n;
    constexpr T identity = Op::template identity<T>();
    if constexpr (kind == ScanKind::inclusive)
      std::inclusive_scan(device.in, end, device.out, Op(), identity);
    else std::exclusive_scan(device.in, end, device.out, identity, Op());
  }
};

const RegisterScans<StdSerial> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
