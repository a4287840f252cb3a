#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "redundant_reads for inputs of few tiles, one_wave for those that the GPU holds at once, "
        "and waves for larger ones.",
    .follows = "waves",
    .step = "Nothing but the choice.",
    .costs = "A virtual call on the CPU for each run.",
    .limited_by =
        "What limits the three: the launch, then the way of a total from one block to all others, "
        "then memory.",
    .source = "Our own.",
};

// On an H200 with cold caches, redundant_reads is the fastest of the three up to 128 KiB, where an
// `f16` counts as an `f32`, and one_wave up to 8 MiB of input.
constexpr std::size_t bytes_of_redundant_reads = 128 << 10;
constexpr std::size_t bytes_of_one_wave = 64 << 10;  // for each multiprocessor

template <class T>
std::string_view rung_for(std::size_t n) {
  if (n * sizeof(Accumulator<T>) <= bytes_of_redundant_reads)
    return "handwritten/scan/redundant_reads";
  return n * sizeof(T) <= bytes_of_one_wave * backend::multiprocessors()
             ? "handwritten/scan/one_wave"
             : "handwritten/scan/waves";
}

template <class T, class Op, ScanKind kind>
class WavesBySize : public LeftTo<Scan<T, Op, kind>> {
 public:
  explicit WavesBySize(const ScanArguments<T>& device)
      : LeftTo<Scan<T, Op, kind>>(rung_for<T>(device.n), device) {}
};

const RegisterScans<WavesBySize, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
