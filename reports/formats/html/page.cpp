#include "reports/formats/html/page.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "reports/file/compression.hpp"
#include "reports/file/sha256.hpp"
#include "reports/formats/figures/figures.hpp"
#include "reports/notes/claims.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/targets/targets.hpp"
#include "reports/text/embedded.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/citation.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/lead_sentences.hpp"
#include "reports/words/machine.hpp"
#include "reports/words/names.hpp"
#include "reports/words/what_changes.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

// What the page does not show, and results.json has.
constexpr std::string_view not_on_the_page[]{"processes",
                                             "process_times",
                                             "process_back_to_back",
                                             "process_devices",
                                             "error_bound",
                                             "time_min",
                                             "time_max",
                                             "outliers",
                                             "percent_of_datasheet",
                                             "sm_mhz_min",
                                             "sm_mhz_max",
                                             "back_to_back_vs_fastest_library",
                                             "back_to_back_vs_fastest_library_low",
                                             "back_to_back_vs_fastest_library_high",
                                             "back_to_back_vs_fastest_library_verdict"};

// Of sources, in the page: more than this project has. The files that come after are left out.
constexpr std::size_t most_source_bytes = 1 << 20;

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const auto length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                      reinterpret_cast<const unsigned char*>(bytes.data()),
                                      static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

// As a Content-Security-Policy names a script.
std::string hash_of(std::string_view script) {
  const auto digest = sha256_digest(script);
  return fmt::format("'sha256-{}'",
                     base64({reinterpret_cast<const char*>(digest.data()), digest.size()}));
}

// For what the page unpacks: gzip in base64. No text in it can end the element that holds it.
std::string packed_json(const json& value) {
  return base64(packed_for_browsers(value.dump(-1, ' ', false, json::error_handler_t::replace)));
}

// Seven digits: more than anything on the page shows, in half the bytes. strtod, since stod throws
// where a number is subnormal.
json in_seven_digits(double value) {
  return std::strtod(fmt::format("{:.6e}", value).c_str(), nullptr);
}

// Column by column. Text is told once, in words, and by its number after that.
json columns_of(const std::vector<FlatRow>& rows) {
  json all = json::object();
  const auto columns = flat_columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (std::ranges::count(not_on_the_page, columns[c].name) > 0) continue;
    json values = json::array(), words = json::array();
    std::map<std::string, std::size_t> numbers;
    for (const FlatRow& row : rows) {
      const json& value = row[c];
      if (!value.is_string()) {
        values.push_back(value.is_number_float() ? in_seven_digits(value) : value);
        continue;
      }
      const auto [number, is_new] = numbers.emplace(value.get<std::string>(), numbers.size());
      if (is_new) words.push_back(shortened(number->first));
      values.push_back(number->second);
    }
    all[columns[c].name] = {{"words", words}, {"values", values}};
  }
  return all;
}

json operation_of(const Report& report, const OperationResults& operation) {
  const auto& [set, name, cells, gpu_times, fastest] = operation;
  const Order& order = operation.order();
  const auto counted = only(cells, of_backend(Backend::emulated)),
             timed = only(cells, &Cell::timing);
  const auto steps = explanations(counted.empty() ? cells : counted, order);
  json cards = json::array(), elsewhere = json::array();
  for (const Rung& rung : report.results.rungs) {
    if (rung.operation != name) continue;
    json card = rung;
    card.erase("operation");
    card["notes"] = joined(rung.notes);
    card["source"] = source_of(rung);
    for (const Step& step : steps)
      if (step.who == Who{rung.provider, rung.rung})
        card["counts"] = fmt::format("{} ({}).", step.text, input_in_short(step.input));
    cards.push_back(std::move(card));
  }
  for (const OperationResults* its : published_times(operation, report.published)) {
    const Run& run = its->set.results.run;
    elsewhere.push_back(
        {{"title", passage("page/published", {{"input", input_in_words(its->gpu_times[0].key())},
                                              {"gpu", escaped(gpu_name(its->set.results))},
                                              {"run", code(short_id(run))},
                                              {"date", day_of(run)}})},
         {"standing", standing(*its)},
         {"rows", figure_rows("ladder", flat(its->set), telling_key(its->cells, its->order()))}});
  }
  const json counted_key = telling_key(counted, order);
  std::vector<std::string> sentences{standing(operation), faster_from(operation)};
  std::erase(sentences, "");
  return {{"name", name},
          {"key", telling_key(timed.empty() ? cells : timed, order)},
          {"counted_key", counted_key.is_null() ? json::object() : counted_key},
          {"input", gpu_times.empty() ? "" : input_in_words(gpu_times.back().key())},
          {"standing", joined(sentences, " ")},
          {"cards", cards},
          {"elsewhere", elsewhere}};
}

// What the columns of the report's tables mean: a list.
std::string meanings(bool over_devices) {
  std::string text;
  for (const Column& column : columns())
    if (!column.meaning.empty() && (!column.over_devices || over_devices))
      text += fmt::format("- **{}**: {}\n", column.title, column.meaning);
  return text;
}

// The names and titles of the fields of a struct that have titles.
template <class T>
json titles_of() {
  json titles = json::array();
  const T none{};
  T::fields(none, [&](std::string_view name, const auto&, const FieldFacts& facts = {}) {
    if (!facts.title.empty()) titles.push_back({name, facts.title});
  });
  return titles;
}

// Targets, claims, method, machine, and how to run it again.
std::vector<Section> sections(const Report& report) {
  const Results& results = report.results;
  std::vector<Section> all;
  const auto titled = [](Table table, std::string caption) {
    table.caption = std::move(caption);
    return table;
  };
  if (const auto targets = bands(results); !targets.empty())
    all.push_back({.title = "The targets",
                   .text = passage("page/targets", {{"short", targets_in_short(targets)}}),
                   .tables = {targets_table(targets)},
                   .id = "targets"});
  if (const auto claims = judged_claims(results.cells); !claims.empty()) {
    Section& section = all.emplace_back();
    section = {
        .title = "The claims of the study notes",
        .tables = {titled(claims_table(claims), "Every claim, and what this run says of it")},
        .id = "claims",
        .folded = {{"How claims are judged", how_claims_are_judged()}}};
    if (const json rows = claim_rows(results); !rows.empty())
      section.picture = {{"name", "claims"}, {"note", passage("page/claims")}, {"rows", rows}};
  }
  Section method{.title = "The method",
                 .text = passage("page/method") + "\n\n" + stopping_rules(results.run.efforts),
                 .id = "method",
                 .folded = {{"What the columns mean", meanings(report.set.most_devices > 0)}}};
  for (Table table : {titled(ceiling_table(results.ceilings), passage("page/ceilings")),
                      titled(overhead_table(results.overheads), passage("page/overheads"))})
    if (!table.rows.empty()) method.tables.push_back(std::move(table));
  all.push_back(std::move(method));
  all.push_back({.title = "Machine and software",
                 .text = machine_in_short(results),
                 .tables = {machine_table(results)},
                 .id = "machine"});
  all.push_back({.title = "Reproduce",
                 .verbatim = reproduce_commands(results),
                 .after = passage("page/reproduce", {{"seed", std::to_string(results.run.seed)},
                                                     {"id", code(results.run.id)}}),
                 .id = "reproduce"});
  return all;
}

// Lists and commands have several lines, each of which is shortened.
std::string shortened_lines(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string all;
  for (std::string line; std::getline(lines, line);) all += shortened(line) + '\n';
  if (!text.ends_with('\n') && !all.empty()) all.pop_back();
  return all;
}

// Texts by their paths.
json sources_of(const Results& results) {
  json all = json::object();
  std::size_t bytes = 0;
  for (const SourceFile& file : results.sources)
    if ((bytes += file.text.size()) <= most_source_bytes)
      all[shortened(file.path)] = shortened_lines(file.text);
  return all;
}

// Of which commit a source is.
std::string built(const std::string& commit, bool is_changed) {
  return passage("page/built", {{"commit", shortened(commit.substr(0, 12))},
                                {"changed", is_changed ? ", with changes" : ""}});
}

json everything_but_cells(const Report& report) {
  const Results& results = report.results;
  const Run& run = results.run;
  json operations = json::array();
  for (const OperationResults& operation : report.set.operations)
    operations.push_back(operation_of(report, operation));
  json figures = json::object();
  for (const std::string& name : figure_names()) figures[name] = figure_template(name);
  return {
      {"lead", lead(report.set)},
      {"title", shortened(results.machine.gpu ? results.machine.gpu->name : results.machine.cpu)},
      {"warnings", each_text(report.cautions, shortened)},
      {"rows", results.cells.size()},
      {"verdicts", verdicts(results.cells)},
      {"short_id", shortened(short_id(run))},
      {"date", shortened(run.date)},
      {"built", built(run.commit, run.dirty)},
      {"built_elsewhere",
       results.kernels ? built(results.kernels->commit, results.kernels->dirty) : ""},
      {"bibtex", bibtex(run, device_in_words(results))},
      {"operations", each_text(operations, shortened)},
      {"sections", each_text(sections(report), shortened_lines)},
      {"card_titles", titles_of<Rung>()},
      {"counters", titles_of<Counters>()},
      {"has_spread_rows", report.set.most_devices > 0},
      {"figures", figures},
  };
}

}  // namespace

void to_json(json& out, const Table& table) {
  json columns = json::array();
  for (const auto& [title, number] : table.columns)
    columns.push_back({{"title", title}, {"number", number}});
  out = {{"caption", table.caption}, {"columns", columns}, {"rows", table.rows}};
}

std::string page(const Report& report) {
  return page_with(everything_but_cells(report), columns_of(report.rows()),
                   sources_of(report.results));
}

std::string page_script() {
  std::string script = "\"use strict\";\n(async () => {\n";
  for (const char* part : {"data", "elements", "numbers", "address", "figures", "first_screen",
                           "filters", "operation", "ladder", "rung", "tables", "buttons", "start"})
    script += embedded(fmt::format("html/page/{}.js", part));
  return script + "})();\n";
}

std::string page_with(json report, const json& cells, const json& sources) {
  for (const char* theme : {"light", "dark"}) report["themes"][theme] = figure_theme(theme);
  const std::string_view vega = embedded("html/vega/vega.js");
  const std::string script = page_script();
  return filled(embedded("html/page.html"),
                {
                    {"script_hashes", hash_of(vega) + ' ' + hash_of(script)},
                    {"style", std::string(embedded("html/page.css"))},
                    {"report", packed_json(report)},
                    {"cells", packed_json(cells)},
                    {"sources", packed_json(sources)},
                    {"vega", base64(packed_for_browsers(std::string(vega)))},
                    {"script", script},
                });
}

}  // namespace ladder::reports
