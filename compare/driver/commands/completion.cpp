#include "compare/driver/commands/completion.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

#include "compare/driver/commands/list.hpp"
#include "compare/driver/terminal/shell.hpp"
#include "reports/text/lists.hpp"

namespace ladder {
namespace {

struct Option {
  std::string name, help;  // "--size" or "-h"
  std::string value;       // what --help calls it; empty: it takes none
  bool is_list = false;
};

struct Command {
  std::string name, help;  // no name: before a command is named
  std::vector<Option> options;
  std::string value;  // of the words that are no options; empty: there are none

  std::string option_names() const {
    std::vector<std::string> names;
    for (const Option& option : options) names.push_back(option.name);
    return reports::joined(names, " ");
  }
};

Command command_of(const CLI::App& app) {
  Command command{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* one : app.get_options()) {
    const std::string value = one->get_type_size() == 0 ? "" : one->get_type_name();
    if (one->get_positional()) command.value = value;
    const bool is_list = one->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    for (const std::string& name : one->get_lnames())
      command.options.push_back({"--" + name, one->get_description(), value, is_list});
    for (const std::string& name : one->get_snames())
      command.options.push_back({"-" + name, one->get_description(), value, is_list});
  }
  return command;
}

// The help of `test` is the one list of its options: the script ./ladder takes them before there is
// a driver.
std::vector<Option> options_in(const std::string& help) {
  static const std::regex option("(-[-A-Za-z]+)( <([a-z]+)>)?");
  std::vector<Option> all;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  -")) continue;
    const std::size_t gap = std::min(line.find("  ", 2), line.size());
    const std::string names = line.substr(0, gap),
                      meaning =
                          line.substr(std::min(line.find_first_not_of(' ', gap), line.size()));
    for (std::sregex_iterator at(names.begin(), names.end(), option), end; at != end; ++at)
      all.push_back({at->str(1), meaning, at->str(3), true});
  }
  return all;
}

// The first is for the place of a command, where options of `run` may stand too.
std::vector<Command> commands_of(const CLI::App& app, const std::filesystem::path& root) {
  std::vector<Command> all{command_of(app)};
  all[0].name.clear();
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands({})) {
    Command& command = all.emplace_back(command_of(*one));
    if (command.name == "test" && !root.empty())
      std::ranges::move(options_in(captured(quoted(root / "ladder") + " test --help").text),
                        std::back_inserter(command.options));
    names.push_back(command.name);
    if (command.name != "run") continue;
    for (const Option& option : command.options)
      if (std::ranges::find(all[0].options, option.name, &Option::name) == all[0].options.end())
        all[0].options.push_back(option);
  }
  all[0].value = '{' + reports::joined(names, ",") + '}';
  return all;
}

// What stands in place of each hole of a script.
using Holes = std::vector<std::pair<std::string, std::string>>;

// How a shell completes each kind of value, with {} for the words or for what `list --names` is
// asked. some_of, some_listed: the same of a list, where another value follows a comma.
struct Ways {
  std::string one_of, some_of, listed, some_listed, file, folder, nothing;

  std::string of(const std::string& value, bool is_list = false) const {
    if (value.starts_with('{')) {
      std::string words = value.substr(1, value.size() - 2);
      std::ranges::replace(words, ',', ' ');
      return fmt::format(fmt::runtime(is_list ? some_of : one_of), words);
    }
    std::string name = value;
    std::ranges::transform(name, name.begin(), [](unsigned char letter) {
      return static_cast<char>(std::tolower(letter));
    });
    if (std::ranges::count(listed_names, name) > 0)
      return fmt::format(fmt::runtime(is_list ? some_listed : listed), name);
    return value == "FILE" ? file : value == "DIR" ? folder : nothing;
  }
};

Holes in_bash(const std::vector<Command>& commands) {
  const Ways ways{.one_of = "words='{}'",
                  .some_of = "words='{}' last=${{word##*,}}",
                  .listed = "words=$(_ladder_names {})",
                  .some_listed = "words=$(_ladder_names {}) last=${{word##*,}}",
                  .file = "files=-f",
                  .folder = "files=-d",
                  .nothing = ":"};
  std::string values, words;
  for (const Command& command : commands) {
    for (const Option& option : command.options)
      if (!option.value.empty() && !command.name.empty())
        values += fmt::format("    '{} {}') {} ;;\n", command.name, option.name,
                              ways.of(option.value, option.is_list));
    words += fmt::format("        '{} -') words='{}' ;;\n", command.name, command.option_names());
    if (!command.value.empty())
      words += fmt::format("        '{} '*) {} ;;\n", command.name, ways.of(command.value));
  }
  return {{"%values%\n", values}, {"%words%\n", words}};
}

Holes in_zsh(const std::vector<Command>& commands) {
  const Ways ways{.one_of = "({})",
                  .some_of = "_sequence compadd - {}",
                  .listed = "_ladder_names {}",
                  .some_listed = "_sequence _ladder_names - {}",
                  .file = "_files",
                  .folder = "_files -/",
                  .nothing = " "};  // zsh adds words of its own where no space stands first
  const auto in_brackets = [](const std::string& help) {
    return std::regex_replace(help, std::regex(R"([\[\]\\])"), R"(\$&)");
  };
  std::string names, cases;
  for (const Command& command : commands) {
    cases += fmt::format("    {}) _arguments", quoted(command.name));
    for (const Option& option : command.options) {
      const bool takes = !option.value.empty(), joins = takes && option.name.starts_with("--");
      const std::string value =
          takes ? fmt::format(":{}:{}", option.name.substr(option.name.find_first_not_of('-')),
                              ways.of(option.value, option.is_list))
                : "";
      cases +=
          " \\\n      " + quoted(fmt::format("{}{}{}[{}]{}", option.is_list ? "*" : "", option.name,
                                             joins ? "=" : "", in_brackets(option.help), value));
    }
    const std::string words = command.name.empty() ? "_ladder_commands" : ways.of(command.value);
    if (!command.value.empty()) cases += " \\\n      " + quoted("*:word:" + words);
    cases += " ;;\n";
    if (!command.name.empty()) names += "    " + quoted(command.name + ':' + command.help) + '\n';
  }
  return {{"%names%\n", names}, {"%cases%\n", cases}};
}

Holes in_fish(const std::vector<Command>& commands) {
  const Ways ways{.one_of = "-x -a '{}'",
                  .some_of = "-x -a '(_ladder_some {})'",
                  .listed = "-x -a '(_ladder_names {})'",
                  .some_listed = "-x -a '(_ladder_some (_ladder_names {}))'",
                  .file = "-r -F",
                  .folder = "-x -a '(__fish_complete_directories)'",
                  .nothing = "-x"};
  std::string lines;
  for (const Command& command : commands) {
    const std::string at = fmt::format("complete -c ladder -n '_ladder_is {}'",
                                       command.name.empty() ? "nothing" : command.name);
    for (const Option& option : command.options) {
      const std::size_t dashes = option.name.find_first_not_of('-');
      const char* const kind = dashes == 2 ? "-l" : option.name.size() == 2 ? "-s" : "-o";
      lines += fmt::format("{} {} {} {} -d {}\n", at, kind, option.name.substr(dashes),
                           option.value.empty() ? "" : ways.of(option.value, option.is_list),
                           quoted(option.help));
    }
    if (command.name.empty()) continue;
    if (!command.value.empty()) lines += fmt::format("{} {}\n", at, ways.of(command.value));
    lines += fmt::format("complete -c ladder -n '_ladder_is nothing' -a {} -d {}\n", command.name,
                         quoted(command.help));
  }
  return {{"%lines%\n", lines}};
}

}  // namespace

std::string completion_script(const CLI::App& app, std::string_view shell,
                              const std::filesystem::path& driver,
                              const std::filesystem::path& root) {
  const auto commands = commands_of(app, root);
  Holes holes = shell == "bash"  ? in_bash(commands)
                : shell == "zsh" ? in_zsh(commands)
                                 : in_fish(commands);
  holes.emplace_back("%driver%", quoted(driver));
  std::string script = completion_scripts[std::ranges::find(shells, shell) - shells.begin()];
  for (const auto& [hole, text] : holes) script.replace(script.find(hole), hole.size(), text);
  return script;
}

}  // namespace ladder
