// The ladder as tables: one for each operator and size, types below each other; what reads the same
// is shown once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

struct Table {
  std::uint64_t n = 0;
  // for which it reads the same; empty where the operation has none
  std::vector<std::string> operators;
  std::vector<Cell> cells;  // that it shows
  std::string markdown;
};

// cells: of one operation, backend, contract, cache and number of bins. Largest size first.
std::vector<Table> tables(const std::vector<Cell>& cells, const Order& order);

}  // namespace ladder::reports
