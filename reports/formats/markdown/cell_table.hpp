// The cells of one input as a table: every column that says something of one of them.
#pragma once

#include <string>

#include "reports/model/model.hpp"

namespace ladder::reports {

// In the order of the cells. As Markdown. bold: one of them, or null.
std::string cell_table(const Cells& cells, const Cell* bold = nullptr);

// What its columns mean, folded. Empty where no title needs an explanation.
std::string how_to_read(const Cells& cells);

}  // namespace ladder::reports
