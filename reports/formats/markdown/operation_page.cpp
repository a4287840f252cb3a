#include "reports/formats/markdown/operation_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/formats/markdown/cell_table.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

using Names = std::vector<std::string>;

std::string range(unsigned low, unsigned high) {
  return low == high ? grouped(low) : fmt::format("{} to {}", grouped(low), grouped(high));
}

// How many processes and samples a row has.
std::string how_measured(const Cells& cells) {
  std::vector<unsigned> processes, samples;
  for (const Cell& c : cells) {
    if (c.timing() == nullptr) continue;
    processes.push_back(static_cast<unsigned>(c.timing()->processes.size()));
    samples.push_back(c.timing()->time_us.samples);
  }
  const auto [few_processes, many_processes] = std::ranges::minmax(processes);
  const auto [few_samples, many_samples] = std::ranges::minmax(samples);
  return fmt::format("Each row: {} {}, {} {} in all.", range(few_processes, many_processes),
                     many_processes == 1 ? "process" : "processes",
                     range(few_samples, many_samples), many_samples == 1 ? "sample" : "samples");
}

// "261 us, 4,114"
std::string time_and_bandwidth(const Cell& cell, const HostOnly& host_only) {
  if (cell.timing() == nullptr) return std::string(instead_of_numbers(cell, host_only));
  return fmt::format("{}, {}", duration(cell.timing()->time_us.median),
                     three_digits(cell.timing()->bandwidth_gbps.median));
}

// A row for each rung, a column for each size.
std::string table_by_size(const Cells& cells, const Order& order, const HostOnly& host_only) {
  std::set<std::uint64_t> sizes;
  std::map<std::tuple<std::size_t, unsigned, Who>, std::map<std::uint64_t, const Cell*>> rungs;
  for (const Cell& c : cells) {
    sizes.insert(c.input.n);
    rungs[{order.of(c), c.input.devices, c.who}].emplace(c.input.n, &c);
  }
  std::erase_if(rungs, [](const auto& of) {  // "Rows without a number" has them
    return std::ranges::none_of(of.second, [](const auto& one) { return one.second->passed(); });
  });
  Table table{{"rung"}};
  for (const auto n : sizes) table.columns.push_back({"n = " + elements(n), true});
  for (const auto& [place, of_size] : rungs) {
    auto& row = table.rows.emplace_back();
    row.push_back(rung_in_words(*of_size.begin()->second, cells));
    for (const auto n : sizes) {
      const auto found = of_size.find(n);
      row.push_back(found == of_size.end() ? "not run"
                                           : time_and_bandwidth(*found->second, host_only));
    }
  }
  return markdown_table(table);
}

// Times of one backend, as its most telling input was run: a table for each type, of the first
// operator and the usual input.
std::string times_by_size(const OperationResults& operation, const Cells& telling) {
  const Order& order = operation.order();
  const Cell& like = telling.back();
  std::map<std::pair<std::size_t, std::string>, Cells> by_type;
  for (const Cell& c : operation.cells) {
    const Input& i = c.input;
    if (c.how == like.how && i.op == like.input.op && i.offset == like.input.offset &&
        i.bins == like.input.bins &&
        (order.is_usual(i) || i.distribution == like.input.distribution))
      by_type[{rank_of_dtype(i.dtype), i.dtype}].push_back(c);
  }
  const HostOnly host_only(operation.cells);
  std::string tables;
  for (const auto& [type, cells] : by_type)
    tables += fmt::format("**{}{}**\n\n{}\n", like.input.op ? escaped(*like.input.op) + ", " : "",
                          escaped(type.second), table_by_size(cells, order, host_only));
  return passage("report/times", {{"how", how_in_words(like.how, like.input)},
                                  {"measured", how_measured(telling)},
                                  {"tables", tables}});
}

// Where there is no clock: every count of the most telling input.
std::string counts(const Cells& telling) {
  return passage("report/counts", {{"how", how_in_words(telling.back().how, telling.back().input)},
                                   {"input", input_in_words(telling.back().key())},
                                   {"table", cell_table(telling)},
                                   {"how_to_read", how_to_read(telling)}});
}

// Cells of one fate, told together where every combination of operator, type and size is among
// them. Of those that are wrong on purpose one is told.
std::string without_a_number(const Cells& cells, const Order& order) {
  // rung's rank, backend, verdict, reason, input
  using Fate = std::tuple<std::size_t, Backend, Verdict, std::string, std::string>;
  std::map<Fate, std::map<std::uint64_t, std::map<std::pair<std::size_t, std::string>, Names>>>
      fates;
  std::map<std::size_t, const Cell*> first;
  std::map<std::pair<std::size_t, Backend>, std::size_t> wrong;  // on purpose
  for (const Cell& c : cells) {
    if (c.passed()) continue;
    const auto rank = order.of(c);
    first.emplace(rank, &c);
    if (c.verdict() == Verdict::expected_wrong && wrong[{rank, c.how.backend}]++ > 0) continue;
    const std::string input =
        (c.verdict() == Verdict::skipped ? "" : ", input " + code(c.input.distribution)) +
        what_few_have(c.input);
    unite(fates[{rank, c.how.backend, c.verdict(), c.reason(), input}][c.input.n]
               [{order.of_operator(c.input), c.input.op.value_or("")}],
          {c.input.dtype});
  }
  if (fates.empty()) return "";
  std::string text;
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
    const bool on_purpose = verdict == Verdict::expected_wrong;
    const std::size_t more = on_purpose ? wrong.at({rank, backend}) - 1 : 0;
    text +=
        fmt::format("- {} ({}, {}) **{}**: {}. {}{}.{}\n", code(name.who.rung),
                    escaped(name.who.provider), name_of(backend), verdict_in_words(verdict),
                    reason.empty() ? "no reason was given" : escaped(reason), joined(where, "; "),
                    input, more > 0 ? fmt::format(" It is wrong on {} more inputs.", more) : "");
  }
  return passage("report/without a number", {{"rows", text}}) + '\n';
}

}  // namespace

std::string operation_page(const OperationResults& operation) {
  const Order& order = operation.order();
  std::vector<std::string> parts;
  for (const auto& [backend, cells] : operation.by_backend()) {
    if (backend == Backend::emulated && operation.ran_on(Backend::cuda)) continue;
    const auto telling = telling_cells(cells, order);
    parts.push_back(std::ranges::any_of(telling, &Cell::timing) ? times_by_size(operation, telling)
                                                                : counts(telling));
  }
  parts.push_back(without_a_number(operation.cells, order));
  parts.push_back(passage("report/everything else"));
  return paragraphs(parts);
}

}  // namespace ladder::reports
