// The study notes at a glance: for each its rungs, the library calls beside them, and the verdicts
// on its claims.
#pragma once

#include <string>

#include "reports/model/model.hpp"

namespace ladder::reports {

// As Markdown; empty where the results have no rung of a note.
std::string notes_overview(const Results& results);

}  // namespace ladder::reports
