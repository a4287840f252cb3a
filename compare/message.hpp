// Messages between driver and worker as JSON. A message names its fields, which have the names of
// its members, by LADDER_FIELDS(path, us). That is short for
//
//   static void wire_fields(auto& self, const auto& field) { LADDER_EACH_FIELD(path, us) }
//
// as the structs of the result model have it (reports/model/fields.hpp). Reading is strict: a field
// that is missing or of another type throws std::invalid_argument with its name. A number that is
// not finite travels as null and arrives as infinity.
#pragma once

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/model/json.hpp"

// By the same means as NLOHMANN_DEFINE_TYPE_INTRUSIVE, which reads less strictly.
#define LADDER_FIELD(member) field(#member, self.member);
#define LADDER_EACH_FIELD(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(LADDER_FIELD, __VA_ARGS__))
#define LADDER_FIELDS(...)                                 \
  static void wire_fields(auto& self, const auto& field) { \
    LADDER_EACH_FIELD(__VA_ARGS__)                         \
  }

namespace ladder::protocol {

template <class T>
concept Message = requires(T& value, void (*field)()) {
  T::wire_fields(value, field);
};

inline void require(bool holds, const std::string& complaint) {
  if (!holds) throw std::invalid_argument(complaint);
}

// The library alone would take true for 1, 1.9 for 1 and -1 for 2^32 - 1.
template <class T>
void read_strictly(const nlohmann::json& in, T& out) {
  if constexpr (std::same_as<T, bool>) {
    require(in.is_boolean(), "is not true or false");
    out = in.get<bool>();
  } else if constexpr (std::unsigned_integral<T>) {
    constexpr T most = std::numeric_limits<T>::max();
    require((in.is_number_unsigned() || (in.is_number_integer() && in.get<std::int64_t>() >= 0)) &&
                in.get<std::uint64_t>() <= most,
            "is not a whole number from 0 to " + std::to_string(most));
    out = in.get<T>();
  } else if constexpr (std::same_as<T, double>) {
    require(in.is_number() || in.is_null(), "is not a number");
    out = in.is_null() ? std::numeric_limits<double>::infinity() : in.get<double>();
  } else if constexpr (std::same_as<T, std::string> || reports::Word<T>) {
    require(in.is_string(), "is not a string");
    in.get_to(out);
  } else {
    require(in.is_object(), "is not an object");
    in.get_to(out);
  }
}

template <class T>
void read_strictly(const nlohmann::json& in, std::optional<T>& out) {
  if (in.is_null()) out.reset();
  else read_strictly(in, out.emplace());
}

template <class T>
void read_strictly(const nlohmann::json& in, std::vector<T>& out) {
  require(in.is_array(), "is not an array");
  out.clear();
  for (const nlohmann::json& element : in) read_strictly(element, out.emplace_back());
}

}  // namespace ladder::protocol

template <ladder::protocol::Message T>
struct nlohmann::adl_serializer<T> {
  static void to_json(json& out, const T& message) {
    out = json::object();
    T::wire_fields(message, [&](const char* name, const auto& member,
                                const ladder::reports::FieldFacts& facts = {}) {
      if (!facts.if_set || ladder::reports::is_set(member)) out[name] = member;
    });
  }

  static void from_json(const json& in, T& message) {
    T::wire_fields(message, [&](const char* name, auto& member,
                                const ladder::reports::FieldFacts& facts = {}) {
      const auto quoted = std::string("the field \"") + name + '"';
      if (!in.contains(name)) {
        ladder::protocol::require(facts.if_set, quoted + " is missing");
        member = {};
        return;
      }
      try {
        ladder::protocol::read_strictly(in.at(name), member);
      } catch (const std::exception& problem) {
        throw std::invalid_argument(quoted + ": " + problem.what());
      }
    });
  }
};
