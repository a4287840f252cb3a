// A few lines for the terminal, at the end of a run: at most about 25 lines of 100 columns, plain
// ASCII. For each backend the most telling input, and how the verdicts fell; a line points to the
// report where it shows times of published sets.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "reports/formats/report.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/wrap.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

constexpr std::ptrdiff_t most_lines = 24;

std::string title(const CellKey& key) {
  return printable(fmt::format(
             "{}, {}{}, n = {}{}: {}{}{}", key.input.operation,
             key.input.op ? *key.input.op + ", " : "", key.input.dtype, elements(key.input.n),
             displaced(key.input.offset) +
                 over_devices(key.input.devices, key.input.process_for_each_device),
             observed_on(key.how.backend),
             key.how.contract ? fmt::format(", {}", name_of(*key.how.contract)) : "",
             key.how.cache ? fmt::format(", {}", name_of(*key.how.cache)) : "")) +
         '\n';
}

// On two lines, where one would be wider than what stands below it.
std::pair<std::string, std::string> in_two(const std::string& title, std::size_t width) {
  std::size_t best = title.npos, least = title.size();
  for (std::size_t space = title.find(' '); title.size() > width && space != title.npos;
       space = title.find(' ', space + 1))
    if (const std::size_t wider = std::max(space, title.size() - space - 1); wider < least)
      least = wider, best = space;
  if (best == title.npos) return {"", title};
  return {title.substr(0, best), title.substr(best + 1)};
}

// Rung, verdict, and as many columns of numbers as fit.
std::vector<std::string> table(const Cells& cells) {
  std::vector<std::vector<std::string>> columns_shown{{"", "rung"}, {"", "verdict"}};
  for (const Cell& c : cells) {
    columns_shown[0].push_back(one_line(beginning(c.who.rung, 40)) +
                               std::string(mark_of_reference(c, cells)));
    columns_shown[1].emplace_back(verdict_in_words(c.verdict()));
  }
  const auto width = [](const std::vector<std::string>& texts) {
    return std::ranges::max_element(texts, {}, &std::string::size)->size();
  };
  std::size_t total = 3 + width(columns_shown[0]) + width(columns_shown[1]);
  const bool has_limit = std::ranges::any_of(cells, has_share_of_limit);
  for (const Column& column : columns()) {
    if (!column.is_number || (has_limit && column.title == "of ceiling")) continue;
    std::vector<std::string> texts(cells.size());
    std::ranges::transform(cells, texts.begin(), column.text);
    if (width(texts) == 0) continue;
    const auto [above, below] = in_two(std::string(column.title), width(texts));
    texts.insert(texts.begin(), {above, below});
    if (total + 2 + width(texts) > terminal_width) continue;
    total += 2 + width(texts);
    columns_shown.push_back(std::move(texts));
  }
  return aligned(columns_shown, 2);
}

// Why, of each row that has failed.
std::string reasons(const Cells& cells) {
  constexpr std::size_t longest = 200;
  std::string text;
  for (const Cell& c : cells)
    if (has_failed(c))
      text += wrapped(fmt::format("  {}: {}\n", one_line(beginning(c.who.rung, 40)),
                                  one_line(beginning(c.reason(), longest))));
  return text;
}

std::string verdict_counts(const Results& results) {
  const Cells& cells = results.cells;
  std::map<Verdict, std::size_t> count;
  for (const Cell& c : cells) ++count[c.verdict()];
  std::vector<std::string> parts;
  for (const Verdict verdict : {Verdict::pass, Verdict::fail, Verdict::crashed, Verdict::timeout,
                                Verdict::expected_wrong, Verdict::skipped})
    if (count[verdict] > 0)
      parts.push_back(fmt::format("{} {}", grouped(count[verdict]), verdict_in_words(verdict)));
  const std::string shards = shards_in_words(results);
  return fmt::format("{}{}{}: {}\n", shards, shards.empty() ? "" : ", ",
                     counted(cells.size(), "row"),
                     parts.empty() ? "nothing was run" : joined(parts));
}

// Where the report shows what others measured.
std::string pointer(const Report& report) {
  constexpr std::size_t longest = 60;
  std::set<std::string> gpus;
  for (const OperationResults& operation : report.set.operations)
    for (const OperationResults* its : published_times(operation, report.published))
      gpus.insert(gpu_name(its->set.results));
  if (gpus.empty()) return "";
  return wrapped(fmt::format("published times on {} are in the report; none was measured here\n",
                             one_line(beginning(joined({gpus.begin(), gpus.end()}), longest))));
}

}  // namespace

Files summary(const Report& report) {
  std::map<std::pair<Backend, std::size_t>, Cells> groups;  // by operation
  for (std::size_t o = 0; o < report.set.operations.size(); ++o)
    for (const Cell& c : report.set.operations[o].cells) groups[{c.how.backend, o}].push_back(c);
  const std::string beside = pointer(report);
  const auto lines = [](const std::string& part) { return std::ranges::count(part, '\n'); };
  std::string text;
  for (const auto& [group, cells] : groups) {
    const auto telling = of_most_telling_input(cells, report.set.order);
    const std::string more =
        wrapped(title(telling.back().key())) + joined(table(telling), "") + reasons(telling) + '\n';
    // the report has them all
    if (lines(text) + lines(more) + lines(beside) > most_lines && !text.empty()) break;
    text += more;
  }
  return {{"summary.txt", text + beside + verdict_counts(report.results)}};
}

}  // namespace ladder::reports
