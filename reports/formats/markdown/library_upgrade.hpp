// What a newer version of a library brings. A call that was compiled with two versions is two
// rungs; the one of the newer version follows the other.
#pragma once

#include <string>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

// Of all operations, as a section of report.md. Empty where no call was timed with two versions.
std::string upgrade_section(const Results& results);

// Of these cells of one operation, size by size, as a section of its page.
std::string upgrade_by_size(const Order& order, const std::vector<Cell>& cells);

}  // namespace ladder::reports
