// Files that the program brings along, baked in at build: the schema, the figures, and the parts of
// report.html.
#pragma once

#include <span>
#include <string_view>

namespace ladder::reports {

struct EmbeddedFile {
  std::string_view name, text;
};

std::span<const EmbeddedFile> embedded_files();    // their names relative to reports/
std::string_view embedded(std::string_view name);  // throws std::logic_error where there is none

}  // namespace ladder::reports
