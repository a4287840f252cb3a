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

template <class T, class Op>
class InclusiveStdSerial {
 public:
  explicit InclusiveStdSerial(const ScanArguments<T>& device) : device_(device) {}

  void operator()(Stream) {
    std::inclusive_scan(device_.in, device_.in + device_.n, device_.out, Op(),
                        Op::template identity<T>());
  }

 private:
  ScanArguments<T> device_;
};

template <class T, class Op>
class ExclusiveStdSerial {
 public:
  explicit ExclusiveStdSerial(const ScanArguments<T>& device) : device_(device) {}

  void operator()(Stream) {
    std::exclusive_scan(device_.in, device_.in + device_.n, device_.out, Op::template identity<T>(),
                        Op());
  }

 private:
  ScanArguments<T> device_;
};

const Register<InclusiveScan, InclusiveStdSerial, std::int32_t, std::int64_t, float, double>
    inclusive{card};
const Register<ExclusiveScan, ExclusiveStdSerial, std::int32_t, std::int64_t, float, double>
    exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
