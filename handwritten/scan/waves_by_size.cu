#include "compare/operations/scan.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "one_wave for inputs that the GPU holds at once, and waves for larger ones.",
    .follows = "waves",
    .step = "Nothing but the choice.",
    .costs = "A virtual call on the CPU for each run.",
    .limited_by = "What limits the two: the way of a total from one block to all others, then memory.",
    .source = "Our own.",
};

// For each multiprocessor: on an H200, one_wave is fastest up to 8 MiB of input, cold.
constexpr std::size_t bytes_of_one_wave = 64 << 10;

template <template <class...> class Scan, class T, class Op>
class WavesBySize {
 public:
  explicit WavesBySize(const ScanArguments<T>& device)
      : scan_(prepare_rung<Scan, T, Op>(
            device.n * sizeof(T) <= bytes_of_one_wave * backend::multiprocessors() ? "handwritten/scan/one_wave" : "handwritten/scan/waves",
            device)) {}

  void operator()(Stream stream) { scan_->run(stream); }

 private:
  std::unique_ptr<Prepared> scan_;
};

template <class T, class Op>
using InclusiveWaves = WavesBySize<InclusiveScan, T, Op>;
template <class T, class Op>
using ExclusiveWaves = WavesBySize<ExclusiveScan, T, Op>;

const Register<InclusiveScan, InclusiveWaves, std::int32_t, std::int64_t, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveWaves, std::int32_t, std::int64_t, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
