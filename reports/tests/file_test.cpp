// read() and files of every kind of harm; the text that is written, and packed files.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "compare/tests/catch.hpp"
#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/model/json.hpp"
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
  write_text(file, content);
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

// A processor's, whatever else it does meanwhile: of a file that the reader is to take half a
// second for, and that would take minutes if its time grew with the square of the size.
constexpr rlim_t seconds = 60;

// The addresses that this process has, in bytes.
std::size_t addresses() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Whether read() says so, where there are no more than so many bytes beside those that the process
// has.
bool says_within(std::size_t memory, const std::string& content, const std::string& start) {
  const pid_t child = fork();  // limits are for a whole process
  if (child == 0) {
    const std::size_t most = addresses() + memory;
    const rlimit limit{most, most};
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

std::string written(Results results) {
  return file_text(results);
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

TEST_CASE("a file comes back as it was written, packed or not") {
  const Folder folder;
  const auto file = folder.path / "results.json", packed_file = folder.path / "results.json.bz2";
  for (Results results : {full(), bare(), example()}) {
    const std::string text = file_text(results);
    CHECK(results.run.id == content_id(results));
    CHECK(text.ends_with("}\n"));
    write_text(file, text), write_text(packed_file, packed(text));
    CHECK(json(read(file)) == json(results));
    CHECK(json(read(packed_file)) == json(results));
    CHECK(read_document(packed_file) == read_document(file));
  }
}

TEST_CASE("a file is packed to the same bytes each time, and fewer") {
  const std::string text = written(example()), once = packed(text);
  CHECK(once == packed(text));
  CHECK(once.size() < text.size() / 4);
  CHECK(once != packed(text + ' '));
  const Folder folder;
  write_text(folder.path / "nothing", packed(""));
  CHECK(read_packed(folder.path / "nothing", 0).empty());
}

TEST_CASE("a packed file that is damaged, cut off, or unpacks to more than it may is refused") {
  const std::string text = written(full()), good = packed(text);
  CHECK_THAT(complaint(good), Equals(""));
  const char* const damaged = "it is damaged or cut off; name a results.json that can be read";
  for (const std::size_t kept :
       {good.size() - 1, good.size() - 8, good.size() / 2, std::size_t{20}}) {
    INFO(kept);
    CHECK_THAT(complaint(good.substr(0, kept)), Equals(damaged));
  }
  // the data, and the checksum behind it
  for (const std::size_t at : {std::size_t{10}, good.size() / 2, good.size() - 5}) {
    INFO(at);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    CHECK_THAT(complaint(bad), Equals(damaged));
  }
  CHECK_THAT(complaint(packed("")), StartsWith("it is empty;"));
  CHECK_THAT(complaint(packed("{}")), StartsWith("it is JSON, but not a result file"));

  const Folder folder;
  const std::size_t mebibyte = 1 << 20;
  const auto file = folder.path / "bomb.bz2";
  write_text(file, packed(std::string(3 * mebibyte, 'x')));
  CHECK(fs::file_size(file) < 5000);
  CHECK(read_packed(file, 3 * mebibyte).size() == 3 * mebibyte);
  CHECK_THROWS_MATCHES(
      read_packed(file, 3 * mebibyte - 1), Unreadable,
      Catch::Matchers::Message("it holds more than 2 MiB, which no file of a study does"));
}

TEST_CASE("a text that is longer than the schema allows is cut where a character ends") {
  const Folder folder;
  Results results = example();
  results.run.command = "x";
  for (int i = 0; i < 5'000; ++i) results.run.command += "\u00e9\u202e";
  write_text(folder.path / "results.json", file_text(results));
  const std::string command = read(folder.path / "results.json").run.command;
  CHECK(command.size() <= 10'000);
  CHECK(command.size() > 9'990);
  CHECK(command.ends_with("..."));
  CHECK(command.find("\uFFFD") == command.npos);
}

TEST_CASE("bytes that are not UTF-8 are replaced, and the file stays readable") {
  Results results = full();
  results.run.command = "./ladder run --out caf\xe9";
  const auto text = file_text(results);
  CHECK(results.run.command == "./ladder run --out caf\xef\xbf\xbd");  // as it will be read
  CHECK_THAT(complaint(text), Equals(""));
  CHECK_THAT(text, ContainsSubstring("caf\xef\xbf\xbd"));
}

TEST_CASE("files that are no result files") {
  CHECK_THAT(complaint(written(full())), Equals(""));
  CHECK_THAT(complaint(""), StartsWith("it is empty;"));
  CHECK_THAT(complaint(" \n"), StartsWith("it is empty;"));
  CHECK_THAT(complaint("{\n  \"schema\": oops\n}"),
             StartsWith("it is not JSON from line 2, column 13 on;"));
  CHECK_THAT(complaint("{\n  \"schema\": \"cut\n}"),
             StartsWith("it is not JSON from line 2, column 17 on;"));
  CHECK_THAT(complaint(std::string("\x7f"
                                   "ELF\x02\0\0\xff",
                                   8)),
             StartsWith("it is not JSON from line 1, column 1 on;"));
  CHECK_THAT(complaint("{\"schema\": \"caf\xe9\"}"), StartsWith("it is not JSON from line 1"));
  CHECK_THAT(complaint("[1, 2]"), StartsWith("it is JSON, but not a result file"));
  CHECK_THAT(complaint("{}"), StartsWith("it is JSON, but not a result file"));
  CHECK_THAT(complaint("NaN"), StartsWith("it is not JSON"));
  CHECK_THAT(complaint(std::string("{}\0", 3)), StartsWith("it has a zero byte"));
  CHECK_THAT(complaint(std::string(100'000, '[')), StartsWith("it is nested too deeply"));
  std::string deep = "{\"schema\":";
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
  CHECK_THAT(complaint(deep), StartsWith("it is nested too deeply"));
  CHECK_THAT(complaint("{\"schema\": 1e999}"), StartsWith("it holds a number too large"));
  CHECK_THAT(complaint("{\"schema\": \"1.0.0\", \"schema\": \"1.0.0\"}"),
             StartsWith("it has the field \"schema\" twice"));
  const auto good = written(full());
  CHECK_THAT(complaint(good.substr(0, good.size() / 2)), StartsWith("it ends too early"));
}

TEST_CASE("a file for which there is not enough memory is refused in one sentence", "[memory]") {
  CHECK(
      says_within(32 << 20, std::string(60 << 20, 'x'), "there is not enough memory to read it;"));
}

TEST_CASE("what a file of a few megabytes asks for in time and memory is bounded", "[memory]") {
  const auto cells = [](std::size_t count, const std::string& cell) {
    std::string text = "{\"schema\": \"" + std::string(schema_version) + "\", \"cells\": [" + cell;
    for (std::size_t i = 1; i < count; ++i) text += ',' + cell;
    return text + "]}";
  };
  CHECK(says_within(300 << 20, cells(1'000'000, "{}"),
                    "/cells has more than 20,000 elements, which no study has;"));
  CHECK_THAT(complaint(cells(20'000, "{}")),
             StartsWith("/cells/0 does not fit the schema: Missing required property"));
  CHECK_THAT(complaint(cells(20'000, "null")), StartsWith("/cells/0 (null) is not of the type"));
  CHECK_THAT(complaint(cells(4'000'000, "1")),
             StartsWith("it holds more than 4 million values, ten times as many as a full study;"));
}

TEST_CASE("paths that are no files") {
  const Folder folder;
  CHECK_THROWS_WITH(read(folder.path / "none.json"),
                    ContainsSubstring("none.json: there is no such file;"));
  CHECK_THROWS_WITH(read(folder.path), ContainsSubstring(": it is not a regular file;"));
  CHECK_THROWS_AS(read(folder.path / std::string(5000, 'x')), BadFile);
  const auto huge = folder.path / "huge.json";
  std::ofstream(huge) << '{';
  fs::resize_file(huge, 1ull << 40);  // sparse
  CHECK_THROWS_WITH(
      read(huge),
      ContainsSubstring("huge.json: it holds more than 64 MiB, which no file of a study does;"));
}

TEST_CASE("a file of another version of the schema is refused, and named as what it is") {
  const std::string version =
      GENERATE("1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "2.0.1", "2.1.0", "3.0.0");
  const auto sentence =
      "it follows schema \"" + version +
      "\", this program reads 2.0.0; use the version of Kernel Ladder that wrote it";
  CHECK_THAT(complaint_after([&](json& d) { d["schema"] = version; }), Equals(sentence));
  CHECK_THAT(
      complaint("{\"schema\": \"" + version + "\", \"cells\": [{\"operation\": \"reduce\"}]}"),
      Equals(sentence));
  const Folder folder;
  write_text(folder.path / "old.json", "{\"schema\": \"" + version + "\", \"cells\": []}");
  CHECK_THROWS_WITH(read_document(folder.path / "old.json"),
                    ContainsSubstring("old.json: " + sentence));
}

TEST_CASE("files that do not fit the schema") {
  CHECK_THAT(complaint_after([](json& d) { d["run"].erase("seed"); }),
             StartsWith("/run ") && ContainsSubstring("'seed'"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0].erase("measured"); }),
             ContainsSubstring("'measured'"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["measured"].erase("counters"); }),
             StartsWith("/cells/0/measured ") && ContainsSubstring("'counters'"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["measured"]["error"].erase("of_bound"); }),
             ContainsSubstring("'of_bound'"));
  CHECK_THAT(
      complaint_after([](json& d) { d["cells"][0]["measured"]["timing"].erase("processes"); }),
      ContainsSubstring("'processes'"));
  CHECK_THAT(complaint_after([](json& d) { d["rungs"][0].erase("follows"); }),
             StartsWith("/rungs/0 ") && ContainsSubstring("'follows'"));
  CHECK_THAT(complaint_after([](json& d) { d["operations"][0]["output"] = "two"; }),
             StartsWith("/operations/0/output (\"two\") is not one of"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["speed"] = 1; }),
             StartsWith("/cells/0 has a field that the schema does not know: 'speed';"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["outcome"]["verdict"] = "great"; }),
             StartsWith("/cells/0/outcome/verdict (\"great\") is not one of the values"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["input"]["dtype"] = "f8"; }),
             StartsWith("/cells/0/input/dtype (\"f8\")"));
  CHECK_THAT(complaint_after([](json& d) {
               d["cells"][0]["measured"]["timing"]["time_us"]["median"] = nullptr;
             }),
             StartsWith("/cells/0/measured/timing/time_us/median (null) is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["input"]["n"] = "many"; }),
             StartsWith("/cells/0/input/n (\"many\") is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["input"]["n"] = -1; }),
             StartsWith("/cells/0/input/n (-1) does not fit"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["minimum_bytes"]["read"] = 1e30; }),
             StartsWith("/cells/0/minimum_bytes/read (1e+30) is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["input"]["n"] = (1ULL << 40) + 1; }),
             StartsWith("/cells/0/input/n (1099511627777) does not fit"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["input"]["bins"] = 1ull << 33; }),
             StartsWith("/cells/0/input/bins (8589934592) does not fit"));
  for (const json& offset : {json(64), json(-1), json(0.5), json("1"), json()})
    CHECK_THAT(complaint_after([&](json& d) { d["cells"][0]["input"]["offset"] = offset; }),
               StartsWith(fmt::format("/cells/0/input/offset ({}) ", offset.dump())));
  for (const char* place : {"/cells/0/shard", "/ceilings/0/shard", "/overheads/0/shard"}) {
    const auto with = [&](const json& shard) {
      return complaint_after([&](json& d) { d[json::json_pointer(place)] = shard; });
    };
    for (const json& shard : {json(0), json(1001), json(-1), json(0.5), json("1"), json()})
      CHECK_THAT(with(shard), StartsWith(fmt::format("{} ({}) ", place, shard.dump())));
    CHECK_THAT(with(2), StartsWith(fmt::format("{} (2) is not among /merged;", place)));
    CHECK_THAT(complaint_after(
                   [&](json& d) { d[json::json_pointer(place).parent_pointer()].erase("shard"); }),
               StartsWith(std::string(place).substr(0, std::string(place).rfind('/')) +
                          " does not name its shard, and the set is merged;"));
  }
  CHECK_THAT(complaint_after([](json& d) { d.erase("merged"); }),
             StartsWith("/ceilings/0/shard (1) is not among /merged;"));
  CHECK_THAT(complaint_after([](json& d) { d["merged"] = json::array(); }), StartsWith("/merged "));
  CHECK_THAT(complaint_after([](json& d) { d["merged"] = json::object(); }),
             StartsWith("/merged is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["merged"][0]["date"] = "today"; }),
             StartsWith("/merged/0/date (\"today\") "));
  CHECK_THAT(complaint_after([](json& d) { d["shard"]["number"] = 8; }),
             StartsWith("/shard/number is above /shard/of;"));
  for (const char* field : {"number", "of"})
    for (const json& number : {json(0), json(1001), json(-1), json("1"), json()})
      CHECK_THAT(complaint_after([&](json& d) { d["shard"][field] = number; }),
                 StartsWith(fmt::format("/shard/{} ({}) ", field, number.dump())));
  CHECK_THAT(complaint_after([](json& d) { d["shard"]["plan"] = "sha256:0"; }),
             StartsWith("/shard/plan (\"sha256:0\") "));
  CHECK_THAT(complaint_after([](json& d) { d["shard"].erase("groups"); }),
             StartsWith("/shard ") && ContainsSubstring("'groups'"));
  CHECK_THAT(complaint_after([](json& d) { d["run"]["seed"] = -1; }),
             StartsWith("/run/seed is negative"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"] = json::object(); }),
             StartsWith("/cells is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d.erase("rungs"); }), ContainsSubstring("'rungs'"));
  CHECK_THAT(complaint_after([](json& d) { d["cells"].push_back(1); }),
             StartsWith("/cells/1 (1) is not of the type"));
  CHECK_THAT(complaint_after([](json& d) { d["ceilings"] = json::array({json::object()}); }),
             StartsWith("/ceilings/0 "));
  CHECK_THAT(complaint_after([](json& d) { d["cells"][0]["a\nb"] = std::string(1000, 'x'); }),
             StartsWith("/cells/0 has a field"));
}

TEST_CASE("a file of ours that holds no results is named as what it is") {
  CHECK_THAT(complaint("{\"schema\": \"1.0\", \"checks\": []}"),
             StartsWith("it is a JSON file with a schema, but holds no results"));
}

TEST_CASE("cells that cannot be") {
  const auto in_cell = [](const char* place, const json& value) {
    return complaint_after([&](json& d) { d["cells"][0][json::json_pointer(place)] = value; });
  };
  CHECK_THAT(complaint_after([](json& d) { d["cells"].push_back(d["cells"][0]); }),
             StartsWith("/cells/1 has the same identity as /cells/0"));
  const auto add_without_offset = [](json& d) {
    d["cells"].push_back(d["cells"][0]);
    d["cells"][0]["input"]["offset"] = 0, d["cells"][1]["input"].erase("offset");
  };
  CHECK_THAT(complaint_after(add_without_offset),
             StartsWith("/cells/1 has the same identity as /cells/0"));
  CHECK_THAT(in_cell("/how/backend", "emulated"),
             StartsWith("/cells/0 claims a time on the emulated backend"));
  CHECK_THAT(in_cell("/how/contract", nullptr),
             StartsWith("/cells/0 has a time without saying what it includes"));
  CHECK_THAT(in_cell("/how/cache", nullptr),
             StartsWith("/cells/0 has a time without saying what it includes"));
  CHECK_THAT(in_cell("/measured/timing/processes", json::array()),
             StartsWith("/cells/0 has a time that no process measured"));
  for (const char* place : {"/measured/timing", "/how/contract", "/how/cache"}) {
    INFO(place);
    const auto only_this = [place = json::json_pointer(place)](json& d) {
      const json cell = d["cells"][0];
      d["cells"][0] = emulated_cell("serial");
      d["cells"][0]["shard"] = cell["shard"];
      d["cells"][0][place] = cell[place];
    };
    CHECK_THAT(complaint_after(only_this),
               StartsWith("/cells/0 claims a time on the emulated backend"));
  }
}

TEST_CASE("no verdict, no numbers") {
  const auto with_outcome = [](const json& outcome, bool is_measured) {
    return complaint_after([&](json& d) {
      d["cells"][0]["outcome"] = outcome;
      if (!is_measured) d["cells"][0]["measured"] = nullptr;
    });
  };
  const json none;
  CHECK_THAT(with_outcome({{"verdict", "pass"}, {"reason", none}, {"lost_counts", none}}, false),
             StartsWith("/cells/0 has the verdict pass, and nothing was measured;"));
  CHECK_THAT(with_outcome({{"verdict", "pass"}, {"reason", "wrong"}, {"lost_counts", none}}, true),
             StartsWith("/cells/0 has the verdict pass, and a reason against it;"));
  CHECK_THAT(with_outcome({{"verdict", "pass"}, {"reason", none}, {"lost_counts", 7}}, true),
             StartsWith("/cells/0 has the verdict pass, and lost counts;"));
  for (const char* verdict : {"fail", "expected_wrong", "skipped", "crashed", "timeout"}) {
    CHECK_THAT(
        with_outcome({{"verdict", verdict}, {"reason", "wrong"}, {"lost_counts", none}}, true),
        StartsWith("/cells/0 has the verdict " + std::string(verdict) + " and there are numbers;"));
    CHECK_THAT(with_outcome({{"verdict", verdict}, {"reason", none}, {"lost_counts", none}}, false),
               StartsWith("/cells/0 did not pass, and no reason is given;"));
    CHECK_THAT(
        with_outcome({{"verdict", verdict}, {"reason", "wrong"}, {"lost_counts", none}}, false),
        StartsWith("its content is not what its run id says"));
  }
}

TEST_CASE("a file changed after its run is refused") {
  CHECK_THAT(complaint_after([](json& d) { d["run"]["id"] = "sha256:0"; }),
             StartsWith("its content is not what its run id says"));
  CHECK_THAT(complaint_after(
                 [](json& d) { d["cells"][0]["measured"]["timing"]["time_us"]["median"] = 1; }),
             StartsWith("its content is not what its run id says"));
}

TEST_CASE("results that do not fit their schema become no file") {
  Results broken = full();
  timing_of(broken.cells[0]).time_us.median = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(file_text(broken),
                    ContainsSubstring("/cells/0/measured/timing/time_us/median"));
  broken = full();
  broken.cells.push_back(broken.cells[0]);
  CHECK_THROWS_WITH(file_text(broken), ContainsSubstring("same identity"));
  broken = full();
  broken.cells[0].how = {Backend::emulated, {}, {}};
  CHECK_THROWS_WITH(file_text(broken), ContainsSubstring("claims a time on the emulated backend"));
}
