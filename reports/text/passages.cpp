#include "reports/text/passages.hpp"

#include <fmt/format.h>

#include <regex>
#include <set>
#include <stdexcept>

#include "reports/text/embedded.hpp"

namespace ladder::reports {

std::string filled(std::string_view text, const Holes& holes) {
  static const std::regex hole("@([a-z_]+)@");
  std::set<std::string_view> used;
  std::string out;
  const char *rest = text.data(), *const end = rest + text.size();
  for (std::cmatch found; std::regex_search(rest, end, found, hole);) {
    const auto value = holes.find(found.str(1));
    if (value == holes.end()) throw std::logic_error(fmt::format("nothing fills {}", found.str()));
    out.append(rest, found[0].first).append(value->second);
    rest = found[0].second;
    if ((rest == end || *rest == '\n') && value->second.ends_with('\n')) out.pop_back();
    used.insert(value->first);
  }
  out.append(rest, end);
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
