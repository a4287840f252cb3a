#include "reports/formats/html/several_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <list>
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

struct Member {
  const char* letter;
  const GivenSet* given;
  ResultSet results;

  Member(const char* its_letter, const GivenSet& set)
      : letter(its_letter), given(&set), results(set.results) {}
};

// The sets whose inputs are spread over as many devices: only they have rows in common.
struct Group {
  std::string spread = {};  // ", over 2 devices"; empty where no input is spread
  std::list<Member> sets = {};

  const Member& first() const { return sets.front(); }
};

std::list<Group> groups_of(const std::vector<GivenSet>& sets) {
  std::list<Group> groups;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const Cells& cells = sets[s].results.cells;
    const std::string spread = over_devices(
        most_devices_of(cells),
        std::ranges::any_of(cells, [](const Cell& c) { return c.input.process_for_each_device; }));
    auto group = std::ranges::find(groups, spread, &Group::spread);
    if (group == groups.end()) group = groups.insert(group, {spread});
    group->sets.emplace_back(letters[s], sets[s]);
  }
  return groups;
}

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

// "A, NVIDIA H200", and "A" alone where two sets are of one GPU or CPU.
std::vector<std::string> names_of(const Group& group) {
  const auto machine_of = [](const Member& set) {
    const Results& results = set.given->results;
    return results.machine.gpu ? gpu_name(results) : results.machine.cpu;
  };
  const auto machines = each(group.sets, machine_of);
  const bool differ = std::set(machines.begin(), machines.end()).size() == machines.size();
  return each(group.sets, [&](const Member& set) {
    return set.letter + (differ ? ", " + escaped(machine_of(set)) : "");
  });
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

// Of each set the fastest hand-written rung that has an answer; null where there is none.
std::vector<const Cell*> fastest_of(const Shared& found, std::size_t sets) {
  std::vector<const Cell*> fastest(sets);
  for (const auto& [who, cells] : found.rows)
    for (std::size_t s = 0; s < sets; ++s)
      if (const Cell* const cell = cells[s];
          who.provider == "handwritten" && cell != nullptr && cell->timing() != nullptr &&
          (fastest[s] == nullptr ||
           cell->timing()->time_us.median < fastest[s]->timing()->time_us.median))
        fastest[s] = cell;
  return fastest;
}

// A point for each set: where in a row of the picture it stands.
void add_points(json& points, const Group& group, const std::string& row,
                const std::vector<const Cell*>& cells) {
  for (auto set = group.sets.begin(); const Cell* const cell : cells) {
    const char* const letter = (set++)->letter;
    const Timing* timing = cell == nullptr ? nullptr : cell->timing();
    if (timing == nullptr || !timing->ratios.vs_fastest_library) continue;
    const auto& [value, low, high, verdict] = *timing->ratios.vs_fastest_library;
    points.push_back({{"set", letter},
                      {"row", row},
                      {"ratio", value},
                      {"ratio_low", low},
                      {"ratio_high", high},
                      {"verdict", name_of(verdict)}});
  }
}

json picture_of(const json& points) {
  if (points.empty()) return {};
  return {{"name", "sets"}, {"note", "Hollow: no difference shown."}, {"rows", points}};
}

json picture(const Shared& found, const Group& group) {
  json points = json::array();
  for (const auto& [who, cells] : found.rows) add_points(points, group, shortened(who.rung), cells);
  return picture_of(points);
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

bool one_machine(const std::vector<const Machine*>& machines) {
  std::set<std::string> names;
  for (const Machine* one : machines) names.insert(one->gpu ? one->gpu->uuid : one->cpu);
  return names.size() == 1 && !names.contains("");
}

struct OfGroup {
  Table best;
  json points = json::array();  // of a picture of the same
  std::vector<Section> operations = {};
};

OfGroup of_group(const Group& group) {
  const std::string times =
      one_machine(each(group.sets, [](const Member& set) { return &set.given->results.machine; }))
          ? "Times, all on one machine"
          : "**Times, each on its own machine**: they compare machines, and not kernels";
  const std::vector<std::string> names = names_of(group);
  OfGroup made{.best = {{"operation"},
                        {},
                        "The fastest kernel against the fastest library of the same set"}};
  for (const std::string& name : names) made.best.columns.push_back({name, true});
  for (const OperationResults& first : group.first().results.operations) {
    const auto of_sets =
        each(group.sets, [&](const Member& set) { return set.results.operation(first.name); });
    if (std::ranges::count(of_sets, nullptr) > 0) continue;
    const std::string title = escaped(first.name) + group.spread;
    const auto found = shared(of_sets);
    if (!found) {
      made.operations.push_back({title, "The sets were timed on no common input."});
      continue;
    }
    const auto fastest = fastest_of(*found, of_sets.size());
    if (std::ranges::count(fastest, nullptr) < std::ssize(fastest)) {
      auto& row = made.best.rows.emplace_back(1, input_in_words(found->key));
      for (const Cell* cell : fastest)
        row.push_back(cell == nullptr ? "" : code(cell->who.rung) + ": " + ratio_of_cell(*cell));
      add_points(made.points, group, first.name, fastest);
    }
    made.operations.push_back(
        {.title = title,
         .text = fmt::format("{}, {}.", input_in_words(found->key), until_in_words(found->key.how)),
         .picture = picture(*found, group),
         .tables = {table("How many times as fast as the fastest library of the same set", *found,
                          names, ratio_of_cell),
                    table(times, *found, names, column("time (95 % interval)").text)}});
    if (!group.spread.empty())
      made.operations.back().tables.push_back(
          table("How many times as fast as the fastest on one device of the same set", *found,
                names, column("x one device").text));
  }
  return made;
}

// Each set against the first of its group.
std::string row_by_row(const std::list<Group>& groups) {
  std::string text;
  const auto named = [](const Member& set) {
    return NamedSet{set.given->name, set.given->results};
  };
  for (const Group& group : groups) {
    const Member& a = group.first();
    for (const Member& b : group.sets) {
      if (&b == &a) continue;
      const bool is_said = *a.letter == 'A' && *b.letter == 'B';
      text +=
          fmt::format(
              "{}Set {} against set {}{}:\n\n", text.empty() ? "" : "\n", b.letter, a.letter,
              is_said
                  ? ""
                  : fmt::format(". Here set {} is called A, and set {} B", a.letter, b.letter)) +
          comparison_text(named(a), named(b), comparison(a.given->results, b.given->results), 0);
    }
  }
  return text;
}

std::vector<Section> sections(const std::vector<GivenSet>& sets) {
  const std::list<Group> groups = groups_of(sets);
  std::vector<Section> fastest, operations;
  json points = json::array();
  for (const Group& group : groups) {
    OfGroup its = of_group(group);
    points.insert(points.end(), its.points.begin(), its.points.end());
    if (!its.best.rows.empty())
      fastest.push_back({.title = "The fastest kernels" + group.spread,
                         .tables = {std::move(its.best)},
                         .id = fastest.empty() ? "best" : ""});
    std::ranges::move(its.operations, std::back_inserter(operations));
  }
  if (!fastest.empty()) fastest[0].picture = picture_of(points);
  if (operations.empty())
    operations.push_back({"No operation in common", "The sets share no operation."});
  std::vector<Section> all = std::move(fastest);
  all.push_back(the_sets(sets));
  std::ranges::move(operations, std::back_inserter(all));
  if (const std::string text = row_by_row(groups); !text.empty())
    all.push_back({"Row by row",
                   "From `./ladder compare`. The command also names each row that differs.", text});
  return all;
}

std::string lead_of(const std::vector<GivenSet>& sets) {
  std::set<std::string> machines;
  for (const GivenSet& set : sets)
    machines.insert(
        escaped(set.results.machine.gpu ? gpu_name(set.results) : set.results.machine.cpu));
  return fmt::format(
      "{} result sets of {}{}.", sets.size(),
      one_machine(each(sets, [](const GivenSet& set) { return &set.results.machine; }))
          ? "one machine, "
          : "",
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

std::string sets_figure(const std::vector<GivenSet>& sets, double width_mm) {
  std::map<std::string, std::string> names;  // by letters
  std::set<std::string> different;
  json points = json::array();
  for (const Group& group : groups_of(sets)) {
    for (const Member& set : group.sets) {
      const Results& results = set.given->results;
      const std::string& machine = results.machine.gpu ? gpu_name(results) : results.machine.cpu;
      different.insert(names[set.letter] = printable(machine) + group.spread);
    }
    const json its = of_group(group).points;
    points.insert(points.end(), its.begin(), its.end());
  }
  if (points.empty()) return "";
  for (json& point : points) {
    const std::string letter = point.at("set");
    point["set"] = (different.size() < sets.size() ? letter + ", " : "") + names.at(letter);
  }
  json whole = json::parse(embedded("html/sets.vl.json"));
  whole["data"]["values"] = std::move(points);
  whole["config"] = figure_theme("light");
  if (width_mm < 2 * column_mm - 10) whole["config"]["legend"]["columns"] = 1;
  const auto coding = whole.at("usermeta").at("coding").get<std::vector<std::string>>();
  return drawn_at(width_mm, std::move(whole), coding);
}

Files sets_files(const std::vector<GivenSet>& sets) {
  const auto all = sections(sets);
  return {{"sets.html", page_with(as_json(sets, all))}, {"sets.md", as_markdown(sets, all)}};
}

}  // namespace ladder::reports
