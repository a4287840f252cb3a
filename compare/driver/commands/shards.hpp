// `ladder run --shards`: the shards of a run side by side, each on a GPU of its own, and their
// merge.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compare/driver/commands/run.hpp"

namespace ladder {

// words: as typed; each shard is run with the same, and --shard and --device in place of --shards.
// Returns the exit code.
int run_shards(const RunOptions& options, const std::filesystem::path& workers,
               const std::vector<std::string>& words);

}  // namespace ladder
