#include <optional>

#include "handwritten/scan/bulk_ring.hpp"
#include "handwritten/scan/one_wave.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "one_wave for inputs that the GPU holds at once, waves_bulk for larger ones.",
    .follows = "waves_bulk",
    .step = "Nothing but the choice.",
    .costs = "Two kernels to compile for each type and operator.",
    .limited_by = "What limits the two: the way of a total from one block to all others, then memory.",
    .source = "Our own.",
    .needs = "sm_90",
};

// An H200 holds 16 MiB in one wave of its largest shape.
constexpr std::size_t bytes_of_one_wave = 128 << 10;  // for each multiprocessor

template <class T, class Op, ScanKind kind>
class WavesBySize {
 public:
  explicit WavesBySize(const ScanArguments<T>& device) {
    if (device.n * sizeof(T) <= bytes_of_one_wave * backend::multiprocessors()) one_wave_.emplace(device);
    else waves_.emplace(device);
  }

  void operator()(Stream stream) {
    if (one_wave_) (*one_wave_)(stream);
    else (*waves_)(stream);
  }

 private:
  std::optional<OneWave<T, Op, kind>> one_wave_;
  std::optional<ScanInBulkWaves<T, Op, kind>> waves_;
};

template <class T, class Op>
using InclusiveWaves = WavesBySize<T, Op, ScanKind::inclusive>;
template <class T, class Op>
using ExclusiveWaves = WavesBySize<T, Op, ScanKind::exclusive>;

const Register<InclusiveScan, InclusiveWaves, std::int32_t, std::int64_t, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveWaves, std::int32_t, std::int64_t, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
