#include "reports/formats/figures/drawn_ladders.hpp"

#include "reports/formats/figures/figures.hpp"
#include "reports/text/escape.hpp"

namespace ladder::reports {

std::string ladder_picture(const Report& report, const OperationResults& operation) {
  const std::string name = as_file_name(operation.name) + "-ladder";
  const auto found = report.pictures.find(name);
  if (found == report.pictures.end()) return "";
  const auto drawn = json::parse(found->second, nullptr, false);
  const json::json_pointer values("/data/values");
  const bool is_of_these =
      drawn.contains(values) &&
      drawn.at(values) ==
          figure_rows("ladder", report.rows(), telling_key(operation.cells, operation.order()));
  return is_of_these ? "figures/" + name + ".svg" : "";
}

}  // namespace ladder::reports
