// The part of a result set that a table, a figure or a citation is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"
#include "reports/text/lists.hpp"

namespace ladder::reports {

// An empty list leaves everything in.
struct Choice {
  std::vector<std::string> operations = {}, operators = {}, rungs = {}, dtypes = {};
  std::vector<std::uint64_t> sizes = {};

  bool operator==(const Choice&) const = default;
};

template <class T>
bool chosen(const std::vector<T>& choice, const T& value) {
  return choice.empty() || has(choice, value);
}

// "handwritten/reduce/interleaved": no two rungs share it, while rungs of several operations share
// a name.
std::string full_name(const std::string& operation, const Who& who);

// A choice of rungs has names, full names or both.
bool chosen_rung(const std::vector<std::string>& choice, const std::string& operation,
                 const Who& who);

bool fits(const Choice& choice, const CellKey& key);

// All backends, contracts and inputs of a set are too many for a page. So of each operation one
// group: what fits, on the input that tells most of all rungs. Where operators, types or sizes are
// chosen by name, each of them has a group of its own. The cells of a group were run in one way,
// and stand in the order of the ladder.
std::vector<Cells> telling_groups(const Cells& cells, const Choice& choice, const Order& order);

// The cell that the choice leaves, if it is one and has a time or counts.
std::optional<Cell> chosen_cell(const Cells& cells, const Choice& choice, const Order& order);

}  // namespace ladder::reports
