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
struct RawFinding : Race {  // of other kinds than races, it has the second access alone
  const void* kernel = nullptr;
  Finding::Kind kind = Finding::Kind::race;
  std::string memory = {};  // "input 1 + 1024 bytes"
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
  RawFinding* add(const RawFinding& find);
  std::vector<Finding> in_words() const;  // one for each kind and pair of source lines; remarks too

 private:
  static constexpr std::size_t most = 64;
  using Key = std::tuple<Finding::Kind, PlaceKey, PlaceKey>;

  std::map<Key, RawFinding> finds_;
};

}  // namespace ladder::emulated
