#include "handwritten/scan/one_wave.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "All tiles are in the GPU at the same time: each block publishes the total of its tile, and reads the totals of all tiles before it at once, "
        "a thread each.",
    .follows = "one_block",
    .step =
        "A block for each tile, in a shape that goes by the size. Each publishes its total before it waits. So, unlike in vector_loads, no block "
        "waits "
        "for one that waits, and values are combined in the same order in every run.",
    .costs = "Block b reads b totals. What does not fit the GPU at once takes another launch, which begins where the last has ended.",
    .limited_by = "The way of a total from one block to all others. For large inputs, the launches: memory idles from one to the next.",
    .source = "Our own.",
};

// The kernel is in one_wave.hpp, where a test finds it as well.
template <class T, class Op>
using InclusiveOneWave = OneWave<T, Op, ScanKind::inclusive>;
template <class T, class Op>
using ExclusiveOneWave = OneWave<T, Op, ScanKind::exclusive>;

const Register<InclusiveScan, InclusiveOneWave, std::int32_t, std::int64_t, float, double> inclusive{card};
const Register<ExclusiveScan, ExclusiveOneWave, std::int32_t, std::int64_t, float, double> exclusive{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
