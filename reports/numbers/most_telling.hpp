// The GPU times of a result set in short: of one operation, for the input that tells most.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

std::vector<Cell> of_operation(const std::vector<Cell>& cells, const std::string& operation);
std::map<std::string, std::vector<Cell>> by_operation(const std::vector<Cell>& cells);

// cells: of one operation. Those that share one input with an answer: until the result is in device
// memory, from cold caches, on arrays that are not displaced, at most 2^28 elements, and the
// largest of those. In the order of the ladder; empty where there are none.
std::vector<Cell> telling_gpu_times(const std::vector<Cell>& cells, const Order& order);

// The cells of the most telling input, among those that nearly all rungs passed.
std::vector<Cell> telling_of_nearly_all(const std::vector<Cell>& cells, const Order& order);

// telling_gpu_times(). Where nothing was timed on a GPU: telling_of_nearly_all().
std::vector<Cell> telling_cells(const std::vector<Cell>& cells, const Order& order);

// What an excerpt says of the run it is from.
std::string short_id(const Run& run);  // 12 digits, as the report's BibTeX entry has them
std::string gpu_name(const Results& results);

// "`reduce` by sum, i32, n = 2^28 (268,435,456), input random, cold cache", as Markdown; as plain
// text without the marks around the name
std::string input_in_words(const CellKey& key);
std::string input_in_plain_words(const CellKey& key);
std::string input_in_short(const Input& input);  // "sum, i32, n = 2^28", as Markdown

}  // namespace ladder::reports
