#include "handwritten/team/reduce_then_scan.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each device folds its part of the data and sends the total to all. Then it scans its part "
        "after the totals of the devices before it.",
    .follows = "scan_then_add",
    .step =
        "Three words for each element in place of four: the first pass writes nothing. Each warp "
        "has a part of its own, and waits for no other.",
    .costs = "The input is read twice. An event that all devices wait for.",
    .limited_by =
        "Each device's memory: over k devices, three words for each element on each in place of "
        "two on one, and so 2k/3 times as fast at most.",
    .source =
        "G. E. Blelloch, Prefix sums and their applications, CMU-CS-90-190 (1990): the scan of "
        "several processors.",
};

template <class T, class Op, ScanKind kind>
using ReduceFirst = ReduceThenScan<T, Op, kind, false>;

const RegisterScansOverDevices<ReduceFirst> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
