#include "handwritten/histogram/shared_atomics.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "Each block counts in a histogram of its own in shared memory and adds it to the result in "
        "the end.",
    .follows = "sort_reduce_by_key",
    .step =
        "It reads the input once, and nothing else moves but the counts. In global_atomics all "
        "additions to one bin meet in one place; here they "
        "meet "
        "in the shared memory of each multiprocessor.",
    .costs =
        "An atomic operation on shared memory for each element, and one on global memory for each "
        "bin of each block. A launch sets the result to 0.",
    .limited_by =
        "Lanes of a warp that add to one bin, or to bins in one bank, one after another; loads of "
        "single elements.",
    .source = "V. Podlozhnyuk, Histogram calculation in CUDA, NVIDIA (2007).",
};

const Register<Histogram, SharedAtomics> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
