// What the processes of a team decide, they decide together: else one would run what the others do
// not, and wait for them without an end. A process that is alone agrees with itself.
#pragma once

#include <type_traits>
#include <vector>

#include "compare/backend.hpp"
#include "compare/operation.hpp"
#include "compare/team.hpp"

namespace ladder {

// What each process of the team has.
template <class T>
std::vector<T> of_all(const T& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (!Team::rank) return {own};
  std::vector<T> all(Team::rank->of);
  backend::gather_on_host(&own, all.data(), sizeof own);
  return all;
}

// It passes where it passes in all processes. Else all have the reason of the first that it does
// not pass in, with its rank.
void agree(Verdict& verdict);

// The largest of all processes: the time of a run is that of the last one.
double latest(double own);

// Whether it is so in one of them.
bool any(bool own);

}  // namespace ladder
