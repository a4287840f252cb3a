#include "reports/file/schema.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "reports/model/json.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace ladder::reports {
namespace {

using valijson::adapters::NlohmannJsonAdapter;

using Schema = std::unique_ptr<valijson::Schema>;

constexpr std::size_t most_within = 1'000;

const json& whole_schema() {
  static const auto parsed = json::parse(schema_text);
  return parsed;
}

// The rules at this place in the schema: all of it, or a part.
Schema schema_of(const std::string& place) {
  const json& whole = whole_schema();
  json part = whole.at(json::json_pointer(place));
  part["definitions"] = whole["definitions"];
  auto into = std::make_unique<valijson::Schema>();
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(NlohmannJsonAdapter(part), *into);
  return into;
}

// "<root>", "[cells]", "[3]" -> /cells/3
json::json_pointer pointer(const std::vector<std::string>& context) {
  json::json_pointer place;
  for (std::size_t i = 1; i < context.size(); ++i)
    place /= context[i].substr(1, context[i].size() - 2);
  return place;
}

std::string at(const json::json_pointer& place) {
  return place.empty() ? "the document" : printable(place.to_string());
}

bool fits(const json& value, const Schema& schema) {
  return valijson::Validator().validate(*schema, NlohmannJsonAdapter(value), nullptr);
}

// What in it is longer than in any row of a study: a text, or a list. Empty: nothing.
std::string too_long(const json& value, const json::json_pointer& place,
                     std::size_t most_elements) {
  const auto most_is = [&](std::size_t most, const char* of) {
    return fmt::format("{} has more than {} {}, which no study has", at(place), grouped(most), of);
  };
  if (value.is_array() && value.size() > most_elements) return most_is(most_elements, "elements");
  if (value.is_string() && characters(value.get_ref<const std::string&>()) > longest_text())
    return most_is(longest_text(), "characters");
  if (!value.is_structured()) return {};
  for (const auto& [name, part] : value.items())
    if (auto what = too_long(part, place / name, most_elements); !what.empty()) return what;
  return {};
}

// The first error of a value that does not fit, which stands at this place of the document. The
// value must not be long, because valijson notes every error in it.
std::string first_violation(const json& value, const Schema& schema, json::json_pointer place) {
  if (auto what = too_long(value, place, most_within); !what.empty()) return what;
  valijson::ValidationResults errors;
  valijson::Validator().validate(*schema, NlohmannJsonAdapter(value), &errors);
  valijson::ValidationResults::Error first;
  errors.popError(first);  // the innermost: an error is noted before those of what encloses it
  const auto within = pointer(first.context);
  const auto& culprit = value.at(within);
  std::string what = first.description;
  if (what.starts_with("Failed to match")) what = "is not one of the values that the schema allows";
  else if (what.starts_with("Value type")) what = "is not of the type that the schema asks for";
  else if (what.starts_with("Object contains"))
    what = "has a field that the schema does not know: " +
           printable(what.substr(what.find(": '") + 2));
  else what = "does not fit the schema: " + printable(what);
  if (what.ends_with('.')) what.pop_back();
  return fmt::format("{}{} {}", at(place /= within),
                     culprit.is_structured() ? "" : fmt::format(" ({})", printable(culprit.dump())),
                     what);
}

// The first error of a document. Elements are checked one by one, because valijson notes every
// error, a kilobyte for each: of many bad cells it shall see the first.
std::string schema_violation(const json& document) {
  static const Schema whole = schema_of("");
  static const std::map<std::string, Schema> elements = [] {
    std::map<std::string, Schema> all;
    for (const std::string name : {"operation", "rung", "ceiling", "overhead", "cell"})
      all.emplace(name + 's', schema_of("/definitions/" + name));
    all.emplace("limits", schema_of("/definitions/cell"));
    return all;
  }();
  if (!document.is_object()) return first_violation(document, whole, json::json_pointer());
  json rest = json::object();  // with empty lists
  for (const auto& [name, value] : document.items()) {
    const auto schema = elements.find(name);
    const bool list = schema != elements.end() && value.is_array();
    rest[name] = list ? json::array() : value;
    if (list && value.size() > most(name))
      return fmt::format("/{} has more than {} elements, which no study has", name,
                         grouped(most(name)));
    for (std::size_t i = 0; list && i < value.size(); ++i)
      if (!fits(value[i], schema->second))
        return first_violation(value[i], schema->second, json::json_pointer() / name / i);
  }
  return fits(rest, whole) ? "" : first_violation(rest, whole, json::json_pointer());
}

// Why this cell claims what it cannot know. Empty: it does not.
std::string implausible(const Cell& cell) {
  const bool timed = cell.timing() != nullptr;
  if (cell.how.backend == Backend::emulated && (timed || cell.how.contract || cell.how.cache))
    return "claims a time on the emulated backend, which has no clock";
  if (timed && (!cell.how.contract || !cell.how.cache))
    return "has a time without saying what it includes (contract or cache is null)";
  if (timed && cell.timing()->processes.empty()) return "has a time that no process measured";
  return {};
}

// In a merged set each of these names its shard, in any other none does.
std::string without_shard(const json& document) {
  const std::size_t merged = document.contains("merged") ? document["merged"].size() : 0;
  for (const char* list : {"ceilings", "overheads", "cells", "limits"})
    for (std::size_t i = 0; document.contains(list) && i < document[list].size(); ++i) {
      const auto shard = document[list][i].value("shard", std::size_t{0});
      if (shard > merged)
        return fmt::format("/{}/{}/shard ({}) is not among /merged", list, i, shard);
      if (shard == 0 && merged > 0)
        return fmt::format("/{}/{} does not name its shard, and the set is merged", list, i);
    }
  return {};
}

}  // namespace

std::size_t most(const std::string& list) {
  return whole_schema()["properties"][list]["maxItems"].get<std::size_t>();
}

std::size_t longest_text() {
  return whole_schema()["definitions"]["text"]["maxLength"].get<std::size_t>();
}

std::string part_violation(const json& part, const std::string& rules,
                           const json::json_pointer& name) {
  // counted groups are told of by several threads
  thread_local std::map<std::string, Schema> known;
  const auto schema = known.try_emplace(rules).first;
  if (!schema->second) schema->second = schema_of(rules);
  return fits(part, schema->second) ? "" : first_violation(part, schema->second, name);
}

std::string shape_violation(const json& document) {
  if (auto what = schema_violation(document); !what.empty()) return what;
  // Not in the schema: to valijson 1.0 a seed over 2^63 is a negative number.
  if (!document["run"]["seed"].is_number_unsigned()) return "/run/seed is negative";
  if (document.contains("shard") && document["shard"]["number"] > document["shard"]["of"])
    return "/shard/number is above /shard/of";
  if (auto what = without_shard(document); !what.empty()) return what;
  for (const char* list : {"cells", "limits"})
    for (std::size_t i = 0; document.contains(list) && i < document[list].size(); ++i)
      if (auto what = against_verdict(document[list][i]); !what.empty())
        return fmt::format("/{}/{} {}", list, i, what);
  return {};
}

std::vector<CellViolation> cell_violations(const Results& results) {
  std::vector<CellViolation> all;
  std::map<CellKey, PlacedCell> seen;
  for (const PlacedCell& cell : placed_cells(results)) {
    const auto [earlier, is_new] = seen.emplace(cell->key(), cell);
    if (!is_new)
      all.push_back({cell, fmt::format("has the same identity as {}", earlier->second.place())});
    if (auto why = implausible(*cell); !why.empty()) all.push_back({cell, std::move(why)});
  }
  return all;
}

std::string violation(const json& document) {
  if (auto what = shape_violation(document); !what.empty()) return what;
  const auto results = document.get<Results>();
  const auto cells = cell_violations(results);
  return cells.empty() ? "" : fmt::format("{} {}", cells[0].cell.place(), cells[0].what);
}

}  // namespace ladder::reports
