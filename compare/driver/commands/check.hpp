// `ladder check`: is this result set sound, whoever it is from?
#pragma once

#include <filesystem>

namespace ladder {

// file: a results.json, or its folder. Returns the exit code: 0 sound, 1 not. Throws
// reports::BadFile for what is no result file.
int check_command(const std::filesystem::path& file, bool as_json);

}  // namespace ladder
