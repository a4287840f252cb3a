// What the checker has found, and the words for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "compare/emulated/control.hpp"
#include "compare/emulated/races.hpp"

namespace ladder::emulated {

// As it is found: lines are looked up when all is over, arrays are described at once, since they may be released.
struct Find {
  const void* kernel;
  Finding::Kind kind;
  Seen first = {}, second = {};  // a race has both; others have the second alone
  std::string memory = {};       // "input 1 + 1024 bytes"
  unsigned size = 0;
  bool one_fence_short = false;
  bool same_value = false;  // both stores wrote the same
  unsigned absent = 0;      // threads that had exited, of a barrier
  std::uint64_t times = 1;
};

class Findings {
 public:
  void clear() { finds_.clear(); }
  // The one that is kept; null where it, or one between the same places, has been found before, or there are too many.
  Find* add(const Find& find);
  std::vector<Finding> in_words() const;  // one for each kind and pair of source lines

 private:
  static constexpr std::size_t most = 64;
  using Key = std::tuple<Finding::Kind, std::uint64_t, std::uint64_t>;

  std::map<Key, Find> finds_;
};

}  // namespace ladder::emulated
