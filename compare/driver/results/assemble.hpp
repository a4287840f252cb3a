// Makes the result model from what was recorded: times with their intervals, bandwidths, ratios.
// Nothing is measured here.
#pragma once

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/study/record.hpp"
#include "reports/model/model.hpp"

namespace ladder {

// Without run.id, which comes with writing. A cell that was not finished is left out.
reports::Results assemble(const Catalogue& catalogue, const Record& record,
                          const reports::Run& run);

}  // namespace ladder
