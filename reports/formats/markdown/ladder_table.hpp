// The ladder of one operation in one small table: what the README and report.md show.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

// shown: as telling_gpu_times() gives them of `cells`, which are all of the operation. As Markdown.
std::string ladder_table(const std::vector<Cell>& shown, const std::vector<Cell>& cells);

// What its columns mean, in one line.
extern const char* const how_to_read_ladder;

}  // namespace ladder::reports
