#include "reports/formats/html/page.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "reports/file/gzip.hpp"
#include "reports/formats/figures/figures.hpp"
#include "reports/model/json.hpp"
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

// What the page does not show: the spread of single samples and the medians of single processes.
// results.json has them.
constexpr std::array<std::string_view, 11> not_on_the_page{
    "time_min",        "time_p5",       "time_p25",
    "time_p75",        "time_p95",      "time_max",
    "processes",       "process_times", "process_back_to_back",
    "process_devices", "error_bound"};

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
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (EVP_Digest(script.data(), script.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL has no SHA-256");
  return fmt::format("'sha256-{}'", base64({reinterpret_cast<const char*>(digest.data()), size}));
}

// JSON that can stand inside a script element: nothing in it ends the element, or a line where a
// script must not have one.
std::string inlined(const json& value) {
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (text[i] == '<' || text[i] == '>' || text[i] == '&')
      out += fmt::format("\\u{:04x}", static_cast<int>(text[i]));
    else if (rest.starts_with("\u2028") || rest.starts_with("\u2029"))
      out += rest[2] == '\xa8' ? "\\u2028" : "\\u2029", i += 2;
    else out += text[i];
  }
  return out;
}

// Every text in it as people may see it.
json shown(json value) {
  if (value.is_string()) return shortened(value.get_ref<const std::string&>());
  if (value.is_structured())
    for (json& part : value) part = shown(std::move(part));
  return value;
}

// Seven digits: more than anything on the page shows, in half the bytes.
json in_seven_digits(double value) {
  return std::stod(fmt::format("{:.6e}", value));
}

// Column by column. Text is told once, and by its number after that.
json columns_of(const std::vector<FlatRow>& rows) {
  json all = json::object();
  const auto columns = flat_columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (std::ranges::count(not_on_the_page, columns[c].name) > 0) continue;
    json values = json::array(), words = json::array();
    std::map<std::string, std::size_t> numbers;
    bool any = false;
    for (const FlatRow& row : rows) {
      const json& value = row[c];
      any |= !value.is_null();
      if (!value.is_string()) {
        values.push_back(value.is_number_float() ? in_seven_digits(value) : value);
        continue;
      }
      const auto [number, is_new] = numbers.emplace(value.get<std::string>(), numbers.size());
      if (is_new) words.push_back(shortened(number->first));
      values.push_back(number->second);
    }
    if (any)
      all[std::string(columns[c].name)] = {{"words", words.empty() ? json() : words},
                                           {"values", values}};
  }
  return all;
}

json operation_of(const Report& report, const OperationResults& operation) {
  const auto& [set, name, cells, gpu_times, fastest] = operation;
  const Order& order = operation.order();
  std::vector<Cell> counted, timed;
  std::ranges::copy_if(cells, std::back_inserter(counted),
                       [](const Cell& c) { return c.how.backend == Backend::emulated; });
  std::ranges::copy_if(cells, std::back_inserter(timed),
                       [](const Cell& c) { return c.timing() != nullptr; });
  json cards = json::array(), steps = json::array(), elsewhere = json::array();
  for (const Rung& rung : report.results.rungs) {
    if (rung.operation != name) continue;
    json card = rung;
    card.erase("operation");
    card["notes"] = joined(rung.notes);
    card["source"] = source_of(rung);
    cards.push_back(std::move(card));
  }
  for (const Step& step : explanations(counted.empty() ? cells : counted, order))
    steps.push_back(step.text + '.');
  for (const OperationResults* its : published_times(operation, report.published)) {
    const Run& run = its->set.results.run;
    elsewhere.push_back(
        {{"title", passage("page/published", {{"input", input_in_words(its->gpu_times[0].key())},
                                              {"gpu", escaped(gpu_name(its->set.results))},
                                              {"run", code(short_id(run))},
                                              {"date", escaped(run.date.substr(0, 10))}})},
         {"standing", standing(*its)},
         {"rows", figure_rows("ladder", flat(its->set), telling_key(its->cells, its->order()))}});
  }
  json key = telling_key(timed.empty() ? cells : timed, order),
       counted_key = telling_key(counted, order);
  for (json* one : {&key, &counted_key})
    if (one->is_object() && set.most_devices > 0)
      one->emplace("devices", nullptr);  // as its rows have it, unless it is over some
  std::vector<std::string> sentences{standing(operation), faster_from(operation)};
  std::erase(sentences, "");
  return {{"name", name},
          {"key", key},
          {"counted_key", counted_key.is_null() ? json::object() : counted_key},
          {"input", gpu_times.empty() ? "" : input_in_words(gpu_times.back().key())},
          {"standing", joined(sentences, " ")},
          {"cards", cards},
          {"steps", steps},
          {"elsewhere", elsewhere}};
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

json everything_but_cells(const Report& report) {
  const Results& results = report.results;
  const Run& run = results.run;
  std::map<std::string, std::size_t> verdict_counts;
  for (const Cell& c : results.cells) ++verdict_counts[std::string(name_of(c.verdict()))];
  json meanings = json::array();
  for (const Column& column : columns())
    if (!column.meaning.empty() && (!column.over_devices || report.set.most_devices > 0))
      meanings.push_back({column.title, column.meaning});
  json warnings = json::array();
  for (const auto& [what, why] : report.cautions)
    warnings.push_back({{"what", what}, {"why", why}});
  const auto targets =
      speaks_of_targets(results) ? judged_targets(results) : std::vector<TargetResult>{};
  json operations = json::array();
  for (const OperationResults& operation : report.set.operations)
    operations.push_back(operation_of(report, operation));
  json figures = json::object();
  for (const std::string& name : figure_names()) figures[name] = figure_template(name);
  return {
      {"lead", lead(report.set)},
      {"warnings", shown(std::move(warnings))},
      {"machine_in_short", machine_in_short(results)},
      {"rows", results.cells.size()},
      {"verdicts", verdicts(results.cells)},
      {"verdict_counts", verdict_counts},
      {"id", shortened(run.id)},
      {"short_id", shortened(short_id(run))},
      {"date", shortened(run.date)},
      {"bibtex", bibtex(run)},
      {"operations", shown(std::move(operations))},
      {"targets", target_rows(targets)},
      {"targets_in_short", targets_in_short(targets)},
      {"card_titles", titles_of<Rung>()},
      {"counters", titles_of<Counters>()},
      {"has_spread_rows", report.set.most_devices > 0},
      {"claims", claim_rows(results)},
      {"how_claims_are_judged", how_claims_are_judged()},
      {"machine", shown(machine_rows(results))},
      {"ceilings", ceiling_rows(results.ceilings)},
      {"overheads", overhead_rows(results.overheads)},
      {"stopping_rules", stopping_rules(run.efforts)},
      {"meanings", meanings},
      {"reproduce", reproduce_commands(results)},
      {"seed", run.seed},
      {"figures", figures},
      {"themes", {{"light", figure_theme("light")}, {"dark", figure_theme("dark")}}},
  };
}

}  // namespace

std::string page(const Report& report) {
  const std::string cells =
      columns_of(report.rows()).dump(-1, ' ', false, json::error_handler_t::replace);
  return page_with(everything_but_cells(report), base64(packed(cells)));
}

std::string page_with(const json& report, const std::string& cells) {
  const std::string_view vega = embedded("html/vega/vega.js"), script = embedded("html/page.js");
  return filled(embedded("html/page.html"),
                {
                    {"script_hashes", hash_of(vega) + ' ' + hash_of(script)},
                    {"style", std::string(embedded("html/page.css"))},
                    {"report", inlined(report)},
                    {"cells", cells},
                    {"vega", base64(packed(std::string(vega)))},
                    {"script", std::string(script)},
                });
}

}  // namespace ladder::reports
