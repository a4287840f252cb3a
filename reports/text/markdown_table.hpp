// A Markdown table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ladder::reports {

struct Heading {
  std::string_view title;
  bool right_aligned = false;
};

// Columns whose texts are all empty are left out.
std::string markdown_table(const std::vector<Heading>& headings,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace ladder::reports
