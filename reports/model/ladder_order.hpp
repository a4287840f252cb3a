// Where everything stands in a report. The results say it themselves: operations by their place,
// operators as their operation lists them, rungs as their ladder has them. What they do not list
// comes last.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "reports/model/element_types.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

class Order {
 public:
  explicit Order(const Results& results);

  std::size_t of_operation(const std::string& name) const;
  std::size_t of_operator(const Input& input) const;
  std::size_t of(const Cell& cell) const;  // of its rung on the ladder of its operation
  std::size_t of(const Rung& rung) const;
  // one of the usual distributions, the usual number of bins, not displaced
  bool is_usual(const Input& input) const;
  const Operation* operation(const std::string& name) const;  // null: the results do not list it
  // null: the results do not list its rung
  const Rung* card(const Cell& cell) const;
  const Rung* followed_by(const Rung& rung) const;  // null: it follows none
  // The names of the operations that these cells are of.
  std::vector<std::string> operations(const Cells& cells) const;

 private:
  std::map<std::string, std::pair<std::size_t, const Operation*>> operations_;
  // by operation, provider and name
  std::map<std::tuple<std::string, std::string, std::string>, std::pair<std::size_t, const Rung*>>
      rungs_;
};

// Sorts the rungs of each operation as its ladder has them: hand-written rungs first, each after
// the one it follows, then the libraries.
void sort_as_ladder(std::vector<Rung>& rungs);

// Operations by place, their rungs as ladders, and cells by operation, then by how they ran, then
// by input, and in each group up the ladder.
void sort(Results& results);

// Cells of one input: the references on one device first.
void sort_as_ladder(Cells& cells, const Order& order);

}  // namespace ladder::reports
