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
  Table table{{"set", "machine", "run", "date", "commit", "rows", "in a sentence", "to read"}};
  for (const auto& [folder, results, files] : sets) {
    const auto links = each(files, [&its = folder](const std::string& file) {
      return fmt::format("[{}]({}/{})", file, its, file);
    });
    table.rows.push_back({fmt::format("[{}]({})", folder, folder), machine_in_short(results),
                          code(short_id(results.run)), day_of(results.run), commit_of(results.run),
                          verdicts(results.cells), lead(results), joined(links, "<br>")});
  }
  return passage("index/index",
                 {{"subfolders", passage("index/subfolders")}, {"table", markdown_table(table)}}) +
         '\n';
}

}  // namespace ladder::reports
