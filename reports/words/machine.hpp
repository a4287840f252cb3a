// The machine of a result set, its software, and how to run the set again.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder::reports {

// Rows of Markdown, a text for each column.
using TextRows = std::vector<std::vector<std::string>>;

std::string machine_in_short(const Results& results);
TextRows machine_rows(const Results& results);  // part, what
TextRows ceiling_rows(
    const std::vector<Ceiling>& ceilings);  // where, access, data in, bytes moved, GB/s
TextRows overhead_rows(const std::vector<Overhead>& overheads);  // where, contract, timed, median
std::string stopping_rules(const std::vector<Effort>& efforts);
std::string reproduce_commands(const Results& results);  // plain text

}  // namespace ladder::reports
