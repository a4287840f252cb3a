// Results to test with. Their numbers are invented.
#pragma once

#include <filesystem>
#include <string>

#include "reports/model.hpp"

namespace ladder::reports {

Results example();  // a small study with something of everything: committed as example.results.json and example.report.md
Results full();     // every optional field set
Results bare();     // none set
Results of_gpu();   // what a machine with a GPU may have measured of the rungs of the example, and of a library: from a clean commit, all good

Cell emulated_cell(const char* rung, const char* improves_on, const char* dtype = "i32", const char* op = "sum");
Cell timed_cell(const char* provider, const char* rung, double us, const char* dtype = "i32", const char* op = "sum");
Cell gpu_cell(const char* provider, const char* rung, double us, const char* dtype = "i32");

std::string text_of(const std::filesystem::path& file);

}  // namespace ladder::reports
