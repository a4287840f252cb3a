// Tables, as Markdown and as a page have them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ladder::reports {

struct Heading {
  // NOLINTNEXTLINE(google-explicit-constructor): a text is one
  Heading(const char* text) : title(text) {}
  Heading(std::string text, bool is_number) : title(std::move(text)), number(is_number) {}

  std::string title;
  bool number = false;  // they stand at the right
};

struct Table {
  std::vector<Heading> columns;
  std::vector<std::vector<std::string>> rows = {};  // Markdown, a text for each column
  std::string caption = {};                         // on a page
};

// Columns whose texts are all empty are left out.
std::string markdown_table(const Table& table);

}  // namespace ladder::reports
