// The picture and the table in the README: what a visitor of the repository sees of the published
// result sets.
#pragma once

#include <string>
#include <vector>

#include "reports/formats/report.hpp"

namespace ladder::reports {

// A set of another machine, and where it is.
struct PublishedElsewhere {
  std::string folder;
  const Results& results;
};

// As Markdown: the table of this set, and a sentence on each of the others. folder: where the set
// is, as the README's links name it. figure_of_all: the file of a picture of all sets, or empty.
std::string headline(const Report& report, const std::string& folder,
                     const std::vector<PublishedElsewhere>& others = {},
                     const std::string& figure_of_all = "");

}  // namespace ladder::reports
