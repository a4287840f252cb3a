#include "compare/launch.hpp"
#include "compare/operations/scan.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "one_block for inputs of one tile, one_wave for those that the GPU holds at once, and "
        "waves for larger ones.",
    .follows = "waves",
    .step = "Nothing but the choice.",
    .costs = "A virtual call on the CPU for each run.",
    .limited_by =
        "What limits the three: the launch, then the way of a total from one block to all others, "
        "then memory.",
    .source = "Our own.",
};

// On an H200, of the three, one_block is fastest up to 32 KiB of input, cold, and one_wave up to 8
// MiB.
constexpr std::size_t bytes_of_one_block = 32 << 10;
constexpr std::size_t bytes_of_one_wave = 64 << 10;  // for each multiprocessor

inline std::string_view rung_for(std::size_t bytes) {
  if (bytes <= bytes_of_one_block) return "handwritten/scan/one_block";
  return bytes <= bytes_of_one_wave * backend::multiprocessors() ? "handwritten/scan/one_wave"
                                                                 : "handwritten/scan/waves";
}

template <class T, class Op, ScanKind kind>
class WavesBySize : public LeftTo<Scan<T, Op, kind>> {
 public:
  explicit WavesBySize(const ScanArguments<T>& device)
      : LeftTo<Scan<T, Op, kind>>(rung_for(device.n * sizeof(T)), device) {}
};

const RegisterScans<WavesBySize, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
