// results.json on disk: read() trusts nothing.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <set>
#include <string_view>
#include <vector>

#include "reports/digest.hpp"
#include "reports/json.hpp"
#include "reports/packed.hpp"
#include "reports/schema.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

constexpr std::size_t size_limit = 128u << 20;                         // unpacked: about twenty times a full study
constexpr std::size_t depth_limit = 16;                                // the model is 7 deep
constexpr std::size_t million = 1'000'000, value_limit = 4 * million;  // a full study has 0.4: bounds what a small file makes of memory

constexpr auto replace = json::error_handler_t::replace;  // a command line may hold any bytes; JSON holds UTF-8 only

std::string slurp(const std::filesystem::path& file) {
  const auto status = std::filesystem::status(file);
  if (!std::filesystem::exists(status)) throw BadFile("there is no such file; check the path, or run the study first");
  try {
    std::string text = read_packed(file, size_limit);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw BadFile("it is empty; run the study again");
    return text;
  } catch (const Unreadable& problem) {
    throw BadFile(fmt::format("{}; name a results.json that can be read", problem.what()));
  }
}

// Builds the document, and refuses what the library's own parser would accept: a field given twice, nesting without end, and more values than memory
// is there for.
class Gate : public nlohmann::detail::json_sax_dom_parser<json> {
  using Builder = nlohmann::detail::json_sax_dom_parser<json>;

 public:
  explicit Gate(json& document) : Builder(document) {}

  bool null() { return value() && Builder::null(); }
  bool boolean(bool is) { return value() && Builder::boolean(is); }
  bool number_integer(json::number_integer_t is) { return value() && Builder::number_integer(is); }
  bool number_unsigned(json::number_unsigned_t is) { return value() && Builder::number_unsigned(is); }
  bool number_float(json::number_float_t is, const json::string_t& text) { return value() && Builder::number_float(is, text); }
  bool string(json::string_t& is) { return value() && Builder::string(is); }
  bool start_object(std::size_t size) { return open() && Builder::start_object(size); }
  bool end_object() { return close() && Builder::end_object(); }
  bool start_array(std::size_t size) { return open() && Builder::start_array(size); }
  bool end_array() { return close() && Builder::end_array(); }
  bool key(json::string_t& name) {
    if (!fields_.back().insert(name).second)
      throw BadFile(fmt::format("it has the field {} twice in one object; run the study again", printable(json(name).dump())));
    return Builder::key(name);
  }

 private:
  bool value() {
    if (++values_ <= value_limit) return true;
    throw BadFile(fmt::format("it holds more than {} million values, ten times as many as a full study; check the path", value_limit / million));
  }
  bool open() {
    if (fields_.size() == depth_limit) throw BadFile("it is nested too deeply for a result file; check the path");
    fields_.emplace_back();
    return value();
  }
  bool close() {
    fields_.pop_back();
    return true;
  }

  std::size_t values_ = 0;
  std::vector<std::set<std::string>> fields_;  // of each object that is open; of an array: none
};

json parse(const std::string& text) {
  try {
    json document;
    Gate gate(document);
    static_cast<void>(json::sax_parse(text, &gate));
    return document;
  } catch (const json::parse_error& e) {
    const auto before = std::string_view(text).substr(0, e.byte - 1);  // byte counts from 1
    if (e.byte > text.size()) throw BadFile("it ends too early, as if cut off; copy it again or run the study again");
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto column = before.size() - before.rfind('\n');  // npos is -1
    throw BadFile(fmt::format("it is not JSON from line {}, column {} on; check that it is a results.json", line, column));
  } catch (const json::exception&) {  // out_of_range
    throw BadFile("it holds a number too large for any machine; run the study again");
  }
}

json of_known_schema(json document) {
  if (!document.is_object() || !document.contains("schema") || !document["schema"].is_string()) {
    throw BadFile("it is JSON, but not a result file of Kernel Ladder (no \"schema\"); name a results.json");
  }
  if (const auto& version = document["schema"]; version != schema_version) {
    if (!document.contains("cells")) throw BadFile("it is a JSON file with a schema, but holds no results (no \"cells\"); name a results.json");
    throw BadFile(fmt::format("it follows schema {}, this program reads {}; use the version of Kernel Ladder that wrote it",
                              printable(version.dump()), schema_version));
  }
  return document;
}

Results checked(const json& document) {
  const auto require_none = [](const std::string& what) {
    if (!what.empty()) throw BadFile(what + "; get the original file, or run the study again");
  };
  require_none(shape_violation(document));
  auto results = document.get<Results>();
  if (const auto found = cell_violations(results.cells); !found.empty()) require_none(fmt::format("/cells/{} {}", found[0].cell, found[0].what));
  if (results.run.id != content_id(document))
    throw BadFile("its content is not what its run id says, so it was changed after the run; get the original file");
  return results;
}

// What the action says of the file, under the file's name.
template <class Action>
auto naming(const std::filesystem::path& file, const Action& action) {
  try {
    return action();
  } catch (const BadFile& e) {
    throw BadFile(printable(file.string()) + ": " + e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    throw BadFile(fmt::format("{}: it cannot be read ({}); check the path", printable(file.string()), e.code().message()));
  } catch (const std::bad_alloc&) {
    throw BadFile(printable(file.string()) + ": there is not enough memory to read it; read it where there is more");
  }
}

}  // namespace

std::string content_id(json document) {
  document.at("run").erase("id");
  return sha256(document.dump(-1, ' ', false, replace));
}

std::string content_id(const Results& results) {
  return content_id(json(results));
}

json read_document(const std::filesystem::path& file) {
  return naming(file, [&] { return of_known_schema(parse(slurp(file))); });
}

Results read(const std::filesystem::path& file) {
  return naming(file, [&] { return checked(of_known_schema(parse(slurp(file)))); });
}

std::string file_text(Results& results) {
  json document = json::parse(json(results).dump(-1, ' ', false, replace));  // as its readers will have it: a number that is not finite is null
  document["run"]["id"] = results.run.id = content_id(document);
  if (const auto what = violation(document); !what.empty()) throw std::logic_error("the results do not fit their schema: " + what);
  return document.dump(-1, ' ', false, replace) + '\n';
}

}  // namespace ladder::reports
