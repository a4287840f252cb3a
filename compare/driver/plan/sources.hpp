// The files of rungs, as they were when this program was built: what a report opens a rung into.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/model.hpp"

namespace ladder {

// texts by their path from the root of the project: "handwritten/reduce/packed.cu"
using SourceTexts = std::map<std::string, std::string>;

SourceTexts project_sources();
// Those of a folder of kernels from elsewhere. A file that no editor wrote is left out.
SourceTexts sources_in(const std::filesystem::path& kernels);

// The file of the rung with this path, such as "vendor/dot/cublas"; empty where there is none. A
// call of a newer release is that of the usual one, compiled once more: "vendor/dot/cub_3_5".
std::string file_of(const std::string& path, const SourceTexts& sources);

// The files of these rungs, and what they include, in the order of their paths.
std::vector<reports::SourceFile> sources_of(const std::vector<reports::Rung>& rungs,
                                            const SourceTexts& sources);

}  // namespace ladder
