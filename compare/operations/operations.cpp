#include "compare/operations/operations.hpp"

#include <algorithm>

namespace ladder {

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> found;
    append_reduce(found);
    append_sum_of_cubes(found);
    append_dot(found);
    append_scans(found);
    append_histogram(found);
    return found;
  }();
  return all;
}

const Operation* find_operation(std::string_view name, std::string_view op, std::string_view dtype) {
  const auto found = std::ranges::find_if(operations(), [&](const Operation& o) { return o.name == name && o.op == op && o.dtype == dtype; });
  return found == operations().end() ? nullptr : &*found;
}

}  // namespace ladder
