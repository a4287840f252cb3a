#include "handwritten/scan/loaded_ring.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "As many blocks as the GPU holds at once take tiles in turns, a wave after the other. A tile waits in shared memory while its total, "
        "published waves early, reaches all other blocks.",
    .follows = "one_wave",
    .step =
        "One launch for any size, in which memory is never idle: loads, totals and stores of different waves are on their way at the same time. "
        "Values are combined in the same order in every run.",
    .costs = "Every element passes through shared memory, and its tile through two barriers. All blocks must be resident.",
    .limited_by = "Reading the input and writing the output; the instructions that carry vectors into shared memory and out of it.",
    .source = "Our own.",
};

template <class T, class Op>
using InclusiveWaves = ScanInWaves<T, Op, ScanKind::inclusive>;
template <class T, class Op>
using ExclusiveWaves = ScanInWaves<T, Op, ScanKind::exclusive>;

const Register<InclusiveScan, InclusiveWaves, std::int32_t, std::int64_t, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveWaves, std::int32_t, std::int64_t, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
