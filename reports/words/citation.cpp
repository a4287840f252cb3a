#include "reports/words/citation.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>
#include <regex>
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
  const std::string_view text = embedded("CITATION.cff");
  const std::regex line(fmt::format("(^|\n)[ -]*{}: (\"?)(.*)\\2(\n|$)", name));
  std::cmatch found;
  if (!std::regex_search(text.data(), text.data() + text.size(), found, line))
    throw std::logic_error(fmt::format("CITATION.cff does not say {}", name));
  return found[3];
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
