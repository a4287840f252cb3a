// What changes from one rung to the next, where counts tell it.
#pragma once

#include <string>
#include <vector>

#include "reports/model.hpp"

namespace ladder::reports {

// One Markdown list item for each rung and the one it improves on, among cells that differ in nothing but their rung.
std::vector<std::string> explanations(const std::vector<Cell>& cells);

}  // namespace ladder::reports
