#include <fmt/format.h>

#include <algorithm>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/disk/find_result_file.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/results/write_result_set.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/places.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/html/site.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"

namespace ladder {
namespace {

// The folders that hold a set, with their names in `published`: a set of counts is part of the set
// beside it.
std::vector<fs::path> set_folders(const fs::path& published) {
  std::vector<fs::path> found;
  std::error_code none;
  for (fs::recursive_directory_iterator at(published, none), end; !none && at != end;
       at.increment(none))
    if (at->is_directory() && at->path().filename() != "counters" &&
        fs::exists(result_file(at->path())))
      found.push_back(at->path());
  std::ranges::sort(found);
  return found;
}

}  // namespace

int site_command(const fs::path& out) {
  if (out.empty()) throw UsageError("a site needs a folder of its own: --out DIR");
  const fs::path published = checkout() / "reports" / "published";
  std::vector<reports::GivenSet> sets;
  for (const fs::path& folder : set_folders(published)) {
    const fs::path file = result_file(folder);
    reports::Results results = reports::read(file);
    reports::Soundness found = judge(file, results);
    sets.push_back({reports::printable(folder.lexically_relative(published).string()),
                    std::move(results), std::move(found)});
  }
  if (sets.empty())
    throw UsageError("there is no result set in {}; ./ladder publish puts one there",
                     reports::printable(published.string()));
  write_report(out, reports::site(sets));
  fmt::print("site of {}: {}\n", reports::counted(sets.size(), "set"),
             reports::one_line((out / "index.html").string()));
  return 0;
}

}  // namespace ladder
