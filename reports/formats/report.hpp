// A report as files: what a person reads, rendered from results alone. The same results give the
// same bytes, on every machine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/soundness/soundness.hpp"

namespace ladder::reports {

// texts by their path from the folder of results.json
using Files = std::map<std::string, std::string>;

// Figures that lie drawn in figures/, as "reduce-ladder.svg" beside "reduce-ladder.vl.json": the
// text of the latter, by the name of both.
using Pictures = std::map<std::string, std::string>;

// published: result sets of GPUs, whose times stand, marked as theirs, where the results have none
// of a GPU for an operation. soundness: what check says of the results. pictures: shown where they
// are of these results.
Files report_files(const Results& results, const std::vector<Results>& published = {},
                   const Soundness& soundness = {}, const Pictures& pictures = {});

}  // namespace ladder::reports
