// What the user chose to run. An empty list leaves the choice to the preset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare/driver/catalogue.hpp"

namespace ladder {

struct Selection {
  std::vector<std::string> operations, operators, rungs, providers, dtypes, distributions, backends, contracts, caches;
  std::vector<std::uint64_t> sizes;
  std::vector<unsigned> bins;
  std::string preset = "quick";
  std::uint64_t seed = 1;
  bool counters = false;  // of the GPU, read for everything that is timed in device memory
};

// An empty choice leaves everything in.
template <class T>
bool chosen(const std::vector<T>& choice, const T& value) {
  return choice.empty() || std::ranges::find(choice, value) != choice.end();
}

// Throws UsageError for the first choice that is not to be had here.
void validate(const Selection& selection, const Catalogue& catalogue);

}  // namespace ladder
