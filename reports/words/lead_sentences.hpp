// The first sentences of a report: which kernel is the fastest, by how much, and how sure that is.
// As Markdown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

// cells: of one operation. On the input that tells most; references on one device take no part
// where there are rows over devices.
struct Fastest {
  std::optional<Cell> by_hand, library;  // none where none was timed on a GPU
  // the fastest library that promises as much as by_hand; none where that is not known
  std::optional<Cell> same_promise;
};
Fastest fastest(const std::vector<Cell>& cells, const Order& order);

// cells: of one operation. On the input that tells most: the best hand-written rung beside the
// fastest library. Empty where none was timed on a GPU.
std::string standing(const std::vector<Cell>& cells, const Order& order);

// cells: of one operation. From which size on several devices are faster than one, or that no such
// size is shown. Empty where none was timed over several.
std::string faster_from(const std::vector<Cell>& cells, const Order& order);

// Of all operations, or what else there is where nothing was timed on a GPU.
std::string lead(const Results& results);

}  // namespace ladder::reports
