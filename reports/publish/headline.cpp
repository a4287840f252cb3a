#include "reports/publish/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "reports/formats/figures/drawn_ladders.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/lead_sentences.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {

namespace {

// Of its fastest kernel against the fastest library; null where there is none.
const Ratio* speed_up(const OperationResults& operation) {
  const auto& by_hand = operation.fastest.by_hand;
  const auto* ratio = by_hand ? &by_hand->timing()->ratios.vs_fastest_library : nullptr;
  return ratio != nullptr && ratio->has_value() ? &**ratio : nullptr;
}

// Those that are faster than every library by most, first.
std::vector<const OperationResults*> by_speed_up(const ResultSet& set) {
  std::vector<const OperationResults*> all;
  for (const OperationResults& operation : set.operations)
    if (operation.fastest.by_hand) all.push_back(&operation);
  std::ranges::stable_sort(all, std::ranges::greater(), [](const OperationResults* one) {
    const Ratio* const ratio = speed_up(*one);
    return ratio == nullptr ? 0 : ratio->value;
  });
  return all;
}

// "It is 2.45x as fast for `histogram` and 1.289x for `scan`."
std::string by_how_much(const std::vector<const OperationResults*>& operations) {
  std::vector<std::string> parts;
  for (const OperationResults* one : operations)
    if (const Ratio* ratio = speed_up(*one);
        ratio != nullptr && ratio->verdict == Difference::faster)
      parts.push_back(fmt::format("{}x {}for {}", ratio_digits(ratio->value),
                                  parts.empty() ? "as fast " : "", code(one->name)));
  return parts.empty() ? "" : fmt::format(" It is {}.", enumerated(parts));
}

std::string in_a_sentence(const PublishedElsewhere& set) {
  const ResultSet all(set.results);
  const std::string spread =
      all.most_devices == 0 ? ""
                            : fmt::format("**Over {}.** ", counted(all.most_devices, "device"));
  return spread + lead(all) + by_how_much(by_speed_up(all)) +
         fmt::format(" [The report]({}/report.md).", set.folder);
}

}  // namespace

std::string headline(const Report& report, const std::string& folder,
                     const std::vector<PublishedElsewhere>& others,
                     const std::string& figure_of_all) {
  const auto operations = by_speed_up(report.set);
  const bool has_limit = std::ranges::any_of(operations, [](const OperationResults* one) {
    return has_share_of_limit(*one->fastest.by_hand);
  });
  Table table{{"operation",
               "fastest kernel",
               {"time", true},
               {has_limit ? "of limit" : "of ceiling", true},
               "fastest library",
               {"speed-up (95 % interval)", true}}};
  std::set<std::uint64_t> sizes;
  for (const OperationResults* one : operations) sizes.insert(one->fastest.by_hand->input.n);
  // the lead names the size that they share
  const auto of_input = [&](const Input& input) {
    return sizes.size() > 1 ? ", " + input_in_short(input)
                            : fmt::format("{}, {}{}", input.op ? ", " + escaped(*input.op) : "",
                                          escaped(input.dtype), what_few_have(input));
  };
  std::string picture;
  for (const OperationResults* operation : operations) {
    const auto& [by_hand, library, same_promise] = operation->fastest;
    if (const std::string file = picture.empty() ? ladder_picture(report, *operation) : "";
        !file.empty())
      picture = passage("headline/picture", {{"operation", escaped(operation->name)},
                                             {"gpu", escaped(gpu_name(report.results))},
                                             {"folder", folder},
                                             {"file", file},
                                             {"input", input_in_words(by_hand->key())}});
    const Timing& timing = *by_hand->timing();
    const auto& limit = timing.ratios.vs_limit;
    const double share =
        has_limit ? (limit ? 100 * limit->value : 0) : timing.percent_of_ceiling.value_or(0);
    const Ratio* const ratio = speed_up(*operation);
    table.rows.push_back({code(operation->name) + of_input(by_hand->input), code(by_hand->who.rung),
                          duration(timing.time_us.median),
                          share > 0 ? three_digits(share) + " %" : "none",
                          library ? code(library->who.rung) : "none",
                          ratio == nullptr ? "not compared" : ratio_text(*ratio)});
  }
  const Run& run = report.results.run;
  return paragraphs(
             {lead(report.set) + by_how_much(operations),
              table.rows.empty() ? "" : markdown_table(table),
              paragraphs(each(others, in_a_sentence)),
              figure_of_all.empty() ? "" : passage("headline/all", {{"file", figure_of_all}}),
              table.rows.empty() ? "" : passage("headline/how to read"), picture,
              passage("headline/run", {{"run", code(short_id(run))},
                                       {"date", day_of(run)},
                                       {"commit", commit_of(run)},
                                       {"folder", folder}})}) +
         '\n';
}

}  // namespace ladder::reports
