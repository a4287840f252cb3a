#include "compare/driver/commands/completion.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "compare/driver/commands/list.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "compare/driver/terminal/parse_size.hpp"
#include "compare/driver/terminal/places.hpp"
#include "compare/driver/terminal/shell.hpp"

namespace ladder {
namespace {

struct Option {
  std::string name, help;  // "--size" or "-h"; of words that are no options: "file"
  std::string value;       // what --help calls it; empty: it takes none
  bool is_list = false;

  bool is_positional() const { return !name.starts_with('-'); }
  const char* before_value() const { return !value.empty() && name.starts_with("--") ? "=" : ""; }
};

// The help of `test` is the one list of its options: the script ./ladder takes them before there is
// a driver.
std::vector<Option> options_in(const std::string& help) {
  static const std::regex line_of("  (-.*?)(  +(.*))?"), option("(-[-A-Za-z]+)( <([a-z]+)>)?");
  std::vector<Option> all;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);)
    if (std::smatch parts; std::regex_match(line, parts, line_of)) {
      const std::string names = parts[1];
      for (std::sregex_iterator at(names.begin(), names.end(), option), end; at != end; ++at)
        all.push_back({at->str(1), parts[3], at->str(3)});
    }
  return all;
}

std::vector<Option> options_of(const CLI::App& command) {
  std::vector<Option> all;
  for (const CLI::Option* one : command.get_options())
    for (const std::string& name : between_commas(one->get_name(false, true)))
      all.push_back({name, one->get_description(),
                     one->get_type_size() == 0 ? "" : one->get_type_name(),
                     one->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll});
  if (command.get_name() == "test" && !checkout().empty())
    std::ranges::move(options_in(captured(quoted(checkout() / "ladder") + " test --help").text),
                      std::back_inserter(all));
  return all;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  constexpr std::string_view hole = "%driver%";
  std::string script = completion_scripts[std::ranges::find(shells, shell) - shells.begin()];
  return script.replace(
      script.find(hole), hole.size(),
      fmt::format("env LADDER_ROOT={} {}", quoted(checkout()), quoted(this_program())));
}

std::string completed(const CLI::App& app, std::vector<std::string> words,
                      const NamesOf& names_of) {
  if (words.back() == "=") words.emplace_back();  // bash breaks words at =
  std::erase(words, "=");
  std::string word = words.back();
  words.pop_back();
  // in place of a command options of `run` may stand too
  const bool is_first = words.empty();
  const std::string name = is_first || words[0].starts_with('-') ? "run" : words[0];
  const auto found =
      app.get_subcommands([&](const CLI::App* one) { return one->get_name() == name; });
  if (found.empty()) return "";
  std::vector<Option> options = options_of(*found[0]);
  if (is_first) std::ranges::move(options_of(app), std::back_inserter(options));

  if (const auto mark = word.find('='); word.starts_with("--") && mark != word.npos) {
    words.push_back(word.substr(0, mark));
    word.erase(0, mark + 1);
  }
  auto option = std::ranges::find(options, words.empty() ? "" : words.back(), &Option::name);
  const bool is_value = option != options.end() && !option->value.empty();
  if (!is_value) option = std::ranges::find_if(options, &Option::is_positional);
  std::map<std::string, std::string> candidates;  // with their help
  if (!is_value && word.starts_with('-')) {
    for (const Option& one : options)
      if (!one.is_positional()) candidates[one.name + one.before_value()] = one.help;
  } else if (!is_value && is_first) {
    for (const CLI::App* one : app.get_subcommands({}))
      candidates[one->get_name()] = one->get_description();
  } else if (option != options.end()) {
    const std::string &value = option->value, list = CLI::detail::to_lower(value);
    if (value == "FILE") return "files\n";
    if (value == "DIR") return "folders\n";
    std::string values;
    if (value.starts_with('{')) values = value.substr(1, value.size() - 2);
    if (has(listed_names, list)) values = names_of(list);
    std::ranges::replace(values, ',', '\n');
    std::istringstream lines(values);
    for (std::string line; std::getline(lines, line);)
      candidates[(option->is_list ? word.substr(0, word.rfind(',') + 1) : "") + line];
  }
  std::string text = "words\n";
  for (const auto& [candidate, help] : candidates) text += fmt::format("{}\t{}\n", candidate, help);
  return text;
}

}  // namespace ladder
