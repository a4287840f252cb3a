#include "handwritten/scan/blocks.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "One thread walks over the whole input and writes its running total, as a loop on a CPU "
        "does.",
    .costs = "It takes n steps, and each step waits for the one before.",
    .limited_by =
        "The latency of one dependent operation and one load after another. All other lanes of the "
        "GPU idle.",
    .notes = "N3",
    .source =
        "N3 has the inclusive scan. The exclusive scan is our own: the same loop with the write "
        "moved up one line.",
    .max_elements = std::size_t{1} << 20,
    .max_reason =
        "one thread takes tens of milliseconds for 2^20 elements, and as much for every further "
        "million",
};

template <class T, class Op, ScanKind kind>
__global__ void serial_kernel(const T* in, std::size_t n, T* out) {
  const Op op;
  T so_far = Op::template identity<T>();
  for (std::size_t i = 0; i < n; ++i) {
    if (kind == ScanKind::exclusive) out[i] = so_far;
    so_far = op(so_far, in[i]);
    if (kind == ScanKind::inclusive) out[i] = so_far;
  }
}

template <class T, class Op, ScanKind kind>
struct Serial {
  ScanArguments<T> device;

  void operator()(Stream stream) {
    launch(serial_kernel<T, Op, kind>, {1, 1}, stream, device.in, device.n, device.out);
  }
};

const RegisterScans<Serial> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
