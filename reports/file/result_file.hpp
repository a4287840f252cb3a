// results.json as a file.
#pragma once

#include <string>

#include "reports/file/compression.hpp"
#include "reports/model/json.hpp"
#include "reports/text/complaint.hpp"

namespace ladder::reports {

// A file that is not sound. The message is "<file>: <what is wrong>; <what to do>".
struct BadFile : Complaint {
  using Complaint::Complaint;
};

// That of a set in this folder: packed, unless it is there as it is.
fs::path results_in(const fs::path& folder);

// Reads results.json of any origin: checked against the schema, its content against its id. Throws
// BadFile.
Results read(const fs::path& file);

// The same file as JSON that names this schema, not held against it yet. Throws BadFile.
json read_document(const fs::path& file);

// These results as their readers will have them: bytes that are no UTF-8 are replaced, a text that
// the schema finds too long is cut, and a number that is not finite is null. Fills run.id.
json document_of(Results& results);

// The file that holds them, whether or not it fits the schema ..
std::string file_text(const json& document);
// .. and from the results, which become what is read from it. Throws std::logic_error where they
// are not what the schema promises.
std::string file_text(Results& results);

// "sha256:<hex>" of the results as compact JSON with sorted keys, without run.id.
std::string content_id(const Results& results);
// of a file: what it says counts, not how the model would write it
std::string content_id(json document);

}  // namespace ladder::reports
