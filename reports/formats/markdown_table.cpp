// The cells that tell most of the choice, as Markdown.
#include <fmt/format.h>

#include <string>

#include "reports/formats/markdown/cell_table.hpp"
#include "reports/formats/report.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/words/machine.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
Files markdown_table(const Report& report) {
  const Results& results = report.results;
  std::string text;
  for (const auto& [what, why] : report.cautions)
    text += fmt::format("> **{}.** {}\n\n", escaped(printable(what)), escaped(printable(why)));
  Cells all;
  for (const auto& group : telling_groups(results.cells, report.choice, report.set.order)) {
    text += fmt::format("{}, {}:\n\n{}\n", input_in_words(group.back().key()),
                        until_in_words(group[0].how), cell_table(group, fastest_of(group)));
    all.insert(all.end(), group.begin(), group.end());
  }
  if (fastest_of(all) != nullptr) text += "Bold: the row with the shortest time.\n\n";
  text += how_to_read(all) + "\n\n";
  return {{"table.md", text + fmt::format("Run {} of {}, on {}, commit {}.\n",
                                          code(short_id(results.run)), day_of(results.run),
                                          machine_in_short(results), commit_of(results.run))}};
}

}  // namespace ladder::reports
