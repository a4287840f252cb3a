// What the checker has found, and the words for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compare/emulated/checking/races.hpp"
#include "compare/emulated/types/shape.hpp"
#include "compare/protocol.hpp"

namespace ladder::emulated {

enum class FindingKind { race, uninitialised_shared, uninitialised_global, exited_before_barrier };

// As it is found: lines are looked up when all is over, arrays are described at once, since they
// may be released.
struct RawFinding : Race {  // of other kinds than races, it has the second access alone
  const void* kernel = nullptr;
  FindingKind kind = FindingKind::race;
  std::string memory = {};                     // "input 1 + 1024 bytes"
  bool in_shared = false, in_dynamic = false;  // shared memory
  bool is_emptied = false;                     // the array has no value when a run begins
  bool same_value = false;                     // both stores wrote the same
  unsigned absent = 0;                         // threads that had exited, of a barrier
  bool of_several = false;                     // devices that run
  bool of_resident = false;                    // grid
  Shape shape_of_first = {}, shape = {};       // of the launches
  std::uint64_t times = 1;
};

// instruction, or file, line and column
using PlaceKey = std::tuple<std::uintptr_t, std::string_view, unsigned, unsigned>;

class Findings {
 public:
  void clear() { finds_.clear(); }
  // The one that is kept of all between the same places; null where there are too many already.
  RawFinding* add(const RawFinding& find);
  // One for each kind and pair of source lines: remarks on what is allowed, and often not meant; or
  // the others.
  std::vector<protocol::Finding> in_words(bool remarks) const;

 private:
  static constexpr std::size_t most = 64;
  using Key = std::tuple<FindingKind, PlaceKey, PlaceKey>;

  std::map<Key, RawFinding> finds_;
};

}  // namespace ladder::emulated
