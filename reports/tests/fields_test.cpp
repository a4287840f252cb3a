// What a field and an element type say of themselves is what the schema and the reports say of
// them. LADDER_WRITE_EXAMPLE=1 writes the schema anew.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "compare/tests/catch.hpp"
#include "reports/model/element_types.hpp"
#include "reports/model/json.hpp"
#include "reports/tests/sample.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

std::string quoted_list(const auto& words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + json(word).dump();
  return list;
}

// The rule for values of this type, where a field names none.
template <class T>
std::string usual_rule(bool if_set) {
  const auto defined = [](std::string_view name) {
    return fmt::format(R"("$ref": "#/definitions/{}")", name);
  };
  if constexpr (IsOptional<T>::value) {
    using Value = typename T::value_type;
    if constexpr (Word<Value>) {
      return fmt::format(R"("enum": [{}])", quoted_list(words<Value>));
    } else {
      const std::string name = std::is_floating_point_v<Value> ? "quantity" : "count";
      return defined(if_set ? name : name + "_or_null");
    }
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    return R"("type": "array", "maxItems": 100, "items": { )" + defined("name") + " }";
  } else {
    static_assert(std::is_same_v<T, std::string>, "a rule for this type");
    return defined("text");
  }
}

// "required" and "properties", as the schema file has them.
template <class T>
std::string definition() {
  std::string required, properties;
  T value;
  T::fields(value, [&](const char* name, auto& member, const FieldFacts& facts = {}) {
    using Member = std::remove_reference_t<decltype(member)>;
    INFO(name);
    CHECK_FALSE(facts.meaning.empty());
    if (!facts.if_set)
      required += fmt::format("{}        \"{}\"", required.empty() ? "" : ",\n", name);
    properties +=
        fmt::format(R"({}        "{}": {{ "description": {}, {} }})",
                    properties.empty() ? "" : ",\n", name, json(facts.meaning).dump(),
                    facts.rule.empty() ? usual_rule<Member>(facts.if_set)
                                       : fmt::format(R"("$ref": "#/definitions/{}")", facts.rule));
  });
  return fmt::format(
      "      \"required\": [\n{}\n      ],\n      \"properties\": {{\n{}\n      }}\n", required,
      properties);
}

struct Part {
  std::size_t begin, end;
};

// The same part of the file: from "required" to the end of "properties".
Part part_of(const std::string& schema, const std::string& name) {
  const std::size_t definition = schema.find("\n    \"" + name + "\": {\n");
  REQUIRE(definition != std::string::npos);
  return {schema.find("      \"required\"", definition),
          schema.find("    }", schema.find("\n    }", definition))};
}

std::string definition_of_dtype() {
  return fmt::format(R"({{ "enum": [{}] }})",
                     quoted_list(element_types | std::views::transform(&ElementType::name)));
}
Part part_of_dtype(const std::string& schema) {
  const std::string name = "\n    \"dtype\": ";
  const std::size_t definition = schema.find(name);
  REQUIRE(definition != std::string::npos);
  return {definition + name.size(), schema.find(",\n", definition)};
}

}  // namespace

TEST_CASE("the schema of rungs, counters and element types is what they say of themselves",
          "[schema]") {
  const std::string path = std::string(REPOSITORY) + "/reports/results.schema.json";
  std::ifstream file(path);
  std::string schema{std::istreambuf_iterator<char>(file), {}};
  const auto check = [&](Part part, const std::string& expected) {
    if (std::getenv("LADDER_WRITE_EXAMPLE") != nullptr)
      schema.replace(part.begin, part.end - part.begin, expected);
    else CHECK(schema.substr(part.begin, part.end - part.begin) == expected);
  };
  check(part_of(schema, "rung"), definition<Rung>());
  check(part_of(schema, "counters"), definition<Counters>());
  check(part_of_dtype(schema), definition_of_dtype());
  if (std::getenv("LADDER_WRITE_EXAMPLE") != nullptr) std::ofstream(path) << schema;
}

TEST_CASE("each counter with a title has one column in reports, with its number") {
  Cell cell = full().cells[0];
  cell.outcome = Measured{{}, {}, Counters{}};
  Counters& counters = *cell.outcome.measured()->counters;
  Counters::fields(
      counters, [&](std::string_view name, auto& counter, const FieldFacts& facts = {}) {
        if (facts.title.empty()) return;
        INFO(name);
        const auto its = [&](const Column& column) { return column.title == facts.title; };
        REQUIRE(std::ranges::count_if(columns(), its) == 1);
        const Column& column = *std::ranges::find_if(columns(), its);
        CHECK_FALSE(column.meaning.empty());
        CHECK(column.text(cell).empty());
        counter = 1234;
        CHECK(column.text(cell) == "1,234");
        CHECK(counter_named(counters, name) == 1234.0);
      });
}

}  // namespace ladder::reports
