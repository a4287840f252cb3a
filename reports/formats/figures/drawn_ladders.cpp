#include "reports/formats/figures/drawn_ladders.hpp"

#include <nlohmann/json.hpp>

#include "reports/formats/figures/figures.hpp"
#include "reports/text/escape.hpp"

namespace ladder::reports {

std::string ladder_picture(const std::string& operation, const std::vector<Cell>& cells,
                           const Order& order, const std::vector<FlatRow>& rows,
                           const Pictures& pictures) {
  const std::string name = as_file_name(operation) + "-ladder";
  const auto found = pictures.find(name);
  if (found == pictures.end()) return "";
  const auto drawn = nlohmann::json::parse(found->second, nullptr, false);
  const nlohmann::json::json_pointer values("/data/values");
  const bool is_of_these =
      drawn.contains(values) &&
      drawn.at(values) == figure_rows("ladder", rows, telling_key(cells, order));
  return is_of_these ? "figures/" + name + ".svg" : "";
}

}  // namespace ladder::reports
