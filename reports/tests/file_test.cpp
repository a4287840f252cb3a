// read() and files of every kind of harm; write() and what it leaves behind.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "compare/tests/catch.hpp"
#include "reports/digest.hpp"
#include "reports/json.hpp"
#include "reports/tests/sample.hpp"

using namespace ladder::reports;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "ladder_reports_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

// What read() says of a file with this content.
std::string complaint(const std::string& content) {
  const Folder folder;
  const auto file = folder.path / "results.json";
  std::ofstream(file, std::ios::binary) << content;
  try {
    read(file);
  } catch (const BadFile& e) {
    const std::string what = e.what();
    CHECK(what.starts_with(file.string() + ": "));
    CHECK(what.find("; ") != std::string::npos);  // what is wrong; what to do
    CHECK(what.find('\n') == std::string::npos);
    CHECK(what.size() < 600);
    return what.substr(file.string().size() + 2);
  }
  return "";
}

// A processor's, whatever else it does meanwhile: of a file that the reader is to take half a second for, and that would take minutes if its time
// grew with the square of the size.
constexpr rlim_t seconds = 60;

// Whether read() says so, where it is given no more than so many bytes.
bool says_within(std::size_t memory, const std::string& content, const std::string& start) {
  const pid_t child = fork();  // limits are for a whole process
  if (child == 0) {
    const rlimit limit{memory, memory};
    setrlimit(RLIMIT_AS, &limit);
    const rlimit time{seconds, seconds};
    setrlimit(RLIMIT_CPU, &time);
    try {
      _exit(complaint(content).starts_with(start) ? 7 : 1);
    } catch (...) {
      _exit(2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

std::string written(const Results& results) {
  const Folder folder;
  write(results, folder.path / "results.json");
  return text_of(folder.path / "results.json");
}

// What read() says when one thing in a good file is changed.
std::string complaint_after(const std::function<void(json&)>& change) {
  json document = json::parse(written(full()));
  change(document);
  return complaint(document.dump());
}

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;

}  // namespace

TEST_CASE("a file comes back as it was written") {
  const Folder folder;
  const auto file = folder.path / "results.json";
  for (Results results : {full(), bare(), example()}) {
    write(results, file);
    results.run.id = content_id(results);
    CHECK(json(read(file)) == json(results));
  }
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);  // no temporary stays behind
}

TEST_CASE("bytes that are not UTF-8 are replaced, and the file stays readable") {
  Results results = full();
  results.run.command = "./ladder run --out caf\xe9";
  const auto text = written(results);
  CHECK_THAT(complaint(text), Equals(""));
  CHECK_THAT(text, ContainsSubstring("caf\xef\xbf\xbd"));
}

TEST_CASE("files that are no result files") {
  CHECK_THAT(complaint(written(full())), Equals(""));
  CHECK_THAT(complaint(""), StartsWith("it is empty;"));
  CHECK_THAT(complaint(" \n"), StartsWith("it is empty;"));
  CHECK_THAT(complaint("{\n  \"schema\": oops\n}"), StartsWith("it is not JSON from line 2, column 13 on;"));
  CHECK_THAT(complaint("{\n  \"schema\": \"cut\n}"), StartsWith("it is not JSON from line 2, column 17 on;"));
  CHECK_THAT(complaint(std::string("\x7f"
                                   "ELF\x02\0\0\xff",
                                   8)),
             StartsWith("it is not JSON from line 1, column 1 on;"));
  CHECK_THAT(complaint("{\"schema\": \"caf\xe9\"}"), StartsWith("it is not JSON from line 1"));
  CHECK_THAT(complaint("[1, 2]"), StartsWith("it is JSON, but not a result file"));
  CHECK_THAT(complaint("{}"), StartsWith("it is JSON, but not a result file"));
  CHECK_THAT(complaint("NaN"), StartsWith("it is not JSON"));
  CHECK_THAT(complaint(std::string(100'000, '[')), StartsWith("it is nested too deeply"));
  std::string deep = "{\"schema\":";
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
  CHECK_THAT(complaint(deep), StartsWith("it is nested too deeply"));
  CHECK_THAT(complaint("{\"schema\": 1e999}"), StartsWith("it holds a number too large"));
  CHECK_THAT(complaint("{\"schema\": \"1.0.0\", \"schema\": \"1.0.0\"}"), StartsWith("it has the field \"schema\" twice"));
  const auto good = written(full());
  CHECK_THAT(complaint(good.substr(0, good.size() / 2)), StartsWith("it ends too early"));
}

TEST_CASE("a file for which there is not enough memory is refused in one sentence", "[memory]") {
  CHECK(says_within(64 << 20, std::string(100 << 20, 'x'), "there is not enough memory to read it;"));
}

TEST_CASE("what a file of a few megabytes asks for in time and memory is bounded", "[memory]") {
  const auto cells = [](std::size_t count, const std::string& cell) {
    std::string text = "{\"schema\": \"1.4.0\", \"cells\": [" + cell;
    for (std::size_t i = 1; i < count; ++i) text += ',' + cell;
    return text + "]}";
  };
  CHECK(says_within(400 << 20, cells(1'000'000, "{}"), "/cells/0 does not fit the schema: Missing required property"));
  CHECK_THAT(complaint(cells(200'000, "null")), StartsWith("/cells/0 (null) is not of the type"));
  CHECK_THAT(complaint(cells(4'000'000, "1")), StartsWith("it holds more than 4 million values, ten times as many as a full study;"));
}

TEST_CASE("paths that are no files") {
  const Folder folder;
  CHECK_THROWS_WITH(read(folder.path / "none.json"), ContainsSubstring("none.json: there is no such file;"));
  CHECK_THROWS_WITH(read(folder.path), ContainsSubstring(": it is not a regular file;"));
  CHECK_THROWS_AS(read(folder.path / std::string(5000, 'x')), BadFile);
  const auto huge = folder.path / "huge.json";
  std::ofstream(huge) << '{';
  fs::resize_file(huge, 1ull << 40);  // sparse
  CHECK_THROWS_WITH(read(huge), ContainsSubstring("it is larger than 128 MiB"));
}

TEST_CASE("result files of another schema") {
  CHECK_THAT(complaint_after([](json& d) { d["schema"] = "2.0.0"; }),
             StartsWith("it follows schema \"2.0.0\", this program reads 1.1.0, 1.2.0, 1.3.0 and 1.4.0;"));
  CHECK_THAT(complaint_after([](json& d) { d["run"].erase("seed"); }), StartsWith("/run "));
  CHECK_THAT(complaint_after([](json& d) { d["run"].erase("seed"); }), ContainsSubstring("'seed'"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0].erase("counters"); }), ContainsSubstring("'counters'"));
  CHECK_THAT(complaint_after([](json& d) { d.erase("cells"); }), ContainsSubstring("'cells'"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["speed"] = 1; }),
             StartsWith("/cells/0 has a field that the schema does not know: 'speed';"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["verdict"] = "great"; }),
             StartsWith("/cells/0/verdict (\"great\") is not one of the values"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["dtype"] = "f16"; }), StartsWith("/cells/0/dtype (\"f16\")"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["time_us"]["median"] = nullptr; }),
             StartsWith("/cells/0/time_us/median (null) is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["n"] = "many"; }), StartsWith("/cells/0/n (\"many\") is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["n"] = -1; }), StartsWith("/cells/0/n (-1) does not fit"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["n"] = 1e30; }), StartsWith("/cells/0/n (1e+30) is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["bins"] = 1ull << 33; }), StartsWith("/cells/0/bins (8589934592) does not fit"));
  CHECK_THAT(complaint_after([](json& d) { d["run"]["seed"] = -1; }), StartsWith("/run/seed is negative"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"] = json::object(); }), StartsWith("/cells is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"].push_back(1); }), StartsWith("/cells/1 (1) is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["ceilings"] = json::array({json::object()}); }), StartsWith("/ceilings/0 "));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["a\nb"] = std::string(1000, 'x'); }), StartsWith("/cells/0 has a field"));
}

TEST_CASE("a file of ours that holds no results is named as what it is") {
  CHECK_THAT(complaint("{\"schema\": \"1.0\", \"checks\": []}"), StartsWith("it is a JSON file with a schema, but holds no results"));
}

TEST_CASE("a file of an earlier schema is read, without what it did not have") {
  json old = full();
  old.erase("overheads"), old["cells"][0].erase("clocks"), old["cells"][0]["time_us"].erase("outliers");
  const bool has_of_bound = GENERATE(true, false);
  old["schema"] = has_of_bound ? "1.2.0" : "1.1.0";
  if (!has_of_bound) old["cells"][0]["error"].erase("of_bound");
  json content = old;
  content["run"].erase("id");
  old["run"]["id"] = sha256(content.dump());
  const Folder folder;
  const auto file = folder.path / "results.json";
  std::ofstream(file) << old.dump();
  const Results results = read(file);
  CHECK(results.run.id == old["run"]["id"]);
  CHECK(results.schema == schema_version);
  CHECK(results.cells[0].error->bound == full().cells[0].error->bound);
  CHECK(results.cells[0].error->of_bound.has_value() == has_of_bound);

  CHECK(!results.cells[0].clocks);
  CHECK(!results.cells[0].time_us->outliers);
  CHECK(results.overheads.empty());

  old["cells"][0]["time_us"]["median"] = 1;
  CHECK_THAT(complaint(old.dump()), StartsWith("its content is not what its run id says"));
  CHECK_THAT(complaint_after([](json& d) { d["schema"] = "1.1.0", d.erase("cells"); }), ContainsSubstring("'cells'"));
  CHECK_THAT(complaint_after([](json& d) { d["schema"] = "1.1.0", d["cells"] = {nullptr, 1}; }), StartsWith("/cells/0 "));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["error"].erase("of_bound"); }), ContainsSubstring("'of_bound'"));
}

TEST_CASE("cells that cannot be") {
  CHECK_THAT(complaint_after([](json& d) { d["cells"].push_back(d["cells"][0]); }), StartsWith("/cells/1 has the same identity as /cells/0"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["backend"] = "emulated"; }), StartsWith("/cells/0 claims a time on the emulated backend"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["contract"] = nullptr; }), StartsWith("/cells/0 has a time without"));
  for (const char* field : {"time_us", "bandwidth_gbps", "percent_of_ceiling", "percent_of_datasheet", "ratios", "sm_cycles", "contract", "cache"}) {
    INFO(field);
    const auto only_this = [field](json& d) {
      const json cell = d["cells"][0];
      d["cells"][0] = emulated_cell("serial", "");
      d["cells"][0][field] = cell[field];
    };
    CHECK_THAT(complaint_after(only_this), StartsWith("/cells/0 claims a time on the emulated backend"));
  }
}

TEST_CASE("a file changed after its run is refused") {
  CHECK_THAT(complaint_after([](json& d) { d["run"]["id"] = "sha256:0"; }), StartsWith("its content is not what its run id says"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["time_us"]["median"] = 1; }), StartsWith("its content is not what its run id says"));
}

TEST_CASE("write leaves nothing half-written") {
  const Folder folder;
  CHECK_THROWS_AS(write(full(), folder.path / "none" / "results.json"), std::system_error);
  fs::create_directories(folder.path / "taken" / "x");
  CHECK_THROWS_AS(write(full(), folder.path / "taken"), std::system_error);
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);

  const auto file = folder.path / "results.json";
  write(full(), file);
  const auto before = text_of(file);
  Results broken = full();
  broken.cells[0].time_us->median = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(write(broken, file), ContainsSubstring("/cells/0/time_us/median"));
  broken = full();
  broken.cells.push_back(broken.cells[0]);
  CHECK_THROWS_WITH(write(broken, file), ContainsSubstring("same identity"));
  CHECK(text_of(file) == before);
}
