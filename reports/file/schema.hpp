// The promises of results.schema.json, held against a document.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

extern const char* const schema_text;  // results.schema.json, baked in at build

// How many elements the schema allows in one of the lists of a document, and how many characters in
// a text.
std::size_t most(const std::string& list);
std::size_t longest_text();

// What is wrong with this document, in one sentence that begins with the place (a JSON pointer).
// Empty: nothing. Covers the schema and what a schema cannot say: unique cells, no emulated time.
std::string violation(const json& document);

// The same of a part alone. rules: where the schema has its rules (a JSON pointer); name: the
// part's own, in what is said of it.
std::string part_violation(const json& part, const std::string& rules,
                           const json::json_pointer& name);

// The two parts of violation(): the schema alone, and after that all that is wrong with cells.
std::string shape_violation(const json& document);
struct CellViolation {
  PlacedCell cell;
  std::string what;
};
std::vector<CellViolation> cell_violations(const Results& results);

}  // namespace ladder::reports
