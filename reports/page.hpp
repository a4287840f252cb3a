// report.html: one file that a browser opens without a network. It holds the data, the figures (figures.hpp), and a script that draws them.
//
// Text of the results reaches the page as JSON and stays text: the script gives it to textContent and to figures as values, never as markup, as an
// expression or as the name of a field. The policy of the page allows its own scripts by their hashes, and no request.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"
#include "reports/soundness.hpp"

namespace ladder::reports {

// published, soundness: as in report_files().
std::string page(const Results& results, const std::vector<Results>& published = {}, const Soundness& soundness = {});

}  // namespace ladder::reports
