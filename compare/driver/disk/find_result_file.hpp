// The file of a result set, as a user names it.
#pragma once

#include "compare/driver/terminal/places.hpp"

namespace ladder {

// The results.json in a folder, or of the latest run where nothing is given; any other name stays
// what it is. Throws reports::BadFile where the folder holds a run that has written none, and where
// there was no latest run.
fs::path result_file(fs::path given);

}  // namespace ladder
