#include "compare/driver/check_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "compare/driver/result_file.hpp"
#include "compare/driver/samples_check.hpp"
#include "reports/json.hpp"
#include "reports/soundness.hpp"
#include "reports/text.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using reports::Problem;
using reports::Soundness;

// What became of the samples, said where they could not be held against the times.
enum class Samples { checked, absent, unread };

std::string_view words(Samples samples) {
  constexpr std::string_view all[] = {"checked", "not beside the file", "not read: the file itself does not fit the schema"};
  return all[static_cast<std::size_t>(samples)];
}

Samples check_samples(const fs::path& file, const nlohmann::json& document, Soundness& found) {
  const fs::path samples = file.parent_path() / "samples.jsonl.gz";
  if (!found.fits_schema) return Samples::unread;
  std::error_code unknown;
  if (!fs::exists(samples, unknown)) return Samples::absent;
  for (Problem& problem : samples_problems(samples, document.get<reports::Results>())) found.errors.push_back(std::move(problem));
  return Samples::checked;
}

// The first of many tell what is wrong: a thousand rows that break the same rule tell no more.
std::string lines(std::string_view title, const std::vector<Problem>& problems) {
  constexpr std::size_t most = 100;
  if (problems.empty()) return "";
  std::string text = fmt::format("{}\n", title);
  for (std::size_t i = 0; i < std::min(most, problems.size()); ++i)
    text += fmt::format("  {}: {}\n", reports::printable(problems[i].where), reports::printable(problems[i].what));
  if (problems.size() > most) text += fmt::format("  and {} more, all of them with --json\n", reports::grouped(problems.size() - most));
  return text;
}

std::string as_text(const Soundness& found, Samples samples) {
  return fmt::format("{}{}{}: {}, {}, {}; samples: {}\n", lines("errors", found.errors), lines("warnings", found.warnings),
                     found.sound() ? "sound" : "not sound", reports::counted(found.rows, "row", "rows"),
                     reports::counted(found.errors.size(), "error", "errors"), reports::counted(found.warnings.size(), "warning", "warnings"),
                     words(samples));
}

nlohmann::json as_array(const std::vector<Problem>& problems) {
  nlohmann::json all = nlohmann::json::array();
  for (const Problem& problem : problems) all.push_back({{"where", problem.where}, {"what", problem.what}});
  return all;
}

}  // namespace

int check_command(const fs::path& given, bool as_json) {
  const fs::path file = result_file(given);
  const nlohmann::json document = reports::read_document(file);
  Soundness found = reports::soundness(document);
  const Samples samples = check_samples(file, document, found);
  if (as_json) {
    const nlohmann::json all{{"file", file.string()},
                             {"sound", found.sound()},
                             {"rows", found.rows},
                             {"errors", as_array(found.errors)},
                             {"warnings", as_array(found.warnings)},
                             {"samples", words(samples)}};
    fmt::print("{}\n", reports::terminal_json(all));
  } else {
    fmt::print("{}", as_text(found, samples));
  }
  return found.sound() ? 0 : 1;
}

}  // namespace ladder
