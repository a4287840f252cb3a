// The page that lists the published result sets: reports/published/README.md.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

struct PublishedSet {
  std::string folder;  // from the page
  Results results;
  std::vector<std::string> files;  // to be read, in this folder
};

// As Markdown.
std::string index_page(const std::vector<PublishedSet>& sets);

}  // namespace ladder::reports
