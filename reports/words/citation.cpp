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

// Empty where the text does not say it.
std::string fact_in(std::string_view text, std::string_view name) {
  const std::regex line(fmt::format("(^|\n)[ -]*{}: (\"?)(.*)\\2(\n|$)", name));
  std::cmatch found;
  return std::regex_search(text.data(), text.data() + text.size(), found, line) ? found.str(3) : "";
}

}  // namespace

std::string citation_fact(std::string_view name) {
  std::string fact = fact_in(embedded("CITATION.cff"), name);
  if (fact.empty()) throw std::logic_error(fmt::format("CITATION.cff does not say {}", name));
  return fact;
}

std::string url_line(std::string_view citation_file) {
  for (const char* name : {"repository-code", "url"})
    if (const std::string url = fact_in(citation_file, name); !url.empty())
      return fmt::format(",\n  url    = {{{}}}", url);
  return "";
}

std::string without_at(const std::string& text) {
  return boost::replace_all_copy(text, "@", "(at)");
}

std::string bibtex(const Run& run, const std::string& device) {
  const auto fact = [](std::string_view name) { return latex(citation_fact(name)); };
  const std::string url = url_line(embedded("CITATION.cff"));
  return passage("citation/software", {{"name", fact("name")},
                                       {"title", fact("title")},
                                       {"year", fact("date-released").substr(0, 4)},
                                       {"version", fact("version")},
                                       {"license", fact("license")},
                                       {"url", url}}) +
         "\n\n" +
         passage("citation/result set",
                 {{"id", latex(printable(short_id(run)))},
                  {"name", fact("name")},
                  {"device", device.empty() ? "" : without_at(latex(device)) + ", "},
                  {"year", latex(printable(run.date.substr(0, 4)))},
                  {"date", without_at(latex(printable(run.date)))},
                  {"commit", breakable(shortened(run.commit))},
                  {"hash", breakable(shortened(run.id))},
                  {"url", url}});
}

}  // namespace ladder::reports
