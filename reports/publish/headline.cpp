#include "reports/publish/headline.hpp"

#include <fmt/format.h>

#include <vector>

#include "reports/formats/figures/drawn_ladders.hpp"
#include "reports/formats/markdown/cell_tables.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cell_table.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/text/escape.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/lead_sentences.hpp"

namespace ladder::reports {

std::string headline(const Results& results, std::string_view folder, const Pictures& pictures) {
  const Order order(results);
  const auto flat_rows = pictures.empty() ? std::vector<FlatRow>() : flat(results);
  std::string picture;
  std::vector<std::vector<std::string>> rows;
  for (const std::string& operation : order.operations(results.cells)) {
    const auto cells = of_operation(results.cells, operation);
    const auto [by_hand, library, same_promise] = fastest(cells, order);
    if (!by_hand) continue;
    if (picture.empty())
      if (const std::string file = ladder_picture(operation, cells, order, flat_rows, pictures);
          !file.empty())
        picture =
            fmt::format("![The ladder of {}, on {}]({}/{})\n\n{}.\n\n", escaped(operation),
                        escaped(gpu_name(results)), folder, file, input_in_words(by_hand->key()));
    rows.push_back({code(operation) + ", " + input_in_short(by_hand->input),
                    code(by_hand->who.rung), column("time (95 % interval)").text(*by_hand),
                    column("GB/s").text(*by_hand), column("of ceiling").text(*by_hand),
                    library ? code(library->who.rung) : "",
                    column("vs fastest library").text(*by_hand),
                    same_promise ? code(same_promise->who.rung) : "",
                    column("vs same promise").text(*by_hand)});
  }
  std::string text = picture + lead(results) + "\n\n";
  if (!rows.empty())
    text += markdown_table({{"operation"},
                            {"fastest kernel"},
                            {"time (95 % interval)", true},
                            {"GB/s", true},
                            {"of ceiling", true},
                            {"fastest library"},
                            {"speed-up over it", true},
                            {"fastest library of the same promise"},
                            {"speed-up over that", true}},
                           rows) +
            "\nFrom cold caches. *Time*: until the result is in the GPU's memory. *Of ceiling*: "
            "share of the bandwidth of a loop that only moves "
            "memory, in the same run. *Speed-up*: above 1x the kernel is faster. *The same "
            "promise*: the same bits in every run on one GPU, or "
            "any order. `_3_5`: of CCCL 3.5 ([all library calls](docs/ladders.md)).\n\n";
  const Run& run = results.run;
  return text + fmt::format(
                    "Run {} of {}, commit {}: [the report]({}/report.md), [every "
                    "rung]({}/report.html), [the result set]({}), [all published "
                    "sets](reports/published).\n",
                    code(short_id(run)), escaped(run.date.substr(0, 10)),
                    code(run.commit.substr(0, 12)), folder, folder, folder);
}

}  // namespace ladder::reports
