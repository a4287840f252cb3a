// What a report made without a GPU shows of result sets that were measured on one: marked as theirs, beside its own counts.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"

namespace ladder::reports {

struct Excerpt {
  const Results* from = nullptr;
  std::vector<Cell> times;  // with nothing but what is shown
};

// cells: of one operation. One for each published set that has GPU times of it; none where the cells hold a GPU's own.
std::vector<Excerpt> excerpts(const std::vector<Cell>& cells, const std::vector<Results>& published);

// cells: presentable, of the operation of the excerpts. Empty without excerpts.
std::string published_section(const std::vector<Excerpt>& excerpts, const std::vector<Cell>& cells);

}  // namespace ladder::reports
