// JSON of unknown origin, within bounds that no file of a study comes near.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace ladder::reports {

// What is wrong, in one sentence.
struct BadJson : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws BadJson, also for what the library's own parser would accept: a field given twice, deep
// nesting, which everything that walks a document would pay for with the stack, and more values
// than memory is there for.
nlohmann::json strict_json(std::string_view text);

}  // namespace ladder::reports
