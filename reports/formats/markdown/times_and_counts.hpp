// Times on a GPU beside the counts that explain them: of one run, or where that had no GPU, of
// result sets that are published.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

struct Excerpt {
  const Results* from = nullptr;
  std::vector<Cell> times;
  std::map<Who, Cell> to_host;  // the same input until the host holds the result
};

// cells: of one operation, of `run`. Where they hold times of a GPU and counts of the emulated
// backend, one of the run itself. Where they hold nothing of a GPU, one for each published set that
// has times of it.
std::vector<Excerpt> excerpts(const Results& run, const Order& order,
                              const std::vector<Cell>& cells,
                              const std::vector<Results>& published);

// Whether it has an operation for which that is so.
bool shows_published(const Results& run);

// order, cells: of the run, and of the operation of the excerpts. Empty without excerpts.
std::string times_and_counts(const std::vector<Excerpt>& excerpts, const Results& run,
                             const Order& order, const std::vector<Cell>& cells);

}  // namespace ladder::reports
