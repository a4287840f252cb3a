// The result model as JSON.
//
// Every field is always present, but those with if_set; what is null in the model is null in the
// file, and so is a number that is not finite. Reading is strict: a field that is missing or of
// another type throws std::invalid_argument with its name. A null that has to be a number is
// infinity.
#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/model/model.hpp"

template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& out, const std::optional<T>& value) {
    if (value) out = *value;
    else out = nullptr;
  }
  static void from_json(const json& in, std::optional<T>& value) {
    if (in.is_null()) value.reset();
    else value = in.get<T>();
  }
};

namespace ladder::reports {

// For standard output, which may be a terminal: whatever the strings hold, printable ASCII and
// newlines.
std::string terminal_json(const json& document);

// Why the verdict of this cell, as it is in a file, allows no such numbers. Empty: it does.
std::string against_verdict(const json& cell);

// Whether a field with if_set has something to say.
template <class T>
bool is_set(const T& value) {
  if constexpr (requires { value.empty(); }) return !value.empty();
  else if constexpr (requires { value.has_value(); }) return value.has_value();
  else if constexpr (requires { value != T{}; }) return value != T{};
  else return true;
}

// Enumerations are their words in the file.
template <Word E>
void to_json(json& out, const E& value) {
  out = std::string(name_of(value));
}
template <Word E>
void from_json(const json& in, E& value) {
  value = named<E>(in.get_ref<const std::string&>());
}

inline void require(bool holds, const std::string& complaint) {
  if (!holds) throw std::invalid_argument(complaint);
}

// The library alone would take true for 1, 1.9 for 1 and -1 for 2^32 - 1.
template <class T>
void read_strictly(const json& in, T& out) {
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
  } else {
    if constexpr (std::same_as<T, std::string> || Word<T>)
      require(in.is_string(), "is not a string");
    else require(in.is_object(), "is not an object");
    in.get_to(out);
  }
}

template <class T>
void read_strictly(const json& in, std::optional<T>& out) {
  if (in.is_null()) out.reset();
  else read_strictly(in, out.emplace());
}

template <class T>
void read_strictly(const json& in, std::vector<T>& out) {
  require(in.is_array(), "is not an array");
  out.clear();
  for (const json& element : in) read_strictly(element, out.emplace_back());
}

}  // namespace ladder::reports

// Of a struct that names its fields itself (reports/model/fields.hpp).
template <ladder::reports::HasFields T>
struct nlohmann::adl_serializer<T> {
  static void to_json(json& out, const T& value) {
    out = json::object();
    T::fields(value, [&](const char* name, const auto& member,
                         const ladder::reports::FieldFacts& facts = {}) {
      if (!facts.if_set || ladder::reports::is_set(member)) out[name] = member;
    });
  }

  static void from_json(const json& in, T& value) {
    T::fields(value,
              [&](const char* name, auto& member, const ladder::reports::FieldFacts& facts = {}) {
                const auto quoted = std::string("the field \"") + name + '"';
                if (!in.contains(name)) {
                  ladder::reports::require(facts.if_set, quoted + " is missing");
                  member = {};
                  return;
                }
                try {
                  ladder::reports::read_strictly(in.at(name), member);
                } catch (const std::exception& problem) {
                  throw std::invalid_argument(quoted + ": " + problem.what());
                }
              });
  }
};

template <>
struct nlohmann::adl_serializer<ladder::reports::Cell> {
  static void to_json(json& out, const ladder::reports::Cell& cell);
  // throws std::invalid_argument for numbers of what did not pass
  static void from_json(const json& in, ladder::reports::Cell& cell);
};
