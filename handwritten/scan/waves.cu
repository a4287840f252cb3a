#include <optional>

#include "handwritten/scan/extra_warp.hpp"
#include "handwritten/scan/loaded_ring.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "published_ahead with a warp of its own for the totals, and tiles as large as shared "
        "memory allows.",
    .follows = "published_ahead",
    .step =
        "Memory is never idle: loads, totals and stores of different waves are on their way at the "
        "same time. With one block on each multiprocessor, "
        "a block reads few totals.",
    .costs = "Nearly all of the shared memory, and a barrier for each tile.",
    .limited_by =
        "Reading the input and writing the output; the instructions that carry vectors into shared "
        "memory and out of it.",
    .source = "Our own.",
};

// `resident`: the blocks of a multiprocessor that its registers suffice for.
template <class T, class Op, ScanKind kind, unsigned warps, unsigned vectors, unsigned ahead,
          unsigned resident, unsigned rows = 5>
__global__ void __launch_bounds__(warps * 32 + 32, resident) waves_kernel(const Waves<T> waves) {
  begin_in_turn();
  LoadedRing<T, Op, warps, vectors, ahead> ring(waves);
  scan_by_waves<Op, kind, warps, vectors, ahead, rows>(waves, ring);
}

// On an H200, one block on each multiprocessor, five vectors in a thread and three waves ahead are
// fastest, with elements of 4 and of 8 bytes: up to 23 MiB of input with 14 warps and tiles of 35
// KiB, then with 18 and 45 KiB. Where a block cannot have that much shared memory, tiles have 12
// KiB.
constexpr std::size_t bytes_for_14_warps = 180 << 10;  // for each multiprocessor

template <class T, class Op, ScanKind kind>
class ScanInWaves {
 public:
  explicit ScanInWaves(const ScanArguments<T>& device) {
    const bool is_small = device.n * sizeof(T) <= bytes_for_14_warps * backend::multiprocessors();
    if ((!is_small && use<18, 5, 3, 1>(device)) || use<14, 5, 3, 1>(device)) return;
    use<8, 3, 3, 2>(device);
  }

  void operator()(Stream stream) { launch(kernel_, shape_, stream, **waves_); }

 private:
  template <unsigned warps, unsigned vectors, unsigned ahead, unsigned resident>
  bool use(const ScanArguments<T>& device) {
    kernel_ = waves_kernel<T, Op, kind, warps, vectors, ahead, resident>;
    shape_ = {.grid = 0,
              .block = warps * 32 + 32,
              .shared_bytes = LoadedRing<T, Op, warps, vectors, ahead>::shared_bytes,
              .resident = true,
              .early = true};
    const unsigned most = resident_blocks(kernel_, shape_.block, shape_.shared_bytes);
    if (most == 0) return false;
    waves_.emplace(device, warps * 32 * vectors, most);
    shape_.grid = waves_->blocks();
    return true;
  }

  void (*kernel_)(const Waves<T> waves);
  LaunchShape shape_;
  std::optional<WavesOf<T>> waves_;
};

const RegisterScans<ScanInWaves, AllNumbers> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
