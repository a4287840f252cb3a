// The figures (figures.hpp) for a paper: complete Vega-Lite specifications, as wide as a column.
#pragma once

#include "reports/formats/report.hpp"
#include "reports/model/model.hpp"
#include "reports/numbers/chosen_cells.hpp"

namespace ladder::reports {

constexpr double column_mm = 84;

// "reduce-bandwidth.vl.json": of each operation those that have something to show, on the input
// that tells most of what fits (choice.hpp). Where several operators, types or sizes are chosen,
// and a figure shows only one of them, its name says which. The claims are there where nothing is
// chosen.
Files paper_figures(const Results& results, const Choice& choice = {}, double width_mm = column_mm);

}  // namespace ladder::reports
