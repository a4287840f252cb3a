#include "compare/driver/results/read_published.hpp"

#include <algorithm>
#include <system_error>

#include "compare/driver/disk/find_result_file.hpp"
#include "compare/driver/terminal/places.hpp"
#include "compare/driver/terminal/say.hpp"
#include "reports/file/result_file.hpp"

namespace ladder {
namespace {

std::vector<fs::path> folders() {
  if (checkout().empty()) return {};
  std::vector<fs::path> found;
  std::error_code error;  // most often: there is no such folder
  for (fs::directory_iterator at(checkout() / "reports" / "published", error);
       !error && at != fs::directory_iterator(); at.increment(error))
    if (std::error_code unknown; at->is_directory(unknown)) found.push_back(at->path());
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::vector<reports::Results> read_published() {
  std::vector<reports::Results> sets;
  for (const fs::path& folder : folders()) {
    try {
      std::error_code unknown;
      if (const fs::path file = result_file(folder); fs::exists(file, unknown) || unknown)
        sets.push_back(reports::read(file));
    } catch (const reports::BadFile& problem) {
      say("these published times are left out: {}", problem.what());
    }
  }
  return sets;
}

}  // namespace ladder
