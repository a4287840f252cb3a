#include "reports/formats/terminal/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "reports/model/json.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/wrap.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {

static void to_json(json& out, const Tally& count) {
  out = {{"compared", count.compared()},
         {"faster", count.faster},
         {"slower", count.slower},
         {"no_difference_shown", count.no_difference},
         {"differences_by_chance", count.by_chance()},
         {"shift", count.is_shift()}};
}

namespace {

using Text = std::string (*)(double);

const Quantity times{&Pair::time_us}, ratios{&Pair::vs_fastest_library};

std::string origin(const char* letter, const NamedSet& set) {
  const Run& run = set.results.run;
  const Machine& machine = set.results.machine;
  const std::string shards = shards_in_words(set.results);
  return fmt::format(
      "{}: {}\n   run {} of {}, commit {}, on {}\n", letter, printable(set.name),
      printable(short_id(run)), printable(run.date), printable(run.commit.substr(0, 12)),
      printable(machine.gpu ? machine.gpu->name + " and " + machine.cpu : machine.cpu) +
          (shards.empty() ? "" : ", " + shards));
}

std::string card(const Results& results) {
  const std::string& uuid = results.machine.gpu->uuid;
  return uuid.empty() ? shards_in_words(results) : printable(uuid);
}

// What every time of a GPU contains: the events and the launch. It depends on the machine.
std::optional<double> empty_kernel(const Results& results) {
  for (const Overhead& overhead : results.overheads)
    if (overhead.backend == Backend::cuda && overhead.contract == Contract::device_result &&
        overhead.of == "an empty kernel")
      return overhead.median_us;
  return std::nullopt;
}

// A ratio is compared between machines, a time is not.
std::string why_none(const Comparison& all, const Quantity& quantity) {
  const auto any = [&](std::string_view why) {
    return std::ranges::any_of(all.pairs, [&](const Pair& pair) { return pair.why_not == why; });
  };
  if (quantity.of == &Pair::time_us && any(another_gpu)) return "the GPUs differ";
  if (quantity.of == &Pair::time_us && any(another_cpu)) return "the CPUs differ";
  return "no row has one in both sets";
}

std::string counts(std::string_view what, const Comparison& all, const Quantity& quantity) {
  const Tally count = tally(all, quantity);
  if (count.compared() == 0)
    return fmt::format("{}: none were compared, because {}\n", what, why_none(all, quantity));
  return fmt::format(
             "{}: {} compared, {} faster, {} slower, {} no difference shown; chance alone would "
             "show about {}\n",
             what, grouped(count.compared()), grouped(count.faster), grouped(count.slower),
             grouped(count.no_difference),
             counted(static_cast<std::size_t>(std::llround(count.by_chance())), "difference")) +
         (count.is_shift() ? fmt::format("{}: {} of {} differences have the same direction: the "
                                         "whole run has shifted; chance does not explain this\n",
                                         what, grouped(std::max(count.faster, count.slower)),
                                         grouped(count.faster + count.slower))
                           : "");
}

std::string spread_text(std::string_view what, const std::optional<Spread>& s) {
  if (!s) return "";
  return fmt::format(
      "{}: median {:.4g}x, 90 % of rows from {:.4g}x to {:.4g}x (above 1 is "
      "faster)\n",
      what, s->median, s->p5, s->p95);
}

// line(name, quantity): apart for each contract where a set has both. A time until the host holds
// the result is also one of the host.
std::string by_contract(std::string_view what, const Comparison& all, const Quantity& quantity,
                        const auto& line) {
  const std::size_t compared = tally(all, quantity).compared();
  std::string text;
  for (const Contract contract : {Contract::device_result, Contract::host_result}) {
    const Quantity part{quantity.of, contract};
    const std::size_t its = tally(all, part).compared();
    if (its == compared) return line(what, quantity);
    if (its > 0)
      text +=
          line(fmt::format("{}, {}", what, until_in_words({Backend::cuda, contract, {}})), part);
  }
  return text;
}

std::string reasons(const Comparison& all) {
  std::map<std::string, std::size_t> count;
  for (const Pair& pair : all.pairs)
    if (!pair.why_not.empty()) ++count[pair.why_not];
  const auto parts = each(
      count, [](const auto& of) { return fmt::format("{} {}", grouped(of.second), of.first); });
  return parts.empty() ? "" : fmt::format("times not compared: {}\n", joined(parts));
}

std::string table(std::string_view title, const Comparison& all, const Quantity& quantity,
                  Text text, std::size_t limit) {
  const auto rows = differences(all, quantity);
  if (rows.empty() || limit == 0) return "";
  std::set<Contract> contracts;
  std::vector<std::string> names{""};  // a line each: beside its numbers a name would not fit
  std::vector<std::vector<std::string>> columns{{"A"}, {"B"}, {"B against A (95 % interval)"}};
  for (const Pair* pair : rows) {
    if (names.size() > limit) break;
    const Change& change = *quantity.in(*pair);
    names.push_back(wrapped(fmt::format("  {}\n", cell_name(pair->key))));
    contracts.insert(*pair->key.how.contract);
    columns[0].push_back(text(change.a));
    columns[1].push_back(text(change.b));
    columns[2].push_back(
        fmt::format("{} {}", name_of(change.ratio.verdict), ratio_text(change.ratio)));
  }
  std::string lines = fmt::format("\n{}\n", title);
  for (const Contract contract : contracts)
    lines += fmt::format("  ({}: {})\n", name_of(contract),
                         until_in_words({Backend::cuda, contract, {}}));
  const auto numbers = aligned(columns, 0);
  for (std::size_t i = 0; i < names.size(); ++i) lines += names[i] + "   " + numbers[i];
  if (rows.size() > limit)
    lines += fmt::format("  and {} more, all of them with --json\n", grouped(rows.size() - limit));
  return lines;
}

json set_json(const NamedSet& set) {
  return {{"file", set.name}, {"run", set.results.run.id}};
}

}  // namespace

std::string comparison_text(const NamedSet& a, const NamedSet& b, const Comparison& all,
                            std::size_t limit) {
  std::string text = origin("A", a) + origin("B", b) + '\n';
  const auto counts_line = [&](std::string_view what, const Quantity& quantity) {
    return counts(what, all, quantity);
  };
  const auto spread_line = [&](std::string_view what, const Quantity& quantity) {
    return spread_text(what, spread(all, quantity));
  };
  text += by_contract("times", all, times, counts_line) +
          by_contract("ratios against the fastest library", all, ratios, counts_line);
  text += by_contract("times of B against A", all, times, spread_line) +
          by_contract("ratios of B against A", all, ratios, spread_line);
  if (all.two_cards)
    text += fmt::format(
        "A ran on {}, B on {}: cards of one model also differ by some per cent, and no interval "
        "contains that difference\n",
        card(a.results), card(b.results));
  const auto empty_in_a = empty_kernel(a.results), empty_in_b = empty_kernel(b.results);
  if (empty_in_a && empty_in_b)
    text +=
        fmt::format("an empty kernel takes {} in A, {} in B: every time of the GPU contains that\n",
                    duration(*empty_in_a), duration(*empty_in_b));
  if (!all.pairs.empty())
    text +=
        "clocks, heat and other programs act on a whole run; no interval contains their effect, so "
        "it shows as differences too\n";
  text += reasons(all);
  text += fmt::format("timed rows only in A: {}, only in B: {}\n", grouped(all.only_in_a),
                      grouped(all.only_in_b));
  text = wrapped(text);
  text += table("times that differ, the largest difference first", all, times, duration, limit);
  text += table("ratios against the fastest library that differ, the largest difference first", all,
                ratios, factor, limit);
  return text;
}

json comparison_json(const NamedSet& a, const NamedSet& b, const Comparison& all) {
  json rows = json::array(), contracts;
  for (const Contract contract : {Contract::device_result, Contract::host_result})
    contracts[std::string(name_of(contract))] = {{"times", tally(all, {times.of, contract})},
                                                 {"ratios", tally(all, {ratios.of, contract})}};
  for (const Pair& pair : all.pairs) {
    json row = pair.key;
    row["time_us"] = pair.time_us;
    row["why_not"] = pair.why_not.empty() ? json() : json(pair.why_not);
    row["vs_fastest_library"] = pair.vs_fastest_library;
    rows.push_back(std::move(row));
  }
  return {{"a", set_json(a)},
          {"b", set_json(b)},
          {"times", tally(all, times)},
          {"ratios", tally(all, ratios)},
          {"contracts", contracts},
          {"spread", {{"times", spread(all, times)}, {"ratios", spread(all, ratios)}}},
          {"two_cards", all.two_cards},
          {"empty_kernel_us", {{"a", empty_kernel(a.results)}, {"b", empty_kernel(b.results)}}},
          {"only_in_a", all.only_in_a},
          {"only_in_b", all.only_in_b},
          {"rows", std::move(rows)}};
}

}  // namespace ladder::reports
