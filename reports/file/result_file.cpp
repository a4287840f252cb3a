#include "reports/file/result_file.hpp"

#include <fmt/format.h>

#include <new>
#include <string_view>

#include "reports/file/compression.hpp"
#include "reports/file/schema.hpp"
#include "reports/file/sha256.hpp"
#include "reports/file/strict_json.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/text/escape.hpp"

namespace ladder::reports {
namespace {

constexpr std::size_t size_limit = 64u << 20;  // unpacked: about ten times a full study

// a command line may hold any bytes; JSON holds UTF-8 only
constexpr auto replace = json::error_handler_t::replace;

std::string slurp(const fs::path& file) {
  const auto status = fs::symlink_status(file);
  if (!fs::exists(status))
    throw BadFile("there is no such file; check the path, or run the study first");
  try {
    std::string text = read_packed(file, size_limit);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
      throw BadFile("it is empty; run the study again");
    return text;
  } catch (const Unreadable& problem) {
    throw BadFile("{}; name a results.json that can be read", problem.what());
  }
}

json parse(const std::string& text) {
  try {
    return strict_json(text);
  } catch (const BadJson& problem) {
    throw BadFile("{}; get the original results.json, or run the study again", problem.what());
  }
}

json of_known_schema(json document) {
  if (!document.is_object() || !document.contains("schema") || !document["schema"].is_string()) {
    throw BadFile(
        "it is JSON, but not a result file of Kernel Ladder (no \"schema\"); name a results.json");
  }
  if (const auto& version = document["schema"]; version != schema_version) {
    if (!document.contains("cells"))
      throw BadFile(
          "it is a JSON file with a schema, but holds no results (no \"cells\"); name a "
          "results.json");
    throw BadFile(
        "it follows schema {}, this program reads {}; use the version of Kernel Ladder "
        "that wrote it",
        printable(version.dump()), schema_version);
  }
  return document;
}

Results checked(const json& document) {
  const auto require_none = [](const std::string& what) {
    if (!what.empty()) throw BadFile(what + "; get the original file, or run the study again");
  };
  require_none(shape_violation(document));
  auto results = document.get<Results>();
  if (const auto found = cell_violations(results); !found.empty())
    require_none(fmt::format("{} {}", found[0].cell.place(), found[0].what));
  if (results.run.id != content_id(document))
    throw BadFile(
        "its content is not what its run id says, so it was changed after the run; get the "
        "original file");
  derive_same_promise(results);
  return results;
}

void shorten_texts(json& part) {
  constexpr std::string_view cut = "...";
  if (part.is_structured())
    for (json& within : part) shorten_texts(within);
  if (!part.is_string()) return;
  auto& text = part.get_ref<std::string&>();
  if (text.size() > longest_text())
    text = std::string(beginning(text, longest_text() - cut.size())).append(cut);
}

// What the action says of the file, under the file's name.
template <class Action>
auto naming(const fs::path& file, const Action& action) {
  try {
    return action();
  } catch (const BadFile& e) {
    throw BadFile(printable(file.string()) + ": " + e.what());
  } catch (const fs::filesystem_error& e) {
    throw BadFile("{}: it cannot be read ({}); check the path", printable(file.string()),
                  e.code().message());
  } catch (const std::bad_alloc&) {
    throw BadFile(printable(file.string()) +
                  ": there is not enough memory to read it; read it where there is more");
  }
}

}  // namespace

fs::path results_in(const fs::path& folder) {
  std::error_code unknown;  // reading it will tell
  const auto plain = folder / "results.json", compressed = folder / "results.json.bz2";
  return !fs::exists(plain, unknown) && fs::exists(compressed, unknown) ? compressed : plain;
}

std::string content_id(json document) {
  document.at("run").erase("id");
  return sha256(document.dump(-1, ' ', false, replace));
}

std::string content_id(const Results& results) {
  return content_id(json(results));
}

json read_document(const fs::path& file) {
  return naming(file, [&] { return of_known_schema(parse(slurp(file))); });
}

Results read(const fs::path& file) {
  return naming(file, [&] { return checked(of_known_schema(parse(slurp(file)))); });
}

json document_of(Results& results) {
  json document = json::parse(json(results).dump(-1, ' ', false, replace));
  shorten_texts(document);
  document["run"]["id"] = results.run.id = content_id(document);
  return document;
}

std::string file_text(const json& document) {
  return document.dump(-1, ' ', false, replace) + '\n';
}

std::string file_text(Results& results) {
  const json document = document_of(results);
  if (const auto what = violation(document); !what.empty())
    throw std::logic_error("the results do not fit their schema: " + what);
  results = document.get<Results>();
  derive_same_promise(results);
  return file_text(document);
}

}  // namespace ladder::reports
