// The raw samples of a result set, and what they make of its soundness.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "compare/driver/terminal/places.hpp"
#include "reports/soundness/soundness.hpp"

namespace ladder {

inline constexpr const char* samples_name = "samples.jsonl.bz2";  // of the file
// bytes in it, unpacked: four times a full study
inline constexpr std::size_t most_samples = 160u << 20;

// Reads samples from this text, which must outlive the reader.
reports::SamplesReader samples_in(std::string_view text);

// Reads samples from the samples.jsonl.bz2 beside this file of results, of any origin. The reader
// throws reports::BadFile for more samples than any study has.
reports::SamplesReader samples_beside(const fs::path& results);

// The text of that file, empty where there is none. Throws reports::BadFile.
std::string samples_text_beside(const fs::path& results);

// A result set with its samples, as a file or a folder that the user names.
struct GivenSet {
  std::string name;  // of its file
  json document;
  reports::Results results;  // empty where they do not fit the schema
  std::string samples;       // their text
  reports::Soundness soundness;
};
GivenSet read_set(const fs::path& given);  // throws reports::BadFile

// "where: what" of the first error, printable. found: not sound.
std::string first_error(const reports::Soundness& found);

// What `check` says of a set that was read from this file, its samples included. Says on standard
// error where it is not sound.
reports::Soundness judge(const fs::path& file, const reports::Results& results);

}  // namespace ladder
