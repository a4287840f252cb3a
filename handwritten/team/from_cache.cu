#include "handwritten/team/reduce_then_scan.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea = "reduce_then_scan whose first pass goes from the end of each part to its beginning.",
    .follows = "reduce_then_scan",
    .step =
        "The second pass begins with what the first has read last: as much of it as the cache "
        "holds does not come from memory.",
    .costs = "Nothing.",
    .limited_by =
        "Each device's memory, as reduce_then_scan; the longer the input, the less of it the cache "
        "holds.",
    .source = "Our own.",
};

template <class T, class Op, ScanKind kind>
using FromCache = ReduceThenScan<T, Op, kind, true>;

const RegisterScansOverDevices<FromCache> rungs{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
