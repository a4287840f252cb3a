// A result set with what every report asks of it: its order, its cells by operation, and of each
// operation the cells that tell most and the fastest of them. Computed once.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

// The fastest on the input that tells most. References on one device take no part where there are
// rows over devices.
struct Fastest {
  std::optional<Cell> by_hand, library;  // none where none was timed on a GPU
  // the fastest library that promises as much as by_hand; none where that is not known
  std::optional<Cell> same_promise;
};

class ResultSet;

struct OperationResults {
  const ResultSet& set;
  std::string name;
  Cells cells;      // all of the operation, in the order of the set
  Cells gpu_times;  // telling_gpu_times()
  Fastest fastest;

  const Order& order() const;
  bool ran_on(Backend backend) const;
  std::map<Backend, Cells> by_backend() const;
};

class ResultSet {
 public:
  ResultSet(const Results& results);  // which outlive it
  ResultSet(const ResultSet&) = delete;

  const OperationResults* operation(const std::string& name) const;  // null: it has no cell of it

  const Results& results;
  const Order order;
  const unsigned most_devices;                     // most_devices_of()
  const std::vector<OperationResults> operations;  // by place
};

// The published sets with GPU times of an operation for which `own` has none: the operation as each
// of them has it. Empty where `own` ran on a GPU.
std::vector<const OperationResults*> published_times(const OperationResults& own,
                                                     const std::list<ResultSet>& published);

// Whether it has an operation that it did not run on a GPU.
bool shows_published(const Results& results);

}  // namespace ladder::reports
