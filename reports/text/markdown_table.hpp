// Tables, as Markdown and as a page have them.
#pragma once

#include <string>
#include <vector>

namespace ladder::reports {

struct Heading {
  std::string title;
  bool right_aligned = false;
};

struct Table {
  std::vector<Heading> headings;
  std::vector<std::vector<std::string>> rows = {};  // Markdown, a text for each column
  std::string caption = {};                         // on a page
};

// Columns whose texts are all empty are left out.
std::string markdown_table(const Table& table);

}  // namespace ladder::reports
