#include "handwritten/scan/bulk_ring.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "waves with tiles that bulk copies bring to shared memory and take to the output: one thread asks, and the hardware moves them.",
    .follows = "waves",
    .step =
        "No registers and no instructions of the threads carry vectors from memory to shared memory. So there is room for more tiles on their way, "
        "and a total is published more waves before it is asked for. It does not pay: an H200 has threads enough to carry them.",
    .costs =
        "Nearly all of the shared memory. The tiles at the ends of the arrays, and all where in and out lie differently, are moved by the threads.",
    .limited_by = "Reading the input and writing the output.",
    .source = "Our own.",
    .needs = "sm_90",
};

template <class T, class Op>
using InclusiveWaves = ScanInBulkWaves<T, Op, ScanKind::inclusive>;
template <class T, class Op>
using ExclusiveWaves = ScanInBulkWaves<T, Op, ScanKind::exclusive>;

const Register<InclusiveScan, InclusiveWaves, std::int32_t, std::int64_t, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveWaves, std::int32_t, std::int64_t, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
