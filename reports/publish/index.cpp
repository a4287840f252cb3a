#include "reports/publish/index.hpp"

#include <fmt/format.h>

#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/lead_sentences.hpp"
#include "reports/words/machine.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {

std::string index_page(const std::vector<PublishedSet>& sets) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [folder, results, files] : sets) {
    std::vector<std::string> links;
    links.reserve(files.size());
    for (const std::string& file : files)
      links.push_back(fmt::format("[{}]({}/{})", file, folder, file));
    rows.push_back({fmt::format("[{}]({})", folder, folder), machine_in_short(results),
                    code(short_id(results.run)), escaped(results.run.date.substr(0, 10)),
                    code(results.run.commit.substr(0, 12)), verdicts(results.cells), lead(results),
                    joined(links, "<br>")});
  }
  return passage("index/index", {{"table", markdown_table({{"set"},
                                                           {"machine"},
                                                           {"run"},
                                                           {"date"},
                                                           {"commit"},
                                                           {"rows"},
                                                           {"in a sentence"},
                                                           {"to read"}},
                                                          rows)}}) +
         '\n';
}

}  // namespace ladder::reports
