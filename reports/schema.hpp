// The promises of results.schema.json, held against a document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ladder::reports {

extern const char* const schema_text;  // results.schema.json, baked in at build

// What is wrong with this document, in one sentence that begins with the place (a JSON pointer). Empty: nothing.
// Covers the schema and what a schema cannot say: unique cells, no emulated time.
std::string violation(const nlohmann::json& document);

}  // namespace ladder::reports
