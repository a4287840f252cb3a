// What the checker has found, and the words for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compare/emulated/checking/finding.hpp"
#include "compare/emulated/checking/races.hpp"

namespace ladder::emulated {

// As it is found: lines are looked up when all is over, arrays are described at once, since they
// may be released.
struct Find {
  const void* kernel;
  Finding::Kind kind;
  Seen first = {}, second = {};  // a race has both; others have the second alone
  std::string memory = {};       // "input 1 + 1024 bytes"
  unsigned size = 0;
  bool one_fence_short = false;
  bool read_only = false;   // one is a load of memory that is taken for constant
  bool other_path = false;  // the second is a bulk copy, and no fence of proxies is between
  // one is an atomic of device scope, and would be none had it system scope
  bool too_narrow = false;
  bool same_value = false;  // both stores wrote the same
  unsigned absent = 0;      // threads that had exited, of a barrier
  bool of_several = false;  // devices that run
  std::uint64_t times = 1;
};

// instruction, or file, line and column
using PlaceKey = std::tuple<std::uintptr_t, std::string_view, unsigned, unsigned>;

class Findings {
 public:
  void clear() { finds_.clear(); }
  // The one that is kept of all between the same places; null where there are too many already.
  Find* add(const Find& find);
  std::vector<Finding> in_words() const;  // one for each kind and pair of source lines; remarks too

 private:
  static constexpr std::size_t most = 64;
  using Key = std::tuple<Finding::Kind, PlaceKey, PlaceKey>;

  std::map<Key, Find> finds_;
};

}  // namespace ladder::emulated
