// The picture and the table in the README: what a visitor of the repository sees of a published
// result set.
#pragma once

#include <string>
#include <string_view>

#include "reports/formats/report.hpp"
#include "reports/model/model.hpp"

namespace ladder::reports {

// As Markdown. folder: where the set is, as the README's links name it.
std::string headline(const Results& results, std::string_view folder,
                     const Pictures& pictures = {});

}  // namespace ladder::reports
