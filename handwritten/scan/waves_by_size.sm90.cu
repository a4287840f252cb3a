#include <variant>

#include "handwritten/scan/bulk_ring.hpp"
#include "handwritten/scan/loaded_ring.hpp"
#include "handwritten/scan/one_wave.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "one_wave for inputs that the GPU holds at once, waves for larger ones, and waves_bulk for the largest.",
    .follows = "waves_bulk",
    .step = "Nothing but the choice.",
    .costs = "Seven kernels to compile for each type and operator.",
    .limited_by = "What limits the three: the way of a total from one block to all others, then memory.",
    .source = "Our own.",
    .needs = "sm_90",
};

// For each multiprocessor. On an H200, cold: one_wave is fastest up to 8 MiB, of elements of 8 bytes up to 16 MiB, which are all that it holds at
// once; and waves_bulk from 138 MiB.
template <class T>
constexpr std::size_t bytes_of_one_wave = sizeof(T) > 4 ? 128 << 10 : 64 << 10;
constexpr std::size_t bytes_for_bulk_copies = 1 << 20;

template <class T, class Op, ScanKind kind>
class WavesBySize {
 public:
  explicit WavesBySize(const ScanArguments<T>& device) {
    const std::size_t bytes = device.n * sizeof(T), multiprocessors = backend::multiprocessors();
    if (bytes <= bytes_of_one_wave<T> * multiprocessors) scan_.template emplace<OneWave<T, Op, kind>>(device);
    else if (bytes <= bytes_for_bulk_copies * multiprocessors) scan_.template emplace<ScanInWaves<T, Op, kind>>(device);
    else scan_.template emplace<ScanInBulkWaves<T, Op, kind>>(device);
  }

  void operator()(Stream stream) {
    std::visit(
        [&](auto& scan) {
          if constexpr (!std::is_same_v<decltype(scan), std::monostate&>) scan(stream);
        },
        scan_);
  }

 private:
  std::variant<std::monostate, OneWave<T, Op, kind>, ScanInWaves<T, Op, kind>, ScanInBulkWaves<T, Op, kind>> scan_;
};

template <class T, class Op>
using InclusiveWaves = WavesBySize<T, Op, ScanKind::inclusive>;
template <class T, class Op>
using ExclusiveWaves = WavesBySize<T, Op, ScanKind::exclusive>;

const Register<InclusiveScan, InclusiveWaves, std::int32_t, std::int64_t, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveWaves, std::int32_t, std::int64_t, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
