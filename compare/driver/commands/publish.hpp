// `ladder publish`: puts the result sets of a GPU where this checkout publishes them.
#pragma once

#include <filesystem>
#include <vector>

namespace ladder {

// given: of one GPU, a full study and, where it did not read the GPU's counters, a run that did.
// checkout: the root. Returns the exit code: 1 where they cannot be published, and then says why
// and writes nothing. Throws UsageError and reports::BadFile.
int publish_command(const std::vector<std::filesystem::path>& given,
                    const std::filesystem::path& checkout);

}  // namespace ladder
