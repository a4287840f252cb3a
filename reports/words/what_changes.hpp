// What changes from one rung to the next, where counts tell it.
#pragma once

#include <string>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

struct Step {
  Who who;           // the rung
  Input input;       // that both rungs were counted on
  std::string text;  // Markdown: "**`interleaved`** after `neighbored`: uses .."
};

// One for each rung and the one it follows, on the largest input that both were counted on.
std::vector<Step> explanations(const Cells& cells, const Order& order);

}  // namespace ladder::reports
