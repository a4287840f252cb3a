// The presets: which inputs a study takes where the user does not choose, and how much effort each gets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

// How long a timed cell is measured. Counting needs one process and one run: counts do not vary.
struct Effort {
  unsigned processes = 1;
  unsigned min_samples = 1, max_samples = 1;
  double max_seconds = 0;  // of sampling, for each rung in each process
};

struct PresetRow {
  enum class Operators { first, others, all };  // first: the operation's own default, sum for reduce; so are operations without operators

  enum class Operations { any, reduce, but_reduce };  // reduce has a row of its own where the others would take too long

  std::string_view backend;
  Operators operators;
  std::vector<std::string_view> dtypes;  // empty: all
  std::vector<std::uint64_t> sizes;
  Effort effort;
  std::vector<std::string_view> contracts = {}, caches = {};  // empty: all that the backend times
  Operations operations = Operations::any;
};

const std::vector<PresetRow>& preset(std::string_view name);  // "quick" or "full"

}  // namespace ladder
