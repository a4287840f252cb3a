// `ladder report`: renders result sets as pages.
#pragma once

#include <filesystem>
#include <vector>

namespace ladder {

// files: one set, or several to show side by side. out: the folder for the report; empty: that of
// the only file. Returns the exit code. Throws UsageError and reports::BadFile.
int report_command(const std::vector<std::filesystem::path>& files,
                   const std::filesystem::path& out);

}  // namespace ladder
