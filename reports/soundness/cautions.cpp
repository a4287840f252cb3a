#include "reports/soundness/cautions.hpp"

#include <fmt/format.h>

#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {

std::vector<Caution> cautions(const Results& results, const Soundness& soundness) {
  std::vector<Caution> all;
  if (!soundness.sound())
    all.push_back({"Not sound", fmt::format("./ladder check finds {}. The first, at {}: {}.",
                                            counted(soundness.errors.size(), "error"),
                                            printable(soundness.errors[0].where),
                                            printable(soundness.errors[0].what))});
  if (!results.run.complete)
    all.push_back({"Incomplete",
                   "The run was interrupted: rows, or measuring processes of rows, are missing."});
  if (results.shard)
    all.push_back({"One shard", fmt::format("This is {}: the rows of the other shards are missing. "
                                            "./ladder merge joins all shards.",
                                            shards_in_words(results))});
  if (results.run.dirty)
    all.push_back(
        {"Modified sources",
         fmt::format("The sources differed from commit {}, so nobody else can build them.",
                     results.run.commit)});
  if (const auto& kernels = results.kernels) {
    std::vector<std::string> theirs;
    for (const Rung& rung : results.rungs)
      if (!rung.from.empty()) theirs.push_back(rung.operation + ' ' + rung.rung);
    all.push_back(
        {"Kernels from elsewhere",
         fmt::format("{}, commit {}{}. Not of Kernel Ladder: {}.", printable(kernels->from),
                     kernels->commit, kernels->dirty ? " with changes" : "",
                     theirs.empty() ? "none that ran" : printable(joined(theirs)))});
  }
  if (const auto bad = only(results.cells, has_failed); !bad.empty())
    all.push_back({fmt::format("{} without a right answer", counted(bad.size(), "row")),
                   fmt::format("Operations: {}. The page of each one in the folder report lists "
                               "the reasons under Rows without a number.",
                               printable(enumerated(Order(results).operations(bad))))});
  return all;
}

std::string warnings(const std::vector<Caution>& cautions) {
  std::string text;
  for (const auto& [what, why] : cautions)
    text += fmt::format("{}> **{}.** {}\n", text.empty() ? "> [!WARNING]\n" : ">\n", escaped(what),
                        escaped(why));
  return text.empty() ? "" : text + '\n';
}

}  // namespace ladder::reports
