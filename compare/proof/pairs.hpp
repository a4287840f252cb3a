// Pairs of implementations of which it is known whether they differ, measured and compared as the
// study does it.
#pragma once

#include <vector>

#include "compare/proof/check.hpp"

namespace ladder::proof {

// The median of each fresh process.
struct Pair {
  std::vector<double> a_us, b_us;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Pair, a_us, b_us)

// Twins: how many are called different. A 95 % interval leaves out the truth once in 20 times, and
// 97.5 % of all sets of honest intervals do so no more often than the limit says: 16 times of 200.
Check check_twins(const std::vector<Pair>& pairs);

// b has 2 % more to do: how often it is called slower, and by how much.
std::vector<Check> check_slower(const std::vector<Pair>& pairs);

}  // namespace ladder::proof
