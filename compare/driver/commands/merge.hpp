// `ladder merge`: the shards of one run become one result set.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ladder {

// files: result sets of `ladder run --shard`. command: as typed, for the record. Returns the exit
// code. Throws UsageError or reports::BadFile where they are not all the shards of one run.
int merge_command(const std::vector<std::filesystem::path>& files, const std::filesystem::path& out,
                  const std::string& command);

// Throws UsageError where a merged set cannot go into this folder.
void require_room_for_merge(const std::filesystem::path& out);

}  // namespace ladder
