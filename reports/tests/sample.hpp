// Results to test with. Their numbers are invented.
#pragma once

#include "reports/model.hpp"

namespace ladder::reports {

Results example();  // a small study with something of everything: committed as example.results.json and example.report.md
Results full();     // every optional field set
Results bare();     // none set

Cell emulated_cell(const char* rung, const char* improves_on, const char* dtype = "i32", const char* op = "sum");
Cell timed_cell(const char* provider, const char* rung, double us, const char* dtype = "i32", const char* op = "sum");

}  // namespace ladder::reports
