#include "compare/emulated/memory/names.hpp"

#include <boost/core/demangle.hpp>
#include <regex>

namespace ladder::emulated {

namespace {

// The place of the last of these characters that stands outside all brackets.
std::size_t last_outside_brackets(std::string_view text, std::string_view characters) {
  int depth = 0;
  for (std::size_t k = text.size(); k-- > 0;) {
    if (text[k] == '(' || text[k] == '<') --depth;
    if (depth == 0 && characters.find(text[k]) != characters.npos) return k;
    if (text[k] == ')' || text[k] == '>') ++depth;
  }
  return text.npos;
}

}  // namespace

std::string_view own_name(std::string_view function) {
  function = function.substr(0, last_outside_brackets(function, "("));
  return function.substr(last_outside_brackets(function, ": ") + 1);  // npos + 1 is 0
}

std::string without_our_scopes(std::string name) {
  static const std::regex ours(
      R"(\(anonymous namespace\)::|\bladder::|\bemulated_(handwritten|vendor)_\w+::)");
  return std::regex_replace(name, ours, "");
}

std::string last_name(const std::string& mangled) {
  const std::string whole = boost::core::demangle(mangled.c_str());
  const std::size_t scope = whole.rfind("::");
  return scope == whole.npos ? whole : whole.substr(scope + 2);
}

}  // namespace ladder::emulated
