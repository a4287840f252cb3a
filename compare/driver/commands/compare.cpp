#include <fmt/format.h>
#include <unistd.h>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/disk/find_result_file.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "reports/file/result_file.hpp"
#include "reports/formats/terminal/comparison_text.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/compare_sets.hpp"

namespace ladder {
namespace {

// A set that contradicts itself is compared all the same: its other rows may be right.
reports::Results read(const fs::path& file) {
  auto results = reports::read(file);
  judge(file, results);
  return results;
}

}  // namespace

int compare_command(const CompareOptions& options) {
  const fs::path file_a = result_file(options.a), file_b = result_file(options.b);
  const reports::Results results_a = read(file_a), results_b = read(file_b);
  const reports::NamedSet a{file_a.string(), results_a}, b{file_b.string(), results_b};
  const auto all = reports::comparison(results_a, results_b);
  if (options.as_json) {
    fmt::print("{}\n", reports::terminal_json(reports::comparison_json(a, b, all)));
  } else {
    fmt::print("{}",
               reports::comparison_text(
                   a, b, all,
                   isatty(STDOUT_FILENO) == 1 ? reports::rows_on_a_terminal : reports::no_limit));
  }
  if (!options.fail_on_slower) return 0;
  if (!reports::any_compared(all))
    throw UsageError("no row of these sets can be compared, so none can be called slower");
  return reports::any_slower(all) ? 1 : 0;
}

}  // namespace ladder
