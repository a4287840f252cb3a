// Results to test with. Their numbers are invented.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/soundness/soundness.hpp"

namespace ladder::reports {

// a small study with something of everything: committed as example.results.json, and its report in
// example/
Results example();
Results full();  // every optional field set
Results bare();  // none set
// what a machine with a GPU may have measured of the rungs of the example, and of a library: from a
// clean commit, all good
Results of_gpu();

// Of six processes, with an interval of 1 % to each side. The processes of a library are the slower
// ones where those of a hand-written rung are not, so the interval of their ratio is wider.
Cell timed_cell(const char* provider, const char* rung, double us, const char* dtype = "i32",
                const char* op = "sum");
Cell gpu_cell(const char* provider, const char* rung, double us, const char* dtype = "i32");
Cell emulated_cell(const char* rung, const char* dtype = "i32", const char* op = "sum");

// The same row without an answer that counts.
Cell without(Cell cell, Verdict verdict, const char* reason);

// The same row for another number of elements of its type.
Cell for_size(Cell cell, std::uint64_t n);

// Parts of a cell that has them, to change.
Measured& measured(Cell& cell);
Timing& timing_of(Cell& cell);
Counters& counters_of(Cell& cell);

Rung rung_of(const std::string& name, const std::string& follows = "",
             const std::string& provider = "handwritten", const std::string& operation = "reduce");

// These cells in place of its own, with the operations and rungs that it did not list, and every
// number that follows.
Results with_cells(Results results, std::vector<Cell> cells);

// All that a report says in Markdown: report.md, then its pages.
std::string markdown(const Results& results, const std::vector<Results>& published = {},
                     const Soundness& soundness = {});

std::string text_of(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace ladder::reports
