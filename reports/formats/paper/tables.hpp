// Result sets as tables for a paper and for other programs.
#pragma once

#include <string>

#include "reports/model/model.hpp"
#include "reports/numbers/chosen_cells.hpp"
#include "reports/soundness/soundness.hpp"

namespace ladder::reports {

// RFC 4180: every cell that fits, with the id of the run and every column of the flat table
// (flat.hpp). Foreign text that a spreadsheet would take for a formula begins with an apostrophe.
std::string csv(const Results& results, const Choice& choice = {});

// What tells most of the choice (choice.hpp). LaTeX is a booktabs tabular of times, to be taken in
// by \input; empty where nothing of it was timed. soundness: what check says of the results.
std::string latex_table(const Results& results, const Choice& choice = {},
                        const Soundness& soundness = {});
std::string short_markdown(const Results& results, const Choice& choice = {},
                           const Soundness& soundness = {});

}  // namespace ladder::reports
