// What the cells of a run say for or against a sentence, and where they say it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model.hpp"
#include "reports/notes/experiment.hpp"

namespace ladder::reports {

using Cells = std::vector<Cell>;
using Rungs = std::vector<std::string_view>;
using Figures = std::vector<double>;

enum class Ruling { holds, partly, not_shown, does_not_hold };  // not_shown: no difference is, in either direction

struct Finding {
  std::optional<Ruling> ruling;  // none: it decides nothing
  std::string where, what;       // Markdown; where: empty if the run does not say
};

enum class Source { counts, times, errors };

// The hand-written cells of these rungs that share one input, in this order: of the experiment's own input where there is one, else of the nearest
// with the most elements. Empty where no input has them all.
Cells together(const Cells& cells, Source source, const Experiment& experiment, const Rungs& rungs);

// How many times as fast `cell` is as `than`, paired by process. Both were timed, in two processes or more.
Ratio speedup(const Cell& cell, const Cell& than);

// Of `rung` against `than`. Only an interval that leaves 1 out shows a difference, and one process has no interval that counts.
Finding faster(const Cells& cells, const Experiment& experiment, std::string_view rung, std::string_view than);

// As much faster (above 1), or slower (below 1), as the note printed: a gain holds where it may be that much or more, a cost where it may be that
// much; partly, where there is another gain or cost.
Finding by_factor(const Cells& cells, const Experiment& experiment, std::string_view rung, std::string_view than, double printed);

struct Figure {
  std::string_view name;
  std::optional<double> (*of)(const Cell&);
};
using Judge = Ruling (*)(const Figures&);  // one figure for each rung

Finding counted(const Cells& cells, const Experiment& experiment, const Rungs& rungs, const Figure& figure, const Judge& judge);

Finding missing(std::string_view what, const Rungs& rungs);  // decides nothing

// "on the GPU, for `reduce` by sum, i32, .."
std::string where(const CellKey& key);

Ruling if_true(bool holds);
Finding told(Finding finding);                          // as evidence that decides nothing, and goes unmentioned where the run does not say
Finding weighed(const std::vector<Finding>& findings);  // those that decide agree, or the claim holds partly
Finding weighed_only_together(const std::vector<Finding>& findings);  // decides nothing unless each of them does

}  // namespace ladder::reports
