#include "reports/words/citation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <stdexcept>

#include "reports/text/embedded.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/latex_escape.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

// Text without a space, so that a line can end in it.
std::string breakable(const std::string& text) {
  constexpr std::size_t piece = 16;
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += piece)
    out += (i > 0 ? "\\allowbreak{}" : "") + latex(printable(text.substr(i, piece)));
  return out;
}

}  // namespace

std::string citation_fact(std::string_view name) {
  std::string_view text = embedded("CITATION.cff");
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(" -")));
    if (!line.starts_with(name) || !line.substr(name.size()).starts_with(": ")) continue;
    line.remove_prefix(name.size() + 2);
    if (line.size() > 1 && line.front() == '"' && line.back() == '"')
      line = line.substr(1, line.size() - 2);
    return std::string(line);
  }
  throw std::logic_error(fmt::format("CITATION.cff does not say {}", name));
}

std::string without_at(const std::string& text) {
  return boost::replace_all_copy(text, "@", "(at)");
}

std::string software_entry() {
  const auto fact = [](std::string_view name) { return latex(citation_fact(name)); };
  return passage("citation/software", {{"name", fact("name")},
                                       {"title", fact("title")},
                                       {"year", fact("date-released").substr(0, 4)},
                                       {"version", fact("version")},
                                       {"license", fact("license")}});
}

std::string bibtex(const Run& run) {
  return passage("citation/result set", {{"id", latex(printable(short_id(run)))},
                                         {"name", latex(citation_fact("name"))},
                                         {"year", latex(printable(run.date.substr(0, 4)))},
                                         {"date", without_at(latex(printable(run.date)))},
                                         {"commit", breakable(shortened(run.commit))},
                                         {"hash", breakable(shortened(run.id))}});
}

}  // namespace ladder::reports
