#include "reports/text/latex_escape.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/text/escape.hpp"

namespace ladder::reports {
namespace {

constexpr std::array<std::pair<char, std::string_view>, 16> commands{{
    {'\\', "\\textbackslash{}"},
    {'{', "\\textbraceleft{}"},  // BibTeX counts braces, and "\{" as one
    {'}', "\\textbraceright{}"},
    {'^', "\\textasciicircum{}"},
    {'~', "\\textasciitilde{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}"},
    {'"', "''"},
    {'[', "{[}"},  // behind "\\\\" it would be its argument, and so would *
    {'*', "{*}"},
    {'$', "\\$"},
    {'&', "\\&"},
    {'#', "\\#"},
    {'_', "\\_"},
    {'%', "\\%"},
}};

}  // namespace

std::string latex(std::string_view text) {
  constexpr std::string_view ligatures = "-`',";  // two of them would become another character
  std::string out;
  char before = 0;
  for (const char c : one_line(text)) {
    const auto byte = static_cast<unsigned char>(c);
    const auto* command = std::ranges::find(commands, c, &std::pair<char, std::string_view>::first);
    if (command != commands.end()) out += command->second;
    else if (byte >= 0xC0) out += '?';  // where a character begins
    else if (byte < 0x80) {
      if (c == before && ligatures.find(c) != ligatures.npos) out += "{}";
      out += c;
    }
    before = c;
  }
  return out;
}

}  // namespace ladder::reports
