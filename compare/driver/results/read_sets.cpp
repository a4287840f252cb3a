#include "compare/driver/results/read_sets.hpp"

#include <utility>

#include "compare/driver/disk/find_result_file.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "reports/file/result_file.hpp"

namespace ladder {

std::vector<reports::GivenSet> read_sets(const std::vector<fs::path>& files) {
  if (files.size() > reports::most_sets)
    throw UsageError("{} sets are more than a figure can tell apart; name {} at most", files.size(),
                     reports::most_sets);
  std::vector<reports::GivenSet> sets;
  for (const fs::path& given : files) {
    const fs::path file = result_file(given);
    reports::Results results = reports::read(file);
    reports::Soundness found = judge(file, results);
    sets.push_back({file.string(), std::move(results), std::move(found)});
  }
  return sets;
}

}  // namespace ladder
