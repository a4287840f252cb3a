// What the user chose to run. An empty list leaves the choice to the preset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/driver/plan/catalogue.hpp"
#include "reports/numbers/chosen_cells.hpp"

namespace ladder {

inline constexpr unsigned all_devices = ~0U;  // that the cuda backend sees

struct Selection : reports::Choice {
  std::vector<std::string> providers, distributions, backends, contracts, caches;
  // offsets: elements by which every array is displaced from a boundary
  std::vector<unsigned> bins, offsets;
  std::string preset = "quick";
  std::uint64_t seed = 1;
  bool counters = false;  // of the GPU, read for everything that is timed in device memory
  unsigned devices = 0;   // over which the data is spread; 0: it lies on one
  bool process_for_each_device = false;
};

using reports::chosen;

// Whether it runs here, and the choice does not leave it out.
bool takes(const Selection& selection, const Backend& backend);

// Put in place of each pattern the names that it matches, in place of a rung its full names, and in
// place of all devices their number. Throw UsageError for the first choice that is not to be had:
// here, or in this result set.
void validate(Selection& selection, const Catalogue& catalogue);
void validate(reports::Choice& choice, const reports::Results& results);

}  // namespace ladder
