// `ladder table`, `ladder cite` and `ladder figures`: what goes from a result set into a paper.
#pragma once

#include <filesystem>
#include <string>

#include "reports/formats/figures/figures.hpp"
#include "reports/numbers/chosen_cells.hpp"

namespace ladder {

struct PaperOptions {
  std::filesystem::path file;  // results.json, or its folder
  reports::Choice choice;
  // of a table: a file, empty for standard output; of figures: a folder, empty for figures/ beside
  // the file
  std::filesystem::path out;
  std::string format = "markdown";       // of a table
  bool for_latex = false;                // a citation
  double width_mm = reports::column_mm;  // of figures
};

// Return the exit code. Throw UsageError or reports::BadFile.
int table_command(const PaperOptions& options);
int cite_command(const PaperOptions& options);
int figures_command(const PaperOptions& options);

}  // namespace ladder
