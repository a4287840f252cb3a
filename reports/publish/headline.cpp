#include "reports/publish/headline.hpp"

#include <vector>

#include "reports/formats/figures/drawn_ladders.hpp"
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
  std::vector<std::vector<std::string>> rows;
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
    rows.push_back({code(operation.name) + ", " + input_in_short(by_hand->input),
                    code(by_hand->who.rung), column("time (95 % interval)").text(*by_hand),
                    column("GB/s").text(*by_hand), column("of ceiling").text(*by_hand),
                    library ? code(library->who.rung) : "",
                    column("vs fastest library").text(*by_hand),
                    same_promise ? code(same_promise->who.rung) : "",
                    column("vs same promise").text(*by_hand)});
  }
  const std::string table = markdown_table({{"operation"},
                                            {"fastest kernel"},
                                            {"time (95 % interval)", true},
                                            {"GB/s", true},
                                            {"of ceiling", true},
                                            {"fastest library"},
                                            {"speed-up over it", true},
                                            {"fastest library of the same promise"},
                                            {"speed-up over that", true}},
                                           rows);
  const Run& run = report.results.run;
  return paragraphs({picture, lead(report.set), rows.empty() ? "" : table,
                     rows.empty() ? "" : passage("headline/how to read"),
                     passage("headline/run", {{"run", code(short_id(run))},
                                              {"date", escaped(run.date.substr(0, 10))},
                                              {"commit", code(run.commit.substr(0, 12))},
                                              {"folder", folder}})}) +
         '\n';
}

}  // namespace ladder::reports
