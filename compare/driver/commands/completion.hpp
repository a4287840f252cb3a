// Completion on the command line, for shells: made from the options of the parser.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace ladder {

inline constexpr std::array shells{"bash", "zsh", "fish"};
// By shell, with holes: completion/ladder.bash and its neighbors, baked in at build.
extern const std::array<const char*, shells.size()> completion_scripts;

// The script for one of the shells. What --help calls a value says how it is completed: {a,b} by
// one of these, FILE and DIR by what is there, RUNG and the like by `list --names` of this driver,
// and other words by nothing. root: of the checkout, whose script ./ladder has the command `test`.
std::string completion_script(const CLI::App& app, std::string_view shell,
                              const std::filesystem::path& driver,
                              const std::filesystem::path& root);

}  // namespace ladder
