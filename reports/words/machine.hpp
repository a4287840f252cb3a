// The machine of a result set, its software, and how to run the set again.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/text/markdown_table.hpp"

namespace ladder::reports {

std::string machine_in_short(const Results& results);
Table machine_table(const Results& results);
Table ceiling_table(const std::vector<Ceiling>& ceilings);
Table overhead_table(const std::vector<Overhead>& overheads);
std::string stopping_rules(const std::vector<Effort>& efforts);
std::string reproduce_commands(const Results& results);  // plain text

}  // namespace ladder::reports
