// A page of report/, about one operation: its ladder, the tables, what explains them, and what did
// not run.
#pragma once

#include <string>
#include <vector>

#include "reports/formats/markdown/times_and_counts.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

// cells: of one operation of the run. gpu: times of it on a GPU, of this run or of others. Below
// the page's title. Where it would be longer than GitHub shows well, tables are left out, and it
// says so: first those of small sizes without the first operator, then those with it.
std::string operation_page(const Results& run, const Order& order, const std::vector<Cell>& cells,
                           const std::vector<Excerpt>& gpu);

// "Timed on the GPU: device result, cold cache, 256 bins, displaced by 1": of the input its bins
// and its offset
std::string how_in_words(const How& how, const Input& input);

}  // namespace ladder::reports
