// How a paper names the software and a result set.
#pragma once

#include <string>
#include <string_view>

#include "reports/model/model.hpp"

namespace ladder::reports {

// A fact of CITATION.cff, which is baked in: the text behind "<name>:" at the beginning of a line,
// or of an entry of a list. Throws std::logic_error.
std::string citation_fact(std::string_view name);

std::string without_at(const std::string& text);  // "@" would begin an entry of BibTeX

// The line of an entry with the address of the project; empty where citation_file names none.
std::string url_line(std::string_view citation_file);

// Entries of BibTeX: of the software, and of the result set. device: that of its title.
std::string bibtex(const Run& run, const std::string& device);

}  // namespace ladder::reports
