#include "reports/formats/markdown/operation_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/formats/markdown/cell_tables.hpp"
#include "reports/formats/markdown/emulator_beside_gpu.hpp"
#include "reports/formats/markdown/library_upgrade.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/what_changes.hpp"

namespace ladder::reports {
namespace {

using Names = std::vector<std::string>;

void add_once(Names& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// A field of a card, in a table.
std::string card_text(std::string_view name, const std::string& text) {
  return (name == "rung" || name == "follows") && !text.empty() ? code(text) : escaped(text);
}
std::string card_text(std::string_view, const std::vector<std::string>& notes) {
  return escaped(joined(notes));
}
std::string card_text(std::string_view, std::optional<Promise> promise) {
  return std::string(promise ? name_of(*promise) : "");
}

std::string the_ladder(const std::vector<Cell>& cells, const Order& order) {
  std::map<std::size_t, const Rung*> rungs;
  for (const Cell& cell : cells)
    if (const Rung* card = order.card(cell)) rungs.emplace(order.of(cell), card);
  std::vector<Heading> headings;
  std::vector<std::vector<std::string>> rows;
  for (const auto& entry : rungs) {
    const Rung& rung = *entry.second;
    headings.clear();
    rows.emplace_back();
    Rung::fields(rung, [&](std::string_view name, const auto& value, const FieldFacts& facts = {}) {
      if (facts.title.empty()) return;
      headings.push_back({facts.title});
      rows.back().push_back(name == "source" ? escaped(source_of(rung)) : card_text(name, value));
    });
  }
  return markdown_table(headings, rows);
}

// What all cells of one set of tables share.
using Setting = std::pair<How, Input>;  // its bins and offset alone

std::string in_words(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string range(unsigned low, unsigned high) {
  return low == high ? grouped(low) : fmt::format("{} to {}", grouped(low), grouped(high));
}

std::string how_measured(const Setting& setting, const std::vector<Cell>& cells) {
  if (setting.first.backend == Backend::emulated) {
    return "The same kernel files run thread by thread on the CPU. The counts are exact for this "
           "compiler, and no time follows from them.";
  }
  std::vector<unsigned> processes, samples;
  for (const Cell& c : cells) {
    if (c.timing() == nullptr) continue;
    processes.push_back(static_cast<unsigned>(c.timing()->processes.size()));
    samples.push_back(c.timing()->time_us.samples);
  }
  if (samples.empty()) return "Nothing here could be timed.";
  const auto [few_processes, many_processes] = std::ranges::minmax(processes);
  const auto [few_samples, many_samples] = std::ranges::minmax(samples);
  return fmt::format("Each row: {} {}, {} {} in all.", range(few_processes, many_processes),
                     many_processes == 1 ? "process" : "processes",
                     range(few_samples, many_samples), many_samples == 1 ? "sample" : "samples");
}

// "input random (sum, min), near_one (product)", as short as it can truly be said.
std::string inputs(const std::vector<Cell>& cells) {
  std::map<std::string, std::map<std::string, Names>> dtypes;  // distribution, operator
  std::map<std::string, std::set<std::string>> distributions;  // operator
  for (const Cell& c : cells) {
    add_once(dtypes[c.input.distribution][c.input.op.value_or("")], c.input.dtype);
    distributions[c.input.op.value_or("")].insert(c.input.distribution);
  }
  Names parts;
  for (const auto& [distribution, operators] : dtypes) {
    Names whose;
    for (const auto& [op, types] : operators)
      whose.push_back(escaped(
          distributions[op].size() == 1 ? op : op + (op.empty() ? "" : " ") + joined(types, " ")));
    parts.push_back(escaped(distribution) +
                    (dtypes.size() == 1 ? "" : fmt::format(" ({})", joined(whose))));
  }
  return "input " + joined(parts);
}

// The first go last, where a page would be too long. Tables with the operation's first operator
// before the others, large sizes before small ones.
using Rank = std::pair<bool, std::size_t>;

struct Piece {
  std::string text;
  std::optional<Rank> rank;  // of a table
};

// Its heading, its tables, and what ends it.
std::vector<Piece> setting_section(const Setting& setting, const std::vector<Cell>& cells,
                                   const Order& order) {
  std::set<std::string> all_operators;
  std::size_t first_operator = std::string::npos;
  std::set<std::uint64_t, std::greater<>> sizes;
  for (const Cell& c : cells) {
    all_operators.insert(c.input.op.value_or(""));
    first_operator = std::min(first_operator, order.of_operator(c.input));
    sizes.insert(c.input.n);
  }
  std::vector<Piece> pieces{
      {fmt::format("## {}\n\n{}\n", how_in_words(setting.first, setting.second),
                   how_measured(setting, cells)),
       {}}};
  bool opened = false;  // the first table with an answer is; the rest would bury what follows
  for (const Table& table : tables(cells, order)) {
    const bool of_first = std::ranges::any_of(
        table.cells, [&](const Cell& c) { return order.of_operator(c.input) == first_operator; });
    const auto size_rank =
        static_cast<std::size_t>(std::distance(sizes.begin(), sizes.find(table.n)));
    const bool of_all = all_operators.size() > 2 && table.operators.size() == all_operators.size();
    const auto operators = table.operators.empty() ? ""
                           : of_all                ? "all operators, "
                                                   : escaped(joined(table.operators)) + ", ";
    const auto size = elements(table.n) == grouped(table.n)
                          ? grouped(table.n)
                          : fmt::format("{} ({})", elements(table.n), grouped(table.n));
    const auto title = fmt::format("{}n = {}, {}", operators, size, inputs(table.cells));
    const bool folded =
        opened || std::ranges::none_of(table.cells, [](const Cell& c) { return c.passed(); });
    pieces.push_back({folded ? fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n",
                                           title, table.markdown)
                             : fmt::format("\n**{}**\n\n{}", title, table.markdown),
                      Rank{!of_first, size_rank}});
    opened |= !folded;
  }
  pieces.push_back({"\n", {}});
  return pieces;
}

// With as many tables as there is room for.
std::string fitted(const std::vector<Piece>& pieces, std::size_t room) {
  std::map<Rank, std::size_t> bytes;
  std::size_t total = 0;
  for (const Piece& piece : pieces) (piece.rank ? bytes[*piece.rank] : total) += piece.text.size();
  auto end = bytes.begin();
  while (end != bytes.end() && total + end->second <= room) total += (end++)->second;
  std::string text;
  std::size_t left_out = 0;
  for (const Piece& piece : pieces) {
    if (piece.rank && end != bytes.end() && *piece.rank >= end->first) ++left_out;
    else if (piece.rank || left_out == 0) text += piece.text;
    else
      text += fmt::format(
          "\n{} of smaller sizes would make this page too long; [report.html](../report.html) has "
          "every row.\n{}",
          counted(std::exchange(left_out, 0), "table", "tables"), piece.text);
  }
  return text;
}

std::string why(const std::vector<Cell>& cells, const Order& order) {
  std::vector<Cell> telling;
  std::ranges::copy_if(cells, std::back_inserter(telling),
                       [](const Cell& c) { return c.counters() != nullptr; });
  const auto emulated = std::ranges::any_of(
      telling, [](const Cell& c) { return c.how.backend == Backend::emulated; });
  // counted one by one, by public rules
  if (emulated)
    std::erase_if(telling, [](const Cell& c) { return c.how.backend != Backend::emulated; });
  const auto steps = explanations(telling, order);
  if (steps.empty()) return "";
  const Input& usual = steps[0].input;
  std::string text = fmt::format(
      "## What changes from rung to rung\n\nFrom the counts of {} on the {} backend, unless a line "
      "names another input.\n\n",
      input_in_short(usual), name_of(telling[0].how.backend));
  for (const Step& step : steps)
    text +=
        fmt::format("- {}{}.\n", step.text,
                    step.input == usual ? "" : fmt::format(" ({})", input_in_short(step.input)));
  return text + '\n';
}

// "f32 by sum"
std::string type_and_operator(const Input& input) {
  return escaped(input.dtype) + (input.op ? " by " + escaped(*input.op) : "");
}

// A column for each type and operator: the error of a product says nothing of a sum.
std::string accuracy(const std::vector<Cell>& cells, const Order& order) {
  struct Largest {
    double ulp = 0;
    bool unbounded = false;
  };
  // of its operator and type, and their names
  using Place = std::tuple<std::size_t, std::size_t, std::string>;
  std::map<Place, std::map<std::size_t, Largest>> errors;  // of each rung
  std::map<std::size_t, const Cell*> rungs;
  for (const Cell& c : cells) {
    if (c.error() == nullptr || !c.error()->ulp_max) continue;
    rungs.emplace(order.of(c), &c);
    Largest& largest = errors[{order.of_operator(c.input), rank_of_dtype(c.input.dtype),
                               type_and_operator(c.input)}][order.of(c)];
    largest.ulp = std::max(largest.ulp, *c.error()->ulp_max);
    largest.unbounded |= has_flag(c, "unbounded");
  }
  if (errors.empty()) return "";
  const bool any_exact = std::erase_if(errors, [](const auto& of) {
                           return std::ranges::all_of(of.second, [](const auto& one) {
                             return one.second.ulp == 0 && !one.second.unbounded;
                           });
                         }) > 0;
  if (errors.empty())
    return "## Accuracy\n\nEvery answer that passed has the bits of the exact result.\n\n";
  bool any_unbounded = false;
  std::vector<Heading> headings{{"rung"}, {"provider"}};
  for (const auto& [place, of] : errors) headings.push_back({std::get<std::string>(place), true});
  std::vector<std::vector<std::string>> rows;
  for (const auto& [rank, cell] : rungs) {
    std::vector<std::string> row{code(cell->who.rung), escaped(cell->who.provider)};
    for (const auto& [place, of] : errors) {
      const auto largest = of.find(rank);
      row.push_back(largest == of.end()        ? ""
                    : largest->second.ulp == 0 ? "exact"
                                               : shortest(largest->second.ulp));
      if (largest == of.end() || !largest->second.unbounded) continue;
      row.back() += " (no bound)";
      any_unbounded = true;
    }
    rows.push_back(row);
  }
  return fmt::format(
      "## Accuracy\n\nThe largest error over all sizes and inputs, in units in the last place. "
      "Every error is within the bound that theory gives "
      "for "
      "that order of summation.{}\n\n{}{}\n",
      any_exact ? " All other types and operators have the bits of the exact result." : "",
      markdown_table(headings, rows),
      any_unbounded
          ? "\n*No bound*: at this length theory allows any error for that order of summation.\n"
          : "");
}

// Cells of one fate, told together where every combination of operator, type and size is among
// them.
std::string without_a_number(const std::vector<Cell>& cells, const Order& order) {
  // rung's rank, backend, verdict, reason, input
  using Fate = std::tuple<std::size_t, Backend, Verdict, std::string, std::string>;
  std::map<Fate, std::map<std::uint64_t, std::map<std::pair<std::size_t, std::string>, Names>>>
      fates;
  std::map<std::size_t, const Cell*> first;
  for (const Cell& c : cells) {
    if (c.passed()) continue;
    const auto rank = order.of(c);
    first.emplace(rank, &c);
    const std::string input =
        (c.verdict() == Verdict::skipped ? "" : ", input " + code(c.input.distribution)) +
        what_few_have(c.input);
    add_once(fates[{rank, c.how.backend, c.verdict(), c.reason(), input}][c.input.n]
                  [{order.of_operator(c.input), c.input.op.value_or("")}],
             c.input.dtype);
  }
  if (fates.empty()) return "";
  std::string text = "## Rows without a number\n\n";
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
        where.push_back(fmt::format("{}{} at n = {}", ops.empty() ? "" : ops + " of ",
                                    escaped(joined(dtypes)), enumerated(ns)));
      }
    }
    const auto& name = *first.at(rank);
    text += fmt::format("- {} ({}, {}) **{}**: {}. {}{}.\n", code(name.who.rung),
                        escaped(name.who.provider), name_of(backend), in_words(name_of(verdict)),
                        reason.empty() ? "no reason was given" : escaped(reason),
                        joined(where, "; "), input);
  }
  return text + '\n';
}

}  // namespace

std::string how_in_words(const How& how, const Input& input) {
  std::string parts;
  if (how.contract) parts += ", " + in_words(name_of(*how.contract));
  if (how.cache) parts += ", " + in_words(name_of(*how.cache)) + " cache";
  parts += what_few_have(input);
  const std::string where = how.backend == Backend::emulated ? "Counted on the emulated backend"
                            : how.backend == Backend::cuda   ? "Timed on the GPU"
                                                             : "Timed on the CPU";
  return where + (parts.empty() ? "" : ": " + parts.substr(2));
}

std::string operation_page(const Results& run, const Order& order, const std::vector<Cell>& cells,
                           const std::vector<Excerpt>& gpu) {
  // GitHub shows no rendered Markdown of several hundred KB; 10 KB are for what stands above
  constexpr std::size_t room = 190'000;
  std::map<Setting, std::vector<Cell>> settings;
  for (const Cell& c : cells) {
    Setting setting{c.how, {}};
    setting.second.bins = c.input.bins, setting.second.offset = c.input.offset;
    settings[setting].push_back(c);
  }
  std::vector<Piece> pieces{{the_ladder(cells, order) + '\n' + why(cells, order) +
                                 times_and_counts(gpu, run, order, cells) +
                                 upgrade_by_size(order, cells) + counted_twice(cells, order),
                             {}}};
  for (const auto& [setting, its_cells] : settings)
    for (Piece& piece : setting_section(setting, its_cells, order))
      pieces.push_back(std::move(piece));
  pieces.push_back({accuracy(cells, order) + without_a_number(cells, order), {}});
  return fitted(pieces, room);
}

}  // namespace ladder::reports
