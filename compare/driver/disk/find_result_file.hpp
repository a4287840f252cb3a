// The file of a result set, as a user names it.
#pragma once

#include <filesystem>

namespace ladder {

// The results.json in a folder; any other name stays what it is. Throws reports::BadFile where the
// folder holds a run that has written none.
std::filesystem::path result_file(const std::filesystem::path& given);

}  // namespace ladder
