#include "compare/driver/plan/preset.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>

#include "compare/driver/terminal/parse_size.hpp"

namespace ladder {
namespace {

using Fields = std::vector<std::string_view>;

// A sample on the GPU takes 0.3 ms with all that surrounds it, of a slow rung at 2^30 elements 20
// ms: those settle for fewer. Over 2,276 times of the set published in November 2026, intervals
// from 10 samples of each process are 9 % wider than from 30, and from 15 samples 8 %. But some
// calls take one of two times, such as CUB's sum of 2^18 `f32`, 6.9 or 8.0 us. 12 samples of such a
// call do not settle its median. Of 48, intervals are 40 % narrower. Long calls: of 1,333 rows from
// 2^26 on, 964 need no more than 10 samples in each process. A sample of more than 2 ms leaves
// fewer. The H100 of commit 645ad00 was published with limits of 0.025 and 0.06 s. If its samples
// are cut to 0.02 s, 237 of its 6,941 rows have fewer. The median of their intervals is 2 % wider,
// and half of their times move by 0.01 % or less.
const std::map<std::string_view, Effort> efforts_by_name{
    {"-", {}},
    {"least", {.processes = 1, .min_samples = 3, .max_samples = 10, .max_seconds = 0.02}},
    {"quick", {.processes = 3, .min_samples = 10, .max_samples = 100, .max_seconds = 0.06}},
    {"full", {.processes = 6, .min_samples = 30, .max_samples = 100, .max_seconds = 0.15}},
    {"gpu", {.processes = 6, .min_samples = 12, .max_samples = 48, .max_seconds = 0.02}},
    {"long", {.processes = 6, .min_samples = 10, .max_samples = 30, .max_seconds = 0.02}},
    {"team", {.processes = 3, .min_samples = 16, .max_samples = 48, .max_seconds = 0.06}}};

// The parts between separators; empty ones are left out.
Fields fields_of(std::string_view text, char separator) {
  Fields parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  return parts;
}

// What `read` makes of each word between commas; nothing where * stands for all.
auto list_of(std::string_view words, const auto& read) {
  std::vector<decltype(read(words))> all;
  if (words == "*") return all;
  for (const std::string_view word : fields_of(words, ',')) all.push_back(read(word));
  return all;
}

unsigned small_number(std::string_view word) {
  return static_cast<unsigned>(parse_size(word));
}

void add_field(std::string_view word, PresetRow& row) {
  const std::string_view name = word.substr(0, word.find('=')),
                         value = word.substr(std::min(name.size() + 1, word.size()));
  if (name == "only") row.only = value;
  else if (name == "except") row.except = value;
  else if (name == "note") row.note = value;
  else if (name == "distributions") row.distributions = fields_of(value, ',');
  else if (name == "bins") row.bins = list_of(value, small_number);
  else if (name == "offsets") row.offsets = list_of(value, small_number);
  else if (name == "targets") row.of_targets = true;
  else throw std::logic_error("presets.txt: there is no part " + std::string(word));
}

PresetRow row_of(const Fields& words) {
  using enum PresetRow::Operators;
  const std::map<std::string_view, PresetRow::Operators> operators{
      {"first", first}, {"others", others}, {"all", all}};
  PresetRow row{.backend = reports::named<reports::Backend>(words.at(1)),
                .operators = operators.at(words.at(5)),
                .dtypes = words.at(6) == "*" ? Fields{} : fields_of(words.at(6), ','),
                .sizes = list_of(words.at(7), parse_size),
                .effort = efforts_by_name.at(words.at(2)),
                .contracts = list_of(words.at(3), reports::named<reports::Contract>),
                .caches = list_of(words.at(4), reports::named<reports::Cache>)};
  for (const std::string_view word : std::span(words).subspan(8)) add_field(word, row);
  return row;
}

using PresetsByName = std::map<std::string_view, std::vector<PresetRow>>;

PresetsByName read_presets() {
  std::vector<Fields> rows;
  for (const std::string_view line : fields_of(preset_table, '\n')) {
    if (line.starts_with('#')) continue;
    if (!line.starts_with(' ')) rows.emplace_back();
    const Fields words = fields_of(line, ' ');
    rows.back().insert(rows.back().end(), words.begin(), words.end());
  }
  PresetsByName presets;
  for (const Fields& row : rows) presets[row.at(0)].push_back(row_of(row));
  for (const char* part : {"notes", "targets"})
    for (const PresetRow& row : presets[part]) presets["full"].push_back(row);
  return presets;
}

}  // namespace

const std::vector<PresetRow>& preset(std::string_view name) {
  static const PresetsByName presets = read_presets();
  return presets.at(name);
}

}  // namespace ladder
