#include <fmt/format.h>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/disk/find_result_file.hpp"
#include "compare/driver/results/read_published.hpp"
#include "compare/driver/results/read_sets.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/results/write_result_set.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/html/several_sets.hpp"
#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"
#include "reports/text/escape.hpp"

namespace ladder {
namespace {

int report_of_several(const std::vector<fs::path>& files, const fs::path& out) {
  if (out.empty())
    throw UsageError("a report of several sets needs a folder of its own: --out DIR");
  write_report(out, reports::sets_files(read_sets(files)));
  fmt::print("report: {}\n", reports::one_line((out / "sets.html").string()));
  return 0;
}

}  // namespace

int report_command(const std::vector<fs::path>& files, const fs::path& out) {
  if (files.size() > 1) return report_of_several(files, out);
  const fs::path file = result_file(files.empty() ? "" : files[0]);
  const reports::Results results = reports::read(file);
  const fs::path folder = out.empty() ? file.parent_path() : out;
  const Published published = reports::shows_published(results) ? read_published() : Published{};
  reports::Report report(results, published, judge(file, results));
  report.pictures = pictures_in(folder);
  write_report(folder.empty() ? "." : folder, reports::report_files(report));
  fmt::print("{}report: {}\n", reports::text_of("summary", report),
             reports::one_line((folder / "report.html").string()));
  return 0;
}

}  // namespace ladder
