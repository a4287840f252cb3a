// results.json on disk: read() trusts nothing, write() leaves nothing half-written.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <new>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "reports/digest.hpp"
#include "reports/json.hpp"
#include "reports/schema.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

using nlohmann::json;

constexpr std::uintmax_t size_limit = 128u << 20;                                  // about twenty times a full study
constexpr std::array<const char*, 3> earlier_versions{"1.1.0", "1.2.0", "1.3.0"};  // of the schema
constexpr std::size_t depth_limit = 16;                                            // the model is 5 deep
constexpr std::size_t million = 1'000'000, value_limit = 4 * million;              // a full study has 0.4: bounds what a small file makes of memory

constexpr auto replace = json::error_handler_t::replace;  // a command line may hold any bytes; JSON holds UTF-8 only

std::string slurp(const std::filesystem::path& file) {
  const auto status = std::filesystem::status(file);
  if (!std::filesystem::exists(status)) throw BadFile("there is no such file; check the path, or run the study first");
  if (!std::filesystem::is_regular_file(status)) throw BadFile("it is not a regular file; name a results.json");
  const auto size = std::filesystem::file_size(file);
  if (size > size_limit) throw BadFile(fmt::format("it is larger than {} MiB, which no result file is; check the path", size_limit >> 20));
  std::string text(size, '\0');
  std::ifstream in(file, std::ios::binary);
  if (!in.read(text.data(), static_cast<std::streamsize>(size))) throw BadFile("it cannot be read; check its permissions");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw BadFile("it is empty; run the study again");
  return text;
}

// Refuses what a parser would accept: a field given twice, nesting without end, and more values than memory is there for.
class Gate : public nlohmann::json_sax<json> {
 public:
  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (fields_.back().insert(name).second) return true;
    throw BadFile(fmt::format("it has the field {} twice in one object; run the study again", printable(json(name).dump())));
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }  // json::parse() tells

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

// Twice over the text: json::parse() with a callback takes time with the square of an array's length.
json parse(const std::string& text) {
  try {
    Gate gate;
    static_cast<void>(json::sax_parse(text, &gate));
    return json::parse(text);
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
  if (const auto& version = document["schema"]; version != schema_version && std::ranges::count(earlier_versions, version) == 0) {
    if (!document.contains("cells")) throw BadFile("it is a JSON file with a schema, but holds no results (no \"cells\"); name a results.json");
    throw BadFile(fmt::format("it follows schema {}, this program reads {} and {}; use the version of Kernel Ladder that wrote it",
                              printable(version.dump()), fmt::join(earlier_versions, ", "), schema_version));
  }
  return document;
}

Results checked(const json& document) {
  const json current = up_to_date(document);
  if (const auto what = violation(current); !what.empty()) throw BadFile(what + "; get the original file, or run the study again");
  if (document["run"]["id"] != content_id(document)) {
    throw BadFile("its content is not what its run id says, so it was changed after the run; get the original file");
  }
  return current.get<Results>();
}

// A new file beside the one to come, gone again unless it is moved into place.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& target) : target_(target), path_(target.string() + ".XXXXXX") {
    file_ = mkostemp(path_.data(), O_CLOEXEC);
    if (file_ < 0) fail();
  }
  Temporary(const Temporary&) = delete;
  ~Temporary() {
    close(file_);
    if (!moved_) unlink(path_.c_str());
  }
  void write(std::string_view text) {
    while (!text.empty()) {
      const auto written = ::write(file_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void move_into_place() {
    if (fchmod(file_, 0644) != 0 || fsync(file_) != 0 || rename(path_.c_str(), target_.c_str()) != 0) fail();
    moved_ = true;
  }

 private:
  [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), "cannot write " + target_.string()); }

  std::filesystem::path target_;
  std::string path_;
  int file_ = -1;
  bool moved_ = false;
};

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

json up_to_date(json document) {
  if (std::ranges::count(earlier_versions, document["schema"]) == 0) return document;
  document["schema"] = schema_version;
  document.emplace("overheads", json::array());
  const auto cells = document.find("cells");
  if (cells == document.end()) return document;
  const auto is_there = [](const json& cell, const char* part) { return cell.contains(part) && cell[part].is_object(); };
  for (json& cell : *cells) {
    if (!cell.is_object()) continue;
    cell.emplace("clocks", nullptr);
    if (is_there(cell, "time_us")) cell["time_us"].emplace("outliers", nullptr);
    if (is_there(cell, "error")) cell["error"].emplace("of_bound", nullptr);
    if (!is_there(cell, "counters")) continue;
    for (const char* later : {"atomic_requests", "atomic_contention", "barriers_per_thread", "dram_read_bytes", "dram_write_bytes"})
      cell["counters"].emplace(later, nullptr);
  }
  return document;
}

json read_document(const std::filesystem::path& file) {
  return naming(file, [&] { return of_known_schema(parse(slurp(file))); });
}

Results read(const std::filesystem::path& file) {
  return naming(file, [&] { return checked(of_known_schema(parse(slurp(file)))); });
}

void write(const Results& results, const std::filesystem::path& file) {
  json document = results;
  document["run"]["id"] = content_id(document);
  const std::string text = document.dump(1, ' ', false, replace) + '\n';
  if (const auto what = violation(json::parse(text)); !what.empty()) throw std::logic_error("the results do not fit their schema: " + what);
  Temporary temporary(file);
  temporary.write(text);
  temporary.move_into_place();
}

}  // namespace ladder::reports
