// The figures that the study notes print, beside those of a run.
#pragma once

#include <string>

#include "reports/notes/evidence.hpp"

namespace ladder::reports {

// A table for each note on an operation among these cells; empty where there are none. gpu: its
// name.
std::string printed_section(const Cells& cells, const std::string& gpu);

}  // namespace ladder::reports
