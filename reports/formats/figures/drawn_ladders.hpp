// Figures that lie drawn beside a report, where they are of its results.
#pragma once

#include <string>
#include <vector>

#include "reports/formats/report.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"
#include "reports/numbers/cell_table.hpp"

namespace ladder::reports {

// cells: of the operation; rows: of the results. "figures/reduce-ladder.svg", or empty where no
// picture shows these rows.
std::string ladder_picture(const std::string& operation, const std::vector<Cell>& cells,
                           const Order& order, const std::vector<FlatRow>& rows,
                           const Pictures& pictures);

}  // namespace ladder::reports
