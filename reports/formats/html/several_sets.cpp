#include "reports/formats/html/several_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "reports/formats/figures/figures.hpp"
#include "reports/formats/html/page.hpp"
#include "reports/formats/terminal/comparison_text.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/compare_sets.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/soundness/cautions.hpp"
#include "reports/text/embedded.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/machine.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

constexpr std::array<const char*, most_sets> letters{"A", "B", "C", "D", "E"};

struct Row {
  Who who;
  std::vector<const Cell*> cells;  // of each set, or null
};

// The cells of one operation in each set, on an input that all of them have an answer for: until
// the result is on the device, where all were timed so.
struct Shared {
  CellKey key;
  std::vector<Row> rows;
};

std::optional<Shared> shared(const std::vector<const OperationResults*>& of_sets) {
  for (const How how : {cold_on_gpu, How{Backend::cuda, Contract::host_result, Cache::cold},
                        How{Backend::host, Contract::host_result, Cache::cold}}) {
    std::map<Input, std::set<const OperationResults*>> answered;
    for (const OperationResults* its : of_sets)
      for (const Cell& c : its->cells)
        if (c.how == how && c.timing() != nullptr) answered[c.input].insert(its);
    const auto candidates = only(of_sets[0]->cells, [&](const Cell& c) {
      return c.how == how && answered[c.input].size() == of_sets.size();
    });
    if (candidates.empty()) continue;
    const auto telling = telling_cells(candidates, of_sets[0]->order());
    Shared found{telling.back().key(), {}};  // over devices, where the sets share such an input
    const auto row_of = [&](const Cell& c) -> std::vector<const Cell*>& {
      auto row = std::ranges::find(found.rows, c.who, &Row::who);
      if (row == found.rows.end())
        row = found.rows.insert(row, {c.who, std::vector<const Cell*>(of_sets.size())});
      return row->cells;
    };
    const auto is_its = [&](const Cell& c) { return c.input == found.key.input && c.how == how; };
    for (const Cell& c : telling)
      if (is_its(c)) row_of(c);
    for (std::size_t s = 0; s < of_sets.size(); ++s)
      for (const Cell& c : of_sets[s]->cells)
        if (is_its(c)) row_of(c)[s] = &c;
    return found;
  }
  return {};
}

bool one_machine(const std::vector<GivenSet>& sets) {
  std::set<std::string> names;
  for (const GivenSet& set : sets) {
    const Machine& machine = set.results.machine;
    names.insert(machine.gpu ? machine.gpu->uuid : machine.cpu);
  }
  return names.size() == 1 && !names.contains("");
}

// "A, NVIDIA H200", and "A" alone where two sets are of one GPU or CPU.
std::vector<std::string> names_of(const std::vector<GivenSet>& sets) {
  const auto machines = each(sets, [](const GivenSet& set) {
    return set.results.machine.gpu ? gpu_name(set.results) : set.results.machine.cpu;
  });
  const bool differ = std::set(machines.begin(), machines.end()).size() == sets.size();
  std::vector<std::string> names;
  for (std::size_t s = 0; s < sets.size(); ++s)
    names.push_back(letters[s] + (differ ? ", " + escaped(machines[s]) : ""));
  return names;
}

// Of the rungs that ran in a set.
Table table(std::string caption, const Shared& found, const std::vector<std::string>& names,
            const std::function<std::string(const Cell&)>& text) {
  Table made{{"rung"}, {}, std::move(caption)};
  for (const std::string& name : names) made.columns.push_back({name, true});
  for (const auto& [who, cells] : found.rows) {
    if (std::ranges::all_of(cells, [](const Cell* cell) {
          return cell == nullptr || cell->verdict() == Verdict::skipped;
        }))
      continue;
    auto& row = made.rows.emplace_back();
    row.push_back(code(who.rung) + (who.provider == "handwritten" ? "" : " (library)"));
    for (const Cell* cell : cells)
      row.push_back(cell == nullptr  ? ""
                    : cell->passed() ? text(*cell)
                                     : std::string(instead_of_numbers(cell->verdict())));
  }
  return made;
}

std::string ratio_of_cell(const Cell& cell) {
  return is_fastest_library(cell) ? "is the fastest library"
                                  : column("vs fastest library").text(cell);
}

// Of each set the fastest hand-written rung that has an answer, and its ratio; empty where there is
// none.
std::vector<std::string> best_of(const Shared& found) {
  std::vector<std::string> row;
  for (std::size_t s = 0; s < found.rows.front().cells.size(); ++s) {
    const Cell* best = nullptr;
    for (const auto& [who, cells] : found.rows)
      if (who.provider == "handwritten" && cells[s] != nullptr && cells[s]->timing() != nullptr &&
          (best == nullptr || cells[s]->timing()->time_us.median < best->timing()->time_us.median))
        best = cells[s];
    row.push_back(best == nullptr ? "" : code(best->who.rung) + ": " + ratio_of_cell(*best));
  }
  return row;
}

json picture(const Shared& found) {
  json rows = json::array();
  for (const auto& [who, cells] : found.rows)
    for (std::size_t s = 0; s < cells.size(); ++s) {
      const Timing* timing = cells[s] == nullptr ? nullptr : cells[s]->timing();
      if (timing == nullptr || !timing->ratios.vs_fastest_library) continue;
      const auto& [value, low, high, verdict] = *timing->ratios.vs_fastest_library;
      rows.push_back({{"set", letters[s]},
                      {"rung", shortened(who.rung)},
                      {"ratio", value},
                      {"ratio_low", low},
                      {"ratio_high", high},
                      {"verdict", name_of(verdict)}});
    }
  if (rows.empty()) return {};
  return {{"name", "sets"}, {"note", "Hollow: no difference shown."}, {"rows", rows}};
}

Section the_sets(const std::vector<GivenSet>& sets) {
  Table listed{{"set",
                "file",
                "machine",
                "run",
                {"date", true},
                "commit",
                "driver",
                "CUDA compiler",
                {"rows", true}}};
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const Results& r = sets[s].results;
    listed.rows.push_back(
        {letters[s], code(sets[s].name), machine_in_short(r), code(short_id(r.run)), day_of(r.run),
         commit_of(r.run), r.machine.gpu ? escaped(r.machine.gpu->driver) : "",
         escaped(r.software.cuda_compiler.value_or("")), grouped(r.cells.size())});
  }
  return {.title = "The sets", .tables = {listed}, .id = "sets"};
}

std::vector<Section> sections(const std::vector<GivenSet>& sets) {
  const bool same = one_machine(sets);
  const std::vector<std::string> names = names_of(sets);
  std::vector<Section> all;
  Table best{{"operation"}, {}, "The fastest kernel against the fastest library of the same set"};
  for (const std::string& name : names) best.columns.push_back({name, true});
  std::list<ResultSet> by_operation;
  for (const GivenSet& set : sets) by_operation.emplace_back(set.results);
  for (const auto& [set, operation, cells, gpu_times, fastest] : by_operation.front().operations) {
    std::vector<const OperationResults*> of_sets;
    for (const ResultSet& one : by_operation) of_sets.push_back(one.operation(operation));
    if (std::ranges::count(of_sets, nullptr) > 0) continue;
    const auto found = shared(of_sets);
    if (!found) {
      all.push_back({escaped(operation), "The sets were timed on no common input."});
      continue;
    }
    if (auto row = best_of(*found);
        std::ranges::any_of(row, [](const std::string& one) { return !one.empty(); })) {
      row.insert(row.begin(), input_in_words(found->key));
      best.rows.push_back(std::move(row));
    }
    const std::string times =
        same ? "Times, all on one machine"
             : "**Times, each on its own machine**: they compare machines, and not kernels";
    all.push_back(
        {.title = escaped(operation),
         .text = fmt::format("{}, {}.", input_in_words(found->key), until_in_words(found->key.how)),
         .picture = picture(*found),
         .tables = {table("How many times as fast as the fastest library of the same set", *found,
                          names, ratio_of_cell),
                    table(times, *found, names, column("time (95 % interval)").text)}});
  }
  if (all.empty()) all.push_back({"No operation in common", "The sets share no operation."});
  all.insert(all.begin(), the_sets(sets));
  if (!best.rows.empty())
    all.insert(all.begin(), {.title = "The fastest kernels", .tables = {best}, .id = "best"});
  std::string text;
  const NamedSet first{sets[0].name, sets[0].results};
  for (std::size_t s = 1; s < sets.size(); ++s) {
    const NamedSet other{sets[s].name, sets[s].results};
    text += fmt::format("{}Set {} against set A{}:\n\n", text.empty() ? "" : "\n", letters[s],
                        s > 1 ? fmt::format(". Set {} is called B here", letters[s]) : "") +
            comparison_text(first, other, comparison(first.results, other.results), 0);
  }
  all.push_back({"Row by row, against A",
                 "From `./ladder compare`. The command also names each row that differs.", text});
  return all;
}

std::string lead_of(const std::vector<GivenSet>& sets) {
  std::set<std::string> machines;
  for (const GivenSet& set : sets)
    machines.insert(
        escaped(set.results.machine.gpu ? gpu_name(set.results) : set.results.machine.cpu));
  return fmt::format("{} result sets of {}{}.", sets.size(),
                     one_machine(sets) ? "one machine, " : "",
                     enumerated({machines.begin(), machines.end()}));
}

constexpr const char* note =
    "Each ratio is to the fastest library of the same set, so ratios of different machines can be "
    "compared. Times of different machines cannot. So "
    "ratios come first.";

std::vector<Caution> all_cautions(const std::vector<GivenSet>& sets) {
  std::vector<Caution> all;
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (Caution& one : cautions(sets[s].results, sets[s].soundness))
      all.push_back({fmt::format("{}: {}", letters[s], one.what), one.why});
  return all;
}

std::string as_markdown(const std::vector<GivenSet>& sets, const std::vector<Section>& all) {
  std::string text = "# Kernel Ladder: several result sets\n\n" + warnings(all_cautions(sets)) +
                     lead_of(sets) + "\n\n" + note + "\n\n";
  for (const Section& section : all) {
    text += fmt::format("## {}\n\n", section.title);
    if (!section.text.empty()) text += section.text + "\n\n";
    for (const Table& table : section.tables)
      text += (table.caption.empty() ? "" : table.caption + ":\n\n") + markdown_table(table) + '\n';
    if (!section.verbatim.empty()) text += fenced("text", section.verbatim) + '\n';
  }
  return text;
}

json as_json(const std::vector<GivenSet>& sets, const std::vector<Section>& all) {
  return {{"title", "Result sets side by side"},
          {"lead", lead_of(sets)},
          {"note", note},
          {"warnings", all_cautions(sets)},
          {"sections", all},
          {"figures", {{"sets", json::parse(embedded("html/sets.vl.json"))}}}};
}

}  // namespace

Files sets_files(const std::vector<GivenSet>& sets) {
  const auto all = sections(sets);
  return {{"sets.html", page_with(as_json(sets, all))}, {"sets.md", as_markdown(sets, all)}};
}

}  // namespace ladder::reports
