#include "compare/driver/check_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "compare/driver/result_file.hpp"
#include "compare/driver/samples.hpp"
#include "reports/json.hpp"
#include "reports/soundness.hpp"
#include "reports/text.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using reports::Problem;
using reports::Soundness;

std::string_view in_words(reports::SamplesRead samples) {
  constexpr std::string_view all[] = {"not read: the file itself does not fit the schema", "not beside the file", "checked"};
  return all[static_cast<std::size_t>(samples)];
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

constexpr std::string_view not_seen =
    "No check can tell a measurement from a forgery that follows through everything\n"
    "(other times, another card, another commit); samples beside the set help, and\n"
    "so does ./ladder compare with a run of your own.\n";

std::string as_text(const Soundness& found) {
  return fmt::format("{}{}{}: {}, {}, {}; samples: {}\n{}", lines("errors", found.errors), lines("warnings", found.warnings),
                     found.sound() ? "sound" : "not sound", reports::counted(found.rows, "row", "rows"),
                     reports::counted(found.errors.size(), "error", "errors"), reports::counted(found.warnings.size(), "warning", "warnings"),
                     in_words(found.samples), not_seen);
}

nlohmann::json as_array(const std::vector<Problem>& problems) {
  nlohmann::json all = nlohmann::json::array();
  for (const Problem& problem : problems) all.push_back({{"where", problem.where}, {"what", problem.what}});
  return all;
}

}  // namespace

int check_command(const fs::path& given, bool as_json) {
  const fs::path file = result_file(given);
  const Soundness found = reports::soundness(reports::read_document(file), samples_beside(file));
  if (as_json) {
    const nlohmann::json all{{"file", file.string()},
                             {"sound", found.sound()},
                             {"rows", found.rows},
                             {"errors", as_array(found.errors)},
                             {"warnings", as_array(found.warnings)},
                             {"samples", in_words(found.samples)}};
    fmt::print("{}\n", reports::terminal_json(all));
  } else {
    fmt::print("{}", as_text(found));
  }
  return found.sound() ? 0 : 1;
}

}  // namespace ladder
