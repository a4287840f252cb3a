// A field of a struct stands in one place: in the struct's own function
//
//   static void fields(auto& self, const auto& field)
//
// which calls field("name in the file", self.member, facts) for each. JSON in both directions, the
// protocol between worker and driver, the schema, the tables and the rules of soundness follow from
// these calls. docs/adding_a_field.md has an example.
//
// Most fields have the names of their members. LADDER_EACH_FIELD(path, us) calls field for such
// ones, LADDER_FIELD_WITH(us, .unit = "us") with facts, and LADDER_FIELDS(path, us) is the whole
// function where no field has any.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

// By the same means as NLOHMANN_DEFINE_TYPE_INTRUSIVE.
#define LADDER_FIELD(member) field(#member, self.member);
#define LADDER_FIELD_WITH(member, ...) field(#member, self.member, {__VA_ARGS__});
#define LADDER_EACH_FIELD(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(LADDER_FIELD, __VA_ARGS__))
#define LADDER_FIELDS(...)                            \
  static void fields(auto& self, const auto& field) { \
    LADDER_EACH_FIELD(__VA_ARGS__)                    \
  }

namespace ladder {
using nlohmann::json;
}

namespace ladder::reports {

enum class CountedBy { both, emulator, gpu };

// What there is to say of a field beside its name and its type. Each visitor reads what it needs.
struct FieldFacts {
  bool if_set = false;            // in the file only where it is not empty, not 0 and not false
  std::string_view meaning = {};  // its description in the schema
  // the definition of the schema that its values follow; empty: the usual one of its type
  std::string_view rule = {};
  std::string_view unit = {};      // of its column in table.csv
  std::string_view title = {};     // of its column in reports; empty: it has none
  std::string_view in_words = {};  // what reports say of that column; empty: the meaning
  CountedBy counted_by = CountedBy::both;
  std::string_view at_least = {};  // a counter of the same run: this one is not below it
};

template <class T>
concept HasFields = requires(T& value, void (*field)()) {
  T::fields(value, field);
};

}  // namespace ladder::reports
