#include "reports/publish/headline.hpp"

#include <algorithm>

#include "reports/formats/figures/drawn_ladders.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/lead_sentences.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {

std::string headline(const Report& report, const std::string& folder) {
  std::string picture;
  const auto has_limit = [](const OperationResults& operation) {
    return operation.fastest.by_hand && has_share_of_limit(*operation.fastest.by_hand);
  };
  const char* const share =
      std::ranges::any_of(report.set.operations, has_limit) ? "of limit" : "of ceiling";
  Table table{{"operation",
               "fastest kernel",
               {"time (95 % interval)", true},
               {"GB/s", true},
               {share, true},
               "fastest library",
               {"speed-up over it", true},
               "fastest library of the same promise",
               {"speed-up over that", true}}};
  for (const OperationResults& operation : report.set.operations) {
    const auto& [by_hand, library, same_promise] = operation.fastest;
    if (!by_hand) continue;
    if (const std::string file = picture.empty() ? ladder_picture(report, operation) : "";
        !file.empty())
      picture = passage("headline/picture", {{"operation", escaped(operation.name)},
                                             {"gpu", escaped(gpu_name(report.results))},
                                             {"folder", folder},
                                             {"file", file},
                                             {"input", input_in_words(by_hand->key())}});
    const auto rung = [](const auto& cell) { return cell ? code(cell->who.rung) : ""; };
    const auto text = [&, &by_hand = by_hand](const char* title) {
      return column(title).text(*by_hand);
    };
    table.rows.push_back({code(operation.name) + ", " + input_in_short(by_hand->input),
                          rung(by_hand), text("time (95 % interval)"), text("GB/s"), text(share),
                          rung(library), text("vs fastest library"), rung(same_promise),
                          text("vs same promise")});
  }
  const Run& run = report.results.run;
  return paragraphs({picture, lead(report.set), table.rows.empty() ? "" : markdown_table(table),
                     table.rows.empty() ? "" : passage("headline/how to read"),
                     passage("headline/run", {{"run", code(short_id(run))},
                                              {"date", day_of(run)},
                                              {"commit", commit_of(run)},
                                              {"folder", folder}})}) +
         '\n';
}

}  // namespace ladder::reports
