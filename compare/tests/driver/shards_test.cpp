// Shards of a run, and their merge: what they measure together is what one run measures.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "compare/driver/catalogue.hpp"
#include "compare/driver/plan.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/json.hpp"
#include "reports/packed.hpp"

using namespace ladder;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Six groups: two are counted, four are timed.
const Workshop::Arguments six_groups = {"--operator", "sum", "--dtype", "i32", "--size", "1000,2000", "--rung", "base,better,std_fast,small"};

std::string shard_name(unsigned number, unsigned of) {
  return "shard_" + std::to_string(number) + "_of_" + std::to_string(of);
}

Outcome run_shard(Workshop& workshop, unsigned number, unsigned of, Workshop::Arguments options = six_groups) {
  options.insert(options.end(), {"--shard", std::to_string(number) + '/' + std::to_string(of)});
  return workshop.study(options);
}

Outcome merge(Workshop& workshop, const std::vector<fs::path>& files, const fs::path& out) {
  Workshop::Arguments words{"merge", "--out", out};
  words.insert(words.end(), files.begin(), files.end());
  return workshop.run(words);
}

// The folders of all shards, measured.
std::vector<fs::path> measured_shards(Workshop& workshop, unsigned of) {
  std::vector<fs::path> folders;
  for (unsigned number = 1; number <= of; ++number) {
    const auto outcome = run_shard(workshop, number, of);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    folders.push_back(workshop.results() / shard_name(number, of));
  }
  return folders;
}

reports::Results read_in(const fs::path& folder) {
  return reports::read(folder / "results.json");
}

json cells_without_shards(const reports::Results& results) {
  json cells = results.cells;
  for (json& cell : cells) cell.erase("shard");
  return cells;
}

std::multiset<std::string> samples_in_folder(const fs::path& folder) {
  std::istringstream text(reports::read_packed(folder / "samples.jsonl.gz", 1 << 20));
  std::multiset<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.insert(line);
  return lines;
}

// The set in this folder as somebody may have changed it, with the id of its content.
void change(const fs::path& folder, const std::function<void(reports::Results&)>& action) {
  auto results = read_in(folder);
  action(results);
  write_set(folder / "results.json", results);
}

}  // namespace

TEST_CASE("the merge of all shards has the cells and the samples of the whole run, however many shards there are") {
  Workshop workshop;
  REQUIRE(workshop.study(six_groups).exit_code == 0);
  const auto whole = workshop.read();
  CHECK(!contains(text_of(workshop.results() / "results.json"), "shard"));  // as before there were any
  std::set<std::pair<reports::Input, reports::How>> groups;
  for (const auto& cell : whole.cells) groups.emplace(cell.input, cell.how);
  REQUIRE(groups.size() == 6);

  for (const unsigned of : {1U, 2U, 3U, 7U, 9U}) {
    INFO(of);
    auto folders = measured_shards(workshop, of);
    std::ranges::reverse(folders);  // in any order
    const auto out = workshop.path("merged_" + std::to_string(of));
    const auto outcome = merge(workshop, folders, out);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const auto merged = read_in(out);
    CHECK(cells_without_shards(merged) == json(whole.cells));
    CHECK(json(merged.rungs) == json(whole.rungs));
    CHECK(json(merged.operations) == json(whole.operations));
    CHECK(json(merged.run.efforts) == json(whole.run.efforts));
    CHECK(json(merged.machine) == json(whole.machine));
    CHECK(json(merged.software) == json(whole.software));
    CHECK(samples_in_folder(out) == samples_in_folder(workshop.results()));
    CHECK(merged.merged.size() == of);
    CHECK(!merged.shard);
    std::set<unsigned> used;
    for (const auto& cell : merged.cells) used.insert(cell.shard);
    CHECK(used.size() == std::min(of, 6U));  // six groups, and none is empty while another has two
    for (const fs::path& folder : folders) {
      const auto checked = workshop.run({"check", folder});
      CHECK(checked.exit_code == 0);
      CHECK(contains(checked.out, "sound: shard " + std::to_string(read_in(folder).shard->number) + " of " + std::to_string(of)));
    }
    const auto checked = workshop.run({"check", out});
    CHECK(checked.exit_code == 0);
    CHECK(contains(checked.out, of == 1 ? "sound: 1 shard, " : "sound: " + std::to_string(of) + " shards, "));
    CHECK(contains(checked.out, "samples: checked"));
  }
}

TEST_CASE("the report of a shard says which it is, and that of a merged set how many cards it has") {
  Workshop workshop;
  workshop.add_gpu();
  const Workshop::Arguments options{"--backend", "cuda", "--dtype", "i32", "--size", "1000,2000", "--cache", "cold", "--rung", "base,std_fast"};
  workshop.environment["FAKE_CARD"] = "GPU-a", workshop.environment["FAKE_CEILING"] = "2";
  const auto first = run_shard(workshop, 1, 2, options);
  REQUIRE(first.exit_code == 0);
  CHECK(contains(first.out, "shard 1 of 2, "));
  workshop.environment["FAKE_CARD"] = "GPU-b", workshop.environment["FAKE_CEILING"] = "8";
  REQUIRE(run_shard(workshop, 2, 2, options).exit_code == 0);
  const auto a = workshop.results() / "shard_1_of_2", b = workshop.results() / "shard_2_of_2", out = workshop.path("merged");
  CHECK(contains(text_of(a / "report.md"), "This is shard 1 of 2"));
  const auto outcome = merge(workshop, {a, b / "results.json"}, out);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "2 shards on 2 GPUs, "));

  // Each row is held against the ceiling of its own card.
  const auto merged = read_in(out);
  CHECK(merged.machine.gpu->uuid.empty());
  REQUIRE(merged.merged.size() == 2);
  CHECK(merged.merged[1].machine.gpu->uuid == "GPU-b");
  std::set<unsigned> used;
  for (const auto& cell : merged.cells) {
    used.insert(cell.shard);
    REQUIRE(cell.timing() != nullptr);
    CHECK(*cell.timing()->percent_of_ceiling == Approx(100 * cell.timing()->bandwidth_gbps.median / (cell.shard == 1 ? 2 : 8)));
  }
  CHECK(used == std::set{1U, 2U});

  const std::string report = text_of(out / "report.md");
  for (const char* text : {"2 shards on 2 GPUs", "GPU, shard 2", "GPU-a", "GPU-b", "--shard 1/2", "--shard 2/2", "ladder merge"}) {
    INFO(text);
    CHECK(contains(report, text));
  }
  CHECK(contains(text_of(out / "report.html"), "2 shards on 2 GPUs"));
  CHECK(contains(workshop.run({"cite", out}).out, "on straw (2 shards on 2 GPUs)"));
  CHECK(contains(workshop.run({"table", out, "--format", "csv"}).out, ",shard,"));
  CHECK(contains(workshop.run({"table", out, "--format", "markdown"}).out, "2 shards on 2 GPUs"));
  CHECK(contains(workshop.run({"compare", a, out}).out, "2 shards on 2 GPUs: cards of one model differ"));
  CHECK(contains(workshop.run({"compare", out, out}).out, "cards of one model differ"));
  CHECK(workshop.run({"report", out, out, "--out", workshop.path("both")}).exit_code == 0);
  CHECK(contains(text_of(workshop.path("both") / "sets.md"), "each on its own machine"));
  CHECK(contains(text_of(workshop.path("both") / "sets.md"), "2 shards on 2 GPUs"));

  // The same once more takes the place of the same. Another sets it aside: its command is another.
  REQUIRE(merge(workshop, {a, b / "results.json"}, out).exit_code == 0);
  CHECK(!fs::exists(out / "previous"));
  REQUIRE(merge(workshop, {b, a}, out).exit_code == 0);
  CHECK(read_in(out / "previous").run.id == merged.run.id);
  CHECK(workshop.run({"check", out}).exit_code == 0);
}

TEST_CASE("a shard that is missing is named with the command that makes it up") {
  Workshop workshop;
  auto folders = measured_shards(workshop, 4);
  const auto out = workshop.path("merged");
  const auto refused = merge(workshop, {folders[0], folders[3]}, out);
  CHECK(refused.exit_code == 2);
  CHECK(is_one_line(refused.err));
  CHECK(contains(refused.err, "ladder: shards 2 and 3 of 4 are missing; ./ladder run --out "));
  CHECK(contains(refused.err, " --shard 2/4 makes the first up\n"));
  CHECK(!fs::exists(out));

  fs::remove_all(folders[2]);
  const auto lost = merge(workshop, {folders[0], folders[1], folders[3]}, out);
  const std::string begin = "ladder: shard 3 of 4 is missing; ./ladder ", end = " makes it up\n";
  REQUIRE(lost.err.starts_with(begin));
  REQUIRE(lost.err.ends_with(end));
  std::istringstream command(lost.err.substr(begin.size(), lost.err.size() - begin.size() - end.size()));
  Workshop::Arguments words;
  for (std::string word; command >> word;) words.push_back(word);
  REQUIRE(workshop.run(words).exit_code == 0);
  CHECK(merge(workshop, folders, out).exit_code == 0);

  change(folders[0], [](reports::Results& r) { r.run.command = "rm -rf /"; });  // not one of ours
  CHECK(contains(merge(workshop, {folders[0]}, out).err, "; its command with --shard 2/4 makes the first up\n"));
}

TEST_CASE("what are not all the shards of one run is refused in one sentence that names the files and the field") {
  Workshop workshop;
  const auto folders = measured_shards(workshop, 2);
  const fs::path a = folders[0], b = folders[1];
  const std::string in_a = (a / "results.json").string(), in_b = (b / "results.json").string();
  const auto refusal = [&](const std::vector<fs::path>& files) {
    const auto outcome = merge(workshop, files, workshop.path("merged"));
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    CHECK(!fs::exists(workshop.path("merged")));
    return outcome.err;
  };
  const auto after = [&](const std::function<void(reports::Results&)>& action) {
    const std::string before = text_of(b / "results.json");
    change(b, action);
    const std::string said = refusal({a, b});
    std::ofstream(b / "results.json", std::ios::binary) << before;
    return said;
  };
  const std::string both = "ladder: " + in_a + " and " + in_b + ' ';
  CHECK(after([](auto& r) { r.shard->plan = "sha256:" + std::string(64, 'b'); }).starts_with(both + "differ in /shard/plan, "));
  CHECK(after([](auto& r) { r.shard->of = 3; }).starts_with(both + "differ in /shard/of, 2 and 3; shards of one run have one plan, "));
  CHECK(after([](auto& r) { r.shard->groups = 7; }).starts_with(both + "differ in /shard/groups, 6 and 7;"));
  CHECK(after([](auto& r) { r.run.commit = std::string(40, 'c'); }).starts_with(both + "differ in /run/commit, "));
  CHECK(after([](auto& r) { r.run.dirty = !r.run.dirty; }).starts_with(both + "differ in /run/dirty, "));
  CHECK(after([](auto& r) { r.software.host_flags = "-O0"; }).starts_with(both + "differ in /software/host_flags, \"\" and \"-O0\";"));
  CHECK(after([](auto& r) { r.software.cccl = "3.5"; }).starts_with(both + "differ in /software/cccl, null and \"3.5\";"));
  CHECK(after([](auto& r) { r.machine.cpu = "reed"; }).starts_with(both + "differ in /machine/cpu, \"straw\" and \"reed\";"));
  CHECK(after([](auto& r) { r.machine.gpu.emplace(); }).starts_with(both + "differ in /machine/gpu, null and "));
  CHECK(after([](auto& r) { r.shard->number = 1; }) == both + "are both shard 1 of 2; name one of them\n");
  CHECK(after([](auto& r) { r.shard.reset(); }) == "ladder: " + in_b + ": it is no shard; ./ladder run --shard 1/2 makes the first of two\n");
  CHECK(contains(after([](auto& r) { r.run.complete = false; }), in_b + ": it is unfinished; ./ladder run --out "));
  CHECK(contains(after([](auto& r) { r.cells.back().minimum_bytes.read = 1; }), in_b + ": it is not sound (/cells/"));
  CHECK(contains(refusal({a, a}), in_a + " are both shard 1 of 2; name one of them"));

  // A group that is in both, and one that is in neither.
  const auto cells_of_a = read_in(a).cells;
  const auto counted = std::ranges::find_if(cells_of_a, [](const auto& cell) { return cell.how.backend == reports::Backend::emulated; });
  REQUIRE(counted != cells_of_a.end());
  CHECK(contains(after([&](auto& r) { r.cells.push_back(*counted); }), both + "both have reduce, sum, i32, n = "));
  CHECK(contains(after([](auto& r) {
                   const auto gone = std::ranges::find_if(r.cells, [](const auto& cell) { return cell.how.backend == reports::Backend::emulated; });
                   const reports::Input input = gone->input;
                   std::erase_if(r.cells, [&](const auto& c) { return c.how.backend == reports::Backend::emulated && c.input == input; });
                 }),
                 "these shards hold 5 of the 6 groups of their plan, "));

  // Samples that are gone, or another's.
  const auto timed = read_in(a).run.samples ? a : b, other = timed == a ? b : a;
  fs::rename(timed / "samples.jsonl.gz", workshop.path("kept"));
  CHECK(contains(refusal({a, b}), "samples.jsonl.gz beside it does not hold its samples"));
  fs::rename(workshop.path("kept"), timed / "samples.jsonl.gz");
  CHECK(contains(merge(workshop, {a, b}, a).err, a.string() + " holds the journal of a run; choose another folder with --out"));
  change(b, [](reports::Results& r) { r.machine.memory_bytes = 7, r.run.date = "2026-01-01T00:00:00Z"; });  // as two hosts differ
  CHECK(merge(workshop, {a, b}, workshop.path("merged")).exit_code == 0);
  CHECK(read_in(workshop.path("merged")).run.date == "2026-01-01T00:00:00Z");  // of the first to start
  CHECK(contains(merge(workshop, {workshop.path("merged")}, workshop.path("again")).err, "it is no shard"));
}

TEST_CASE("a run that is resumed keeps its shard") {
  Workshop workshop;
  const Workshop::Arguments one_group{"--backend", "emulated", "--operator", "sum", "--dtype", "i32", "--size", "1000", "--rung", "base", "--resume"};
  const auto folder = [&](unsigned number, unsigned of) { return workshop.results() / shard_name(number, of); };
  REQUIRE(run_shard(workshop, 1, 2, one_group).exit_code == 0);
  const std::string before = text_of(folder(1, 2) / "results.json");
  REQUIRE(run_shard(workshop, 1, 2, one_group).exit_code == 0);
  CHECK(text_of(folder(1, 2) / "results.json") == before);
  fs::rename(folder(1, 2), folder(1, 3));  // the same group
  const auto refused = run_shard(workshop, 1, 3, one_group);
  CHECK(refused.exit_code == 2);
  CHECK(is_one_line(refused.err));
  CHECK(contains(refused.err, "journal.jsonl is of another run (other options, another seed or another build)"));
}

TEST_CASE("a word that is no shard is refused in one sentence") {
  const auto word = GENERATE(as<std::string>(), "0/2", "3/2", "1/0", "1", "/", "1/", "/2", "", "1/2/3", "01/2", "-1/2", "1/1001", "a/b", "1.0/2",
                             "1 /2", "4294967297/4294967298");
  Workshop workshop;
  const auto outcome = workshop.study({"--shard", word});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err == "ladder: --shard: \"" + word + "\" is no shard; 2/7 is the second of seven, of 1000 at most\n");
}
