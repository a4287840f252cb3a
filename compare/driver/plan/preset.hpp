// The presets: which inputs a study takes where the user does not choose, and how much effort each
// gets. presets.txt has them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reports/model/vocabulary.hpp"

namespace ladder {

// How long a timed cell is measured. Counting needs one process and one run: counts do not vary.
struct Effort {
  unsigned processes = 1;
  unsigned min_samples = 1, max_samples = 1;
  double max_seconds = 0;  // of sampling, for each rung in each process
};

// The operations, rungs and inputs that a row takes, and how they are timed.
struct PresetRow {
  // first: the operation's own default, sum for reduce; so are operations without operators
  enum class Operators { first, others, all };

  reports::Backend backend;
  Operators operators;
  std::vector<std::string_view> dtypes;  // empty: all
  std::vector<std::uint64_t> sizes;
  Effort effort;
  std::vector<reports::Contract> contracts;  // empty: all that the backend times
  std::vector<reports::Cache> caches;        // empty: both
  std::string_view only = {}, except = {};   // operations; empty: any, and none
  // a study note: its rungs alone, and every library; empty: all rungs
  std::string_view note = {};
  // empty, or none that the operation has: its usual one
  std::vector<std::string_view> distributions = {};
  std::vector<unsigned> bins = {};  // of operations that have bins; empty: the usual number
  // the hand-written rungs that hold a line of the targets alone, and every library
  bool of_targets = false;
  std::vector<unsigned> offsets = {};  // elements by which all arrays are displaced; empty: none

  bool takes(std::string_view operation) const {
    return (only.empty() || operation == only) && operation != except;
  }
};

// the default first
inline constexpr std::array preset_names{"quick", "notes", "full", "wide", "counters", "devices"};
// the default where data is spread over devices
inline constexpr const char* preset_over_devices = "devices";
// name: one of preset_names. Throws std::out_of_range for any other.
const std::vector<PresetRow>& preset(std::string_view name);

extern const char* const preset_table;  // presets.txt, baked in at build

}  // namespace ladder
