// The report as text: report.md, which takes five minutes, and pages in report/: of each operation
// and of the study notes.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "reports/formats/figures/drawn_ladders.hpp"
#include "reports/formats/markdown/cell_table.hpp"
#include "reports/formats/markdown/ladder_table.hpp"
#include "reports/formats/markdown/library_upgrade.hpp"
#include "reports/formats/markdown/operation_page.hpp"
#include "reports/formats/report.hpp"
#include "reports/notes/claims.hpp"
#include "reports/notes/formulas.hpp"
#include "reports/notes/overview.hpp"
#include "reports/notes/printed.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/soundness/cautions.hpp"
#include "reports/targets/targets.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/citation.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/lead_sentences.hpp"
#include "reports/words/machine.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

constexpr const char* study_notes = "study_notes";  // its page

// The best of each backend and contract, in a sentence each.
std::string highlights(const Cells& cells) {
  std::map<std::pair<Backend, std::optional<Contract>>, const Cell*> best;
  for (const Cell& c : cells) {
    if (c.timing() == nullptr || c.input.offset != 0) continue;
    if (has_flag(c, "fits_in_cache")) continue;  // says nothing of memory
    // Cold caches before warm ones, as in the tables.
    const auto rank = [](const Cell& of) {
      return std::pair(of.how.cache != Cache::warm, of.timing()->bandwidth_gbps.median);
    };
    const Cell*& leader = best[{c.how.backend, c.how.contract}];
    if (leader == nullptr || rank(c) > rank(*leader)) leader = &c;
  }
  std::string text;
  for (const auto& [where, c] : best) {
    const Input& input = c->input;
    const bool on_gpu = c->how.backend == Backend::cuda;
    const auto& share = c->timing()->percent_of_ceiling;
    text +=
        ' ' +
        passage(
            "report/highest bandwidth",
            {{"where", on_gpu && c->how.contract == Contract::host_result
                           ? "GPU until the host holds the result"
                       : on_gpu ? "GPU"
                                : "CPU"},
             {"gbps", three_digits(c->timing()->bandwidth_gbps.median)},
             {"rung", code(c->who.rung)},
             {"input",
              fmt::format("{}, {}{}, n = {}{}{}", code(input.operation),
                          input.op ? escaped(*input.op) + ", " : "", escaped(input.dtype),
                          elements(input.n),
                          over_devices(input.devices, input.process_for_each_device),
                          c->how.cache ? fmt::format(", {} cache", name_of(*c->how.cache)) : "")},
             {"share",
              share ? fmt::format(", {} % of the measured ceiling", three_digits(*share)) : ""}});
  }
  return text;
}

std::string overview(const Report& report) {
  const Results& r = report.results;
  const Cells& cells = r.cells;
  std::map<std::string, std::set<std::string>> operators;
  std::set<std::string> dtypes;
  std::set<Backend> backends;
  std::set<std::pair<std::string, Who>> implementations;  // of an operation
  std::set<std::uint64_t> sizes;
  for (const Cell& c : cells) {
    operators[c.input.operation].insert(c.input.op.value_or(""));
    dtypes.insert(c.input.dtype);
    backends.insert(c.how.backend);
    implementations.emplace(c.input.operation, c.who);
    sizes.insert(c.input.n);
  }
  if (cells.empty())
    return passage("report/nothing",
                   {{"machine", machine_in_short(r)}, {"date", escaped(r.run.date)}});
  std::vector<std::string> what;
  for (const OperationResults& operation : report.set.operations) {
    const auto& ops = operators.at(operation.name);
    what.push_back(code(operation.name) +
                   (ops.size() > 1         ? fmt::format(" with {} operators", ops.size())
                    : ops.begin()->empty() ? ""
                                           : " by " + escaped(*ops.begin())));
  }
  std::string text = passage(
      "report/overview", {{"implementations", counted(implementations.size(), "implementation")},
                          {"operations", enumerated(what)},
                          {"types", counted(dtypes.size(), "element type")},
                          {"sizes", enumerated(each(sizes, elements))},
                          {"machine", machine_in_short(r)},
                          {"date", day_of(r.run)},
                          {"rows", counted(cells.size(), "row")},
                          {"verdicts", verdicts(cells)}});
  if (backends.contains(Backend::emulated))
    text += ' ' +
            passage("report/counted", {{"also", backends.contains(Backend::cuda) ? "also " : ""}});
  return text + highlights(cells);
}

// Machine, ceilings, overheads, and how to run it again.
std::vector<std::string> how_it_was_measured(const Results& r) {
  std::vector<std::string> parts;
  for (const auto& [name, table] : {std::pair("report/machine", machine_table(r)),
                                    {"report/ceilings", ceiling_table(r.ceilings)},
                                    {"report/overheads", overhead_table(r.overheads)}})
    if (!table.rows.empty()) parts.push_back(passage(name, {{"table", markdown_table(table)}}));
  parts.push_back(passage("report/reproduce", {{"commands", fenced("sh", reproduce_commands(r))},
                                               {"stopping_rules", stopping_rules(r.run.efforts)},
                                               {"seed", std::to_string(r.run.seed)}}));
  parts.push_back(passage(
      "report/cite",
      {{"id", code(r.run.id)}, {"bibtex", fenced("bibtex", bibtex(r.run, device_in_words(r)))}}));
  return parts;
}

// As GitHub and most renderers make it of a heading.
std::string anchor(std::string_view heading) {
  std::string name;
  for (const unsigned char c : heading) {
    if (std::isalnum(c) != 0 || c == '-' || c == '_') name += static_cast<char>(std::tolower(c));
    else if (c == ' ') name += '-';
  }
  return name;
}

// Links to the sections of `body`.
std::string contents(const std::string& body) {
  std::vector<std::string> links;
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("## "))
      links.push_back(fmt::format("[{}](#{})", line.substr(3), anchor(line.substr(3))));
  return joined(links, " · ");
}

// What report.md shows of an operation: its ladder on the input that tells most.
std::string in_short(const Report& report, const OperationResults& operation) {
  std::vector<std::string> parts{standing(operation), faster_from(operation)};
  for (const OperationResults* its : published_times(operation, report.published))
    parts.push_back(passage("report/published", {{"gpu", escaped(gpu_name(its->set.results))},
                                                 {"standing", standing(*its)}}));
  if (!operation.gpu_times.empty()) {
    parts.push_back(
        passage("report/ladder", {{"input", input_in_words(operation.gpu_times.back().key())},
                                  {"table", ladder_table(operation)}}));
    return paragraphs(parts);
  }
  for (const auto& [backend, its_cells] : operation.by_backend()) {
    const auto shown = telling_of_nearly_all(its_cells, operation.order());
    How how = shown[0].how;
    how.cache.reset();  // a word of the input
    parts.push_back(passage("report/backend", {{"how", how_in_words(how, {})},
                                               {"input", input_in_words(shown.back().key())},
                                               {"table", cell_table(shown)}}));
  }
  return paragraphs(parts);
}

// A name for each page, no two alike.
std::map<std::string, std::string> page_names(const std::vector<OperationResults>& operations) {
  std::set<std::string> taken{study_notes};
  std::map<std::string, unsigned> twins;
  std::map<std::string, std::string> names;
  for (const auto& [set, operation, cells, times, fastest] : operations) {
    const std::string plain = as_file_name(operation);
    std::string name = plain;
    while (!taken.insert(name).second) name = fmt::format("{}_{}", plain, ++twins[plain] + 1);
    names[operation] = name;
  }
  return names;
}

std::string explained(std::string_view shown, std::string_view title, const Report& report) {
  const Column& its = column(title);
  return std::ranges::any_of(report.results.cells,
                             [&](const Cell& c) { return !its.text(c).empty(); })
             ? fmt::format("*{}*: {}", shown, its.meaning)
             : "";
}

}  // namespace

Files markdown(const Report& report) {
  const Results& results = report.results;
  const std::string beware = warnings(report.cautions);
  Files files;
  const auto add_page = [&](const std::string& name, const std::string& title,
                            const std::string& body) {
    files[fmt::format("report/{}.md", name)] =
        passage("report/page", {{"title", title},
                                {"run", code(short_id(results.run))},
                                {"date", day_of(results.run)},
                                {"machine", machine_in_short(results)},
                                {"beware", beware},
                                {"body", body}}) +
        '\n';
  };
  std::vector<std::string> sections;
  const auto names = page_names(report.set.operations);
  for (const OperationResults& operation : report.set.operations) {
    const std::string& page = names.at(operation.name);
    const std::string title = escaped(operation.name), picture = ladder_picture(report, operation);
    sections.push_back(passage(
        "report/operation",
        {{"operation", title},
         {"picture",
          picture.empty()
              ? ""
              : passage("report/picture", {{"operation", title}, {"file", picture}}) + "\n\n"},
         {"text", in_short(report, operation)},
         {"page", page}}));
    add_page(page, title, operation_page(operation));
  }
  if (std::ranges::any_of(report.set.operations,
                          [](const auto& of) { return of.ran_on(Backend::cuda); }))
    sections.push_back(passage("report/how to read the ladders"));
  sections.push_back(explained("X one device", "x one device", report));
  sections.push_back(explained("Vs same promise", "vs same promise", report));
  const std::string notes = claims_section(results.cells) + formulas_section(results) +
                            printed_section(results.cells, gpu_name(results));
  if (!notes.empty()) {
    add_page(study_notes, "The study notes", notes);
    sections.push_back(passage("report/study notes",
                               {{"page", study_notes}, {"overview", notes_overview(results)}}));
  }
  sections.push_back(upgrade_section(report.set));
  if (const auto all = bands(results); !all.empty())
    sections.push_back(passage("report/targets", {{"short", targets_in_short(all)},
                                                  {"table", markdown_table(targets_table(all))}}));
  const auto measured = how_it_was_measured(results);
  sections.insert(sections.end(), measured.begin(), measured.end());
  const std::string text = paragraphs(sections);
  files["report.md"] = passage("report/report", {{"beware", beware},
                                                 {"lead", lead(report.set)},
                                                 {"overview", overview(report)},
                                                 {"contents", contents(text)},
                                                 {"sections", text}}) +
                       '\n';
  return files;
}

}  // namespace ladder::reports
