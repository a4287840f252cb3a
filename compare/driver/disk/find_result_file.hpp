// The file of a result set, as a user names it.
#pragma once

#include "compare/driver/terminal/places.hpp"

namespace ladder {

// The results.json in a folder; any other name stays what it is. Throws reports::BadFile where the
// folder holds a run that has written none.
fs::path result_file(const fs::path& given);

}  // namespace ladder
