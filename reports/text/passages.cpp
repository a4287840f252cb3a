#include "reports/text/passages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "reports/text/embedded.hpp"

namespace ladder::reports {

std::string filled(std::string_view text, const Holes& holes) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_";
  std::set<std::string_view> used;
  std::string out;
  while (!text.empty()) {
    const auto begin = text.find('@');
    out += text.substr(0, begin);
    if (begin == text.npos) break;
    const auto end = std::min(text.find_first_not_of(letters, begin + 1), text.size());
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    if (name.empty() || end == text.size() || text[end] != '@') {
      out += '@';
      text.remove_prefix(begin + 1);
      continue;
    }
    const auto value = holes.find(name);
    if (value == holes.end()) throw std::logic_error(fmt::format("nothing fills @{}@", name));
    text.remove_prefix(end + 1);
    out += value->second;
    if ((text.empty() || text[0] == '\n') && value->second.ends_with('\n')) out.pop_back();
    used.insert(name);
  }
  for (const auto& [name, value] : holes)
    if (!used.contains(name)) throw std::logic_error(fmt::format("there is no hole @{}@", name));
  return out;
}

std::string passage(std::string_view name, const Holes& holes) {
  const auto slash = name.find('/');
  std::string_view text = embedded(fmt::format("words/{}.txt", name.substr(0, slash)));
  const std::string head = fmt::format("== {}\n", name.substr(slash + 1));
  auto begin = text.starts_with(head) ? 0 : text.find('\n' + head);
  if (begin == text.npos) throw std::logic_error(fmt::format("there is no passage {}", name));
  text.remove_prefix(begin + head.size() + (begin == 0 ? 0 : 1));
  text = text.substr(0, text.find("\n== "));
  while (text.ends_with('\n')) text.remove_suffix(1);
  return filled(text, holes);
}

std::string paragraphs(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    text += (text.empty() ? "" : "\n\n") + part;
    while (text.ends_with('\n')) text.pop_back();
  }
  return text;
}

}  // namespace ladder::reports
