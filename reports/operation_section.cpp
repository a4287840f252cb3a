#include "reports/operation_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "reports/counted_twice.hpp"
#include "reports/explain.hpp"
#include "reports/ladder.hpp"
#include "reports/tables.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

using Order = std::map<RungName, std::size_t>;
using Names = std::vector<std::string>;

void add_once(Names& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

std::string the_ladder(const std::vector<Cell>& cells, const Order& order) {
  std::map<std::size_t, const Cell*> first;
  for (const Cell& cell : cells) first.emplace(order.at({cell.key.provider, cell.key.rung}), &cell);
  std::vector<std::vector<std::string>> rows;
  rows.reserve(first.size());
  for (const auto& [rank, cell] : first) {
    rows.push_back({code(cell->key.rung), escaped(cell->key.provider), escaped(cell->idea), cell->improves_on.empty() ? "" : code(cell->improves_on),
                    escaped(joined(cell->notes))});
  }
  return markdown_table({{"rung"}, {"provider"}, {"idea"}, {"improves on"}, {"study notes"}}, rows);
}

// What all cells of one set of tables share.
using Setting = std::tuple<std::size_t, std::string, std::optional<std::string>, std::optional<std::string>, std::optional<unsigned>>;

Setting setting_of(const Cell& c) {
  return {rank_of_backend(c.key.backend), c.key.backend, c.key.contract, c.key.cache, c.key.bins};
}

std::string in_words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return escaped(name);
}

std::string heading(const Setting& setting) {
  const auto& [rank, backend, contract, cache, bins] = setting;
  Names parts;
  if (contract) parts.push_back(in_words(*contract));
  if (cache) parts.push_back(in_words(*cache) + " cache");
  if (bins) parts.push_back(counted(*bins, "bin", "bins"));
  const std::string where = backend == "emulated" ? "Counted on the emulated backend" : backend == "cuda" ? "Timed on the GPU" : "Timed on the CPU";
  return where + (parts.empty() ? "" : ": " + joined(parts));
}

std::string range(unsigned low, unsigned high) {
  return low == high ? grouped(low) : fmt::format("{} to {}", grouped(low), grouped(high));
}

std::string how_measured(const Setting& setting, const std::vector<Cell>& cells) {
  if (std::get<1>(setting) == "emulated") {
    return "The same kernel files, run thread by thread on the CPU. The counts are exact for this compiler; there is no time here, and none follows.";
  }
  std::vector<unsigned> processes, samples;
  for (const Cell& c : cells) {
    if (!c.time_us) continue;
    processes.push_back(c.time_us->processes);
    samples.push_back(c.time_us->samples);
  }
  if (samples.empty()) return "Nothing here could be timed.";
  const auto [few_processes, many_processes] = std::ranges::minmax(processes);
  const auto [few_samples, many_samples] = std::ranges::minmax(samples);
  return fmt::format("Each row: {} {}, {} {} in all.", range(few_processes, many_processes), many_processes == 1 ? "process" : "processes",
                     range(few_samples, many_samples), many_samples == 1 ? "sample" : "samples");
}

// "input random (sum, min), near_one (product)", as short as it can truly be said.
std::string inputs(const std::vector<Cell>& cells) {
  std::map<std::string, std::map<std::string, Names>> dtypes;  // distribution, operator
  std::map<std::string, std::set<std::string>> distributions;  // operator
  for (const Cell& c : cells) {
    add_once(dtypes[c.key.distribution][c.key.op.value_or("")], c.key.dtype);
    distributions[c.key.op.value_or("")].insert(c.key.distribution);
  }
  Names parts;
  for (const auto& [distribution, operators] : dtypes) {
    Names whose;
    for (const auto& [op, types] : operators)
      whose.push_back(escaped(distributions[op].size() == 1 ? op : op + (op.empty() ? "" : " ") + joined(types, " ")));
    parts.push_back(escaped(distribution) + (dtypes.size() == 1 ? "" : fmt::format(" ({})", joined(whose))));
  }
  return "input " + joined(parts);
}

std::string setting_section(const Setting& setting, const std::vector<Cell>& cells, const Order& order) {
  Names all_operators;
  for (const Cell& c : cells) add_once(all_operators, c.key.op.value_or(""));
  std::string text = fmt::format("### {}\n\n{}\n", heading(setting), how_measured(setting, cells));
  bool opened = false;  // the first table with an answer is; the rest would bury what follows
  for (const Table& table : tables(cells, order)) {
    const bool of_all = all_operators.size() > 2 && table.operators.size() == all_operators.size();
    const auto operators = table.operators.empty() ? "" : of_all ? "all operators, " : escaped(joined(table.operators)) + ", ";
    const auto size = elements(table.n) == grouped(table.n) ? grouped(table.n) : fmt::format("{} ({})", elements(table.n), grouped(table.n));
    const auto title = fmt::format("{}n = {}, {}", operators, size, inputs(table.cells));
    const bool folded = opened || std::ranges::none_of(table.cells, [](const Cell& c) { return c.verdict == "pass"; });
    text += folded ? fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n", title, table.markdown)
                   : fmt::format("\n**{}**\n\n{}", title, table.markdown);
    opened |= !folded;
  }
  return text + '\n';
}

std::string why(const std::vector<Cell>& cells, const Order& order) {
  std::vector<Cell> telling;
  std::ranges::copy_if(cells, std::back_inserter(telling), [](const Cell& c) { return c.counters.has_value(); });
  const auto emulated = std::ranges::any_of(telling, [](const Cell& c) { return c.key.backend == "emulated"; });
  if (emulated) std::erase_if(telling, [](const Cell& c) { return c.key.backend != "emulated"; });  // counted one by one, by rules that are public
  telling = of_most_telling_input(of_fullest_inputs(std::move(telling)), order);
  const auto items = explanations(telling);
  if (items.empty()) return "";
  const CellKey& key = telling[0].key;
  std::string text = fmt::format("### What changes from rung to rung\n\nRead from the counts of {}{}, n = {}, on the {} backend.\n\n",
                                 key.op ? escaped(*key.op) + ", " : "", escaped(key.dtype), elements(key.n), escaped(key.backend));
  for (const std::string& item : items) text += "- " + item + '\n';
  return text + '\n';
}

std::string accuracy(const std::vector<Cell>& cells, const Order& order) {
  Names exact, inexact;
  std::map<std::size_t, const Cell*> first;
  std::map<std::pair<std::size_t, std::string>, double> worst;
  std::set<std::pair<std::size_t, std::string>> unbounded;
  for (const Cell& c : cells) {
    if (!c.error || !c.error->ulp_max) continue;
    const auto rank = order.at({c.key.provider, c.key.rung});
    first.emplace(rank, &c);
    double& largest = worst[{rank, c.key.dtype}];
    largest = std::max(largest, *c.error->ulp_max);
    if (std::ranges::find(c.flags, "unbounded") != c.flags.end()) unbounded.emplace(rank, c.key.dtype);
  }
  for (const auto& [whose, ulp] : worst) {
    if (ulp > 0 || unbounded.contains(whose)) add_once(inexact, whose.second);
  }
  for (const auto& [whose, ulp] : worst) {
    if (std::ranges::find(inexact, whose.second) == inexact.end()) add_once(exact, whose.second);
  }
  if (worst.empty()) return "";
  std::ranges::sort(exact, std::less{}, rank_of_dtype);
  std::ranges::sort(inexact, std::less{}, rank_of_dtype);
  std::string text = "### Accuracy\n\n";
  if (!exact.empty()) text += fmt::format("Every answer in {} that passed has the bits of the exact result.", escaped(enumerated(exact)));
  if (inexact.empty()) return text + "\n\n";
  text += fmt::format(
      "{} lie within what theory allows for their order of summation. The largest error, over all operators, sizes and inputs, "
      "in units in the last place:\n\n",
      exact.empty() ? "Answers" : " The others");
  std::vector<Heading> headings{{"rung"}, {"provider"}};
  for (const std::string& dtype : inexact) headings.push_back({dtype, true});
  std::vector<std::vector<std::string>> rows;
  for (const auto& [rank, cell] : first) {
    std::vector<std::string> row{code(cell->key.rung), escaped(cell->key.provider)};
    for (const std::string& dtype : inexact) {
      const auto ulp = worst.find({rank, dtype});
      row.push_back(ulp == worst.end() ? "" : ulp->second == 0 ? "exact" : shortest(ulp->second));
      if (unbounded.contains({rank, dtype})) row.back() += " (no bound)";
    }
    rows.push_back(row);
  }
  text += markdown_table(headings, rows);
  if (!unbounded.empty()) text += "\n*No bound*: at this length theory allows any error for that order of summation.\n";
  return text + '\n';
}

// Cells of one fate, told together where every combination of operator, type and size is among them.
std::string without_a_number(const std::vector<Cell>& cells, const Order& order) {
  using Fate = std::tuple<std::size_t, std::string, std::string, std::string, std::string>;  // rung's rank, backend, verdict, reason, input
  std::map<Fate, std::map<std::uint64_t, std::map<std::pair<std::size_t, std::string>, Names>>> fates;
  std::map<std::size_t, const Cell*> first;
  for (const Cell& c : cells) {
    if (c.verdict == "pass") continue;
    const auto rank = order.at({c.key.provider, c.key.rung});
    first.emplace(rank, &c);
    std::string input = c.verdict == "skipped" ? "" : ", input " + code(c.key.distribution);
    if (c.key.bins) input += ", " + counted(*c.key.bins, "bin", "bins");
    add_once(fates[{rank, c.key.backend, c.verdict, c.reason.value_or(""), input}][c.key.n][{rank_of_operator(c.key.op), c.key.op.value_or("")}],
             c.key.dtype);
  }
  if (fates.empty()) return "";
  std::string text = "### Rows without a number\n\n";
  for (const auto& [fate, sizes] : fates) {
    const auto& [rank, backend, verdict, reason, input] = fate;
    std::map<std::map<Names, Names>, Names> sizes_of;  // operators by their types -> sizes
    for (const auto& [n, operators] : sizes) {
      std::map<Names, Names> operators_of;
      for (const auto& [op, dtypes] : operators) operators_of[dtypes].push_back(op.second);
      sizes_of[operators_of].push_back(elements(n));
    }
    Names where;
    for (const auto& [operators_of, ns] : sizes_of) {
      for (const auto& [dtypes, operators] : operators_of) {
        const auto ops = escaped(joined(operators));
        where.push_back(fmt::format("{}{} at n = {}", ops.empty() ? "" : ops + " of ", escaped(joined(dtypes)), enumerated(ns)));
      }
    }
    const auto& name = *first.at(rank);
    text += fmt::format("- {} ({}, {}) **{}**: {}. {}{}.\n", code(name.key.rung), escaped(name.key.provider), escaped(backend), in_words(verdict),
                        reason.empty() ? "no reason was given" : escaped(reason), joined(where, "; "), input);
  }
  return text + '\n';
}

}  // namespace

std::string operation_section(const std::string& operation, const Results& run, const std::vector<Cell>& cells, const std::vector<Excerpt>& gpu) {
  const Order order = ladder_order(cells);
  std::map<Setting, std::vector<Cell>> settings;
  for (const Cell& c : cells) settings[setting_of(c)].push_back(c);
  std::string text = fmt::format("## {}\n\n{}\n", escaped(operation), the_ladder(cells, order));
  text += why(cells, order) + times_and_counts(gpu, run, cells) + counted_twice(cells, order);
  for (const auto& [setting, its_cells] : settings) text += setting_section(setting, its_cells, order);
  return text + accuracy(cells, order) + without_a_number(cells, order);
}

}  // namespace ladder::reports
