#include "reports/headline.hpp"

#include <fmt/format.h>

#include "reports/gpu_times.hpp"
#include "reports/ladder_table.hpp"
#include "reports/notes/overview.hpp"
#include "reports/text.hpp"

namespace ladder::reports {

std::string headline(const Results& results, std::string_view folder) {
  std::string text;
  const Order order(results);
  for (const std::string& operation : order.operations(results.cells)) {
    const auto cells = of_operation(results.cells, operation), shown = telling_gpu_times(cells, order);
    if (shown.empty()) continue;
    const bool opened = text.empty();  // the rest are for those who look for them
    const std::string title = fmt::format("{}, on {}", input_in_words(shown[0].key()), escaped(gpu_name(results)));
    text += opened ? fmt::format("{}:\n\n{}\n", title, ladder_table(shown, cells))
                   : fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", title, ladder_table(shown, cells));
  }
  const Run& run = results.run;
  const std::string overview = notes_overview(results);
  return text + how_to_read_ladder +
         fmt::format("\nRun {} of {}, commit {}: [the whole report]({}/report.md), [the result set]({}).\n", code(short_id(run)),
                     escaped(run.date.substr(0, 10)), code(run.commit.substr(0, 12)), folder, folder) +
         (overview.empty()
              ? ""
              : fmt::format("\nThe claims of the study notes, and their verdicts in this run; [the evidence]({}/report/study_notes.md):\n\n{}",
                            folder, overview));
}

}  // namespace ladder::reports
