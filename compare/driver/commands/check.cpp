#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <vector>

#include "compare/driver/commands/commands.hpp"
#include "compare/driver/disk/find_result_file.hpp"
#include "compare/driver/disk/write_files.hpp"
#include "compare/driver/results/sample_file.hpp"
#include "reports/file/result_file.hpp"
#include "reports/model/json.hpp"
#include "reports/soundness/soundness.hpp"
#include "reports/targets/targets.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/names.hpp"

namespace ladder {
namespace {

using reports::Flaw;
using reports::Soundness;

std::string_view in_words(reports::SamplesRead samples) {
  constexpr std::string_view all[] = {"not read: the file itself does not fit the schema",
                                      "not beside the file", "not checked: the errors say why",
                                      "checked"};
  return all[static_cast<std::size_t>(samples)];
}

constexpr std::uintmax_t page_limit = 1u << 20;  // of a page beside the set: ten times the longest

// The first of many tell what is wrong: a thousand rows that break the same rule tell no more.
std::string lines(std::string_view title, const std::vector<Flaw>& problems) {
  constexpr std::size_t most = 100;
  if (problems.empty()) return "";
  std::string text = fmt::format("{}\n", title);
  for (std::size_t i = 0; i < std::min(most, problems.size()); ++i)
    text += fmt::format("  {}: {}\n", reports::printable(problems[i].where),
                        reports::printable(problems[i].what));
  if (problems.size() > most)
    text += fmt::format("  and {} more, all of them with --json\n",
                        reports::grouped(problems.size() - most));
  return text;
}

// The report beside the set holds the table that follows from the set.
void check_report(const fs::path& page, const std::vector<reports::Band>& targets,
                  Soundness& found) {
  std::error_code unknown;
  if (!fs::is_regular_file(page, unknown) || fs::file_size(page, unknown) > page_limit) return;
  const std::string text = read_text(page);
  if (!targets.empty() &&
      text.find(reports::markdown_table(reports::targets_table(targets))) == text.npos)
    found.warn(page.string(),
               "its table of targets does not match the set; ./ladder report writes it again");
}

json in_json(const reports::Band& one) {
  return {{"operation", one.operation},
          {"n", one.sizes},
          {"faster", one.inputs.faster},
          {"slower", one.inputs.slower},
          {"no_difference_shown", one.inputs.no_difference},
          {"median", one.median},
          {"lowest", *one.worst->timing()->ratios.vs_fastest_library},
          {"median_of_limit", one.median_of_limit},
          {"lowest_of_limit",
           one.farthest == nullptr ? json() : json(*one.farthest->timing()->ratios.vs_limit)},
          {"input", one.worst->input},
          {"rung", one.worst->who},
          {"against", one.library->who}};
}

constexpr std::string_view not_seen =
    "No check can detect a forgery whose numbers all fit each other. Samples beside\n"
    "the set make one harder, and ./ladder compare with a run of your own shows it.\n";

std::string as_text(const Soundness& found, const std::vector<reports::Band>& targets,
                    const std::string& shards) {
  return fmt::format(
      "{}{}{}: {}{}, {}, {}; samples: {}\n{}{}", lines("errors", found.errors),
      lines("warnings", found.warnings), found.sound() ? "sound" : "not sound",
      shards.empty() ? "" : shards + ", ", reports::counted(found.rows, "row"),
      reports::counted(found.errors.size(), "error"),
      reports::counted(found.warnings.size(), "warning"), in_words(found.samples),
      targets.empty() ? "" : fmt::format("targets: {}\n", reports::targets_in_short(targets)),
      not_seen);
}

}  // namespace

int check_command(const fs::path& given, bool as_json) {
  const fs::path file = result_file(given);
  const json document = reports::read_document(file);
  Soundness found = reports::soundness(document, samples_beside(file));
  const auto results = found.fits_schema ? document.get<reports::Results>() : reports::Results{};
  const auto targets = reports::bands(results);
  check_report(file.parent_path() / "report.md", targets, found);
  if (as_json) {
    const json all{{"file", file.string()},
                   {"sound", found.sound()},
                   {"rows", found.rows},
                   {"errors", found.errors},
                   {"warnings", found.warnings},
                   {"targets", reports::each(targets, in_json)},
                   {"samples", in_words(found.samples)}};
    fmt::print("{}\n", reports::terminal_json(all));
  } else {
    fmt::print("{}", as_text(found, targets, reports::shards_in_words(results)));
  }
  return found.sound() ? 0 : 1;
}

}  // namespace ladder
