// Completion on the command line, for shells: made from the options of the parser.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace ladder {

inline constexpr std::array shells{"bash", "zsh", "fish"};
// By shell, with a hole: completion/ladder.bash and its neighbors, baked in at build. With each tab
// they ask `ladder --complete WORD...`, the last word up to the cursor.
extern const std::array<const char*, shells.size()> completion_scripts;

std::string completion_script(std::string_view shell);  // for one of the shells

// one a line; of: one of listed_names (list.hpp)
using NamesOf = std::function<std::string(std::string_view of)>;

// What may stand in place of the last word. The first line: "words", and then one a line, a tab and
// its help; or "files" or "folders", which the shell knows. What --help calls a value says how it
// is completed: {a,b} by one of these, FILE and DIR by what is there, RUNG and the like by their
// names, and other words by nothing. A long option that takes a value ends with =.
std::string completed(const CLI::App& app, std::vector<std::string> words, const NamesOf& names_of);

}  // namespace ladder
