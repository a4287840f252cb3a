#include <variant>

#include "handwritten/scan/loaded_ring.hpp"
#include "handwritten/scan/one_wave.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "one_wave for inputs that the GPU holds at once, and waves for larger ones.",
    .follows = "waves",
    .step = "Nothing but the choice.",
    .costs = "Eight kernels to compile for each type and operator.",
    .limited_by = "What limits the two: the way of a total from one block to all others, then memory.",
    .source = "Our own.",
};

// For each multiprocessor: on an H200, one_wave is fastest up to 8 MiB of input, cold.
constexpr std::size_t bytes_of_one_wave = 64 << 10;

template <class T, class Op, ScanKind kind>
class WavesBySize {
 public:
  explicit WavesBySize(const ScanArguments<T>& device) {
    if (device.n * sizeof(T) <= bytes_of_one_wave * backend::multiprocessors()) scan_.template emplace<OneWave<T, Op, kind>>(device);
    else scan_.template emplace<ScanInWaves<T, Op, kind>>(device);
  }

  void operator()(Stream stream) {
    std::visit(
        [&](auto& scan) {
          if constexpr (!std::is_same_v<decltype(scan), std::monostate&>) scan(stream);
        },
        scan_);
  }

 private:
  std::variant<std::monostate, OneWave<T, Op, kind>, ScanInWaves<T, Op, kind>> scan_;
};

template <class T, class Op>
using InclusiveWaves = WavesBySize<T, Op, ScanKind::inclusive>;
template <class T, class Op>
using ExclusiveWaves = WavesBySize<T, Op, ScanKind::exclusive>;

const Register<InclusiveScan, InclusiveWaves, std::int32_t, std::int64_t, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveWaves, std::int32_t, std::int64_t, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
