// Shards of a run, and their merge: what they measure together is what one run measures.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "compare/driver/plan/catalogue.hpp"
#include "compare/driver/plan/plan.hpp"
#include "compare/system.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/file/compression.hpp"
#include "reports/file/result_file.hpp"
#include "reports/model/json.hpp"
#include "reports/tests/report_in_page.hpp"

using namespace ladder;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Six groups: two are counted, four are timed.
const Workshop::Arguments six_groups = {
    "--operator", "sum",       "--dtype", "i32",
    "--size",     "1000,2000", "--rung",  "base,better,std_fast,small"};

std::string shard_name(unsigned number, unsigned of) {
  return "shard_" + std::to_string(number) + "_of_" + std::to_string(of);
}

Outcome run_shard(Workshop& workshop, unsigned number, unsigned of,
                  Workshop::Arguments options = six_groups) {
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
  std::istringstream text(reports::read_packed(folder / "samples.jsonl.bz2", 1 << 20));
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

TEST_CASE(
    "the merge of all shards has the cells and the samples of the whole run, however many shards "
    "there are") {
  Workshop workshop;
  REQUIRE(workshop.study(six_groups).exit_code == 0);
  const auto whole = workshop.read();
  // as before there were any
  CHECK(!contains(text_of(workshop.results() / "results.json"), "shard"));
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
      CHECK(contains(checked.out, "sound: shard " + std::to_string(read_in(folder).shard->number) +
                                      " of " + std::to_string(of)));
    }
    const auto checked = workshop.run({"check", out});
    CHECK(checked.exit_code == 0);
    CHECK(contains(checked.out,
                   of == 1 ? "sound: 1 shard, " : "sound: " + std::to_string(of) + " shards, "));
    CHECK(contains(checked.out, "samples: checked"));
  }
}

TEST_CASE(
    "the report of a shard says which it is, and that of a merged set how many cards it has") {
  Workshop workshop;
  workshop.add_gpu();
  const Workshop::Arguments options{"--backend", "cuda",    "--dtype", "i32",    "--size",
                                    "1000,2000", "--cache", "cold",    "--rung", "base,std_fast"};
  workshop.environment["FAKE_CARD"] = "GPU-a", workshop.environment["FAKE_CEILING"] = "2";
  const auto first = run_shard(workshop, 1, 2, options);
  REQUIRE(first.exit_code == 0);
  CHECK(contains(first.out, "shard 1 of 2, "));
  workshop.environment["FAKE_CARD"] = "GPU-b", workshop.environment["FAKE_CEILING"] = "8";
  REQUIRE(run_shard(workshop, 2, 2, options).exit_code == 0);
  const auto a = workshop.results() / "shard_1_of_2", b = workshop.results() / "shard_2_of_2",
             out = workshop.path("merged");
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
    CHECK(*cell.timing()->percent_of_ceiling ==
          Approx(100 * cell.timing()->bandwidth_gbps.median / (cell.shard == 1 ? 2 : 8)));
  }
  CHECK(used == std::set{1U, 2U});

  const std::string report = text_of(out / "report.md");
  for (const char* text : {"2 shards on 2 GPUs", "GPU, shard 2", "GPU-a", "GPU-b", "--shard 1/2",
                           "--shard 2/2", "ladder merge"}) {
    INFO(text);
    CHECK(contains(report, text));
  }
  CHECK(contains(reports::report_in(text_of(out / "report.html")).dump(), "2 shards on 2 GPUs"));
  CHECK(contains(workshop.run({"cite", out}).out, "on straw (2 shards on 2 GPUs)"));
  CHECK(contains(workshop.run({"table", out, "--format", "csv"}).out, ",shard,"));
  CHECK(contains(workshop.run({"table", out, "--format", "markdown"}).out, "2 shards on 2 GPUs"));
  CHECK(contains(workshop.run({"compare", a, out}).out,
                 "2 shards on 2 GPUs: cards of one model also differ"));
  CHECK(contains(workshop.run({"compare", out, out}).out,
                 "2 shards on 2 GPUs: cards of one model also\n  differ"));
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

TEST_CASE("a shard that is missing is named with the command that runs it") {
  Workshop workshop;
  auto folders = measured_shards(workshop, 4);
  const auto out = workshop.path("merged");
  const auto refused = merge(workshop, {folders[0], folders[3]}, out);
  CHECK(refused.exit_code == 2);
  CHECK(is_one_line(refused.err));
  CHECK(contains(refused.err, "ladder: shards 2 and 3 of 4 are missing; ./ladder run --out "));
  CHECK(contains(refused.err, " --shard 2/4 runs the first\n"));
  CHECK(!fs::exists(out));

  fs::remove_all(folders[2]);
  const auto lost = merge(workshop, {folders[0], folders[1], folders[3]}, out);
  const std::string begin = "ladder: shard 3 of 4 is missing; ./ladder ", end = " runs it\n";
  REQUIRE(lost.err.starts_with(begin));
  REQUIRE(lost.err.ends_with(end));
  std::istringstream command(
      lost.err.substr(begin.size(), lost.err.size() - begin.size() - end.size()));
  Workshop::Arguments words;
  for (std::string word; command >> word;) words.push_back(word);
  REQUIRE(workshop.run(words).exit_code == 0);
  CHECK(merge(workshop, folders, out).exit_code == 0);

  change(folders[0], [](reports::Results& r) { r.run.command = "rm -rf /"; });  // not one of ours
  CHECK(contains(merge(workshop, {folders[0]}, out).err,
                 "; its command with --shard 2/4 runs the first\n"));
}

TEST_CASE(
    "what are not all the shards of one run is refused in one sentence that names the files and "
    "the field") {
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
  CHECK(after([](auto& r) {
          r.shard->plan = "sha256:" + std::string(64, 'b');
        }).starts_with(both + "differ in /shard/plan, "));
  CHECK(after([](auto& r) {
          r.shard->of = 3;
        }).starts_with(both + "differ in /shard/of, 2 and 3; shards of one run have one plan, "));
  CHECK(after([](auto& r) {
          r.shard->groups = 7;
        }).starts_with(both + "differ in /shard/groups, 6 and 7;"));
  CHECK(after([](auto& r) {
          r.run.commit = std::string(40, 'c');
        }).starts_with(both + "differ in /run/commit, "));
  CHECK(after([](auto& r) {
          r.run.dirty = !r.run.dirty;
        }).starts_with(both + "differ in /run/dirty, "));
  CHECK(after([](auto& r) {
          r.software.host_flags = "-O0";
        }).starts_with(both + "differ in /software/host_flags, \"\" and \"-O0\";"));
  CHECK(after([](auto& r) {
          r.software.cccl = "3.5";
        }).starts_with(both + "differ in /software/cccl, null and \"3.5\";"));
  CHECK(
      after([](auto& r) {
        r.machine.cpu = "reed";
      }).starts_with(both + "differ in /machine/cpu, \"" + host::cpu_model() + "\" and \"reed\";"));
  CHECK(after([](auto& r) {
          r.machine.gpu.emplace();
        }).starts_with(both + "differ in /machine/gpu, null and "));
  const auto devices = [](unsigned number) {
    return [number](reports::Results& r) {
      r.machine.gpu.emplace(), r.machine.further_gpus.resize(number - 1);
    };
  };
  change(a, devices(2));
  CHECK(after(devices(3))
            .starts_with(both + "differ in /machine/further_gpus, [{\"name\":\"\"}] and "
                                "[{\"name\":\"\"},{\"name\":\"\"}];"));
  change(a, [](auto& r) { r.machine.gpu.reset(), r.machine.further_gpus.clear(); });
  CHECK(after([](auto& r) { r.shard->number = 1; }) ==
        both + "are both shard 1 of 2; name one of them\n");
  CHECK(after([](auto& r) { r.shard.reset(); }) ==
        "ladder: " + in_b +
            ": it is not a shard; ./ladder run --shard 1/2 makes the first of two\n");
  CHECK(contains(after([](auto& r) { r.run.complete = false; }),
                 in_b + ": it is unfinished; ./ladder run --out "));
  CHECK(contains(after([](auto& r) { r.cells.back().minimum_bytes.read = 1; }),
                 in_b + ": it is not sound (/cells/"));
  CHECK(contains(refusal({a, a}), in_a + " are both shard 1 of 2; name one of them"));

  // A group that is in both, and one that is in neither.
  const auto cells_of_a = read_in(a).cells;
  const auto counted = std::ranges::find_if(
      cells_of_a, [](const auto& cell) { return cell.how.backend == reports::Backend::emulated; });
  REQUIRE(counted != cells_of_a.end());
  CHECK(contains(after([&](auto& r) { r.cells.push_back(*counted); }),
                 both + "both have reduce, sum, i32, n = "));
  CHECK(contains(after([](auto& r) {
                   const auto gone = std::ranges::find_if(r.cells, [](const auto& cell) {
                     return cell.how.backend == reports::Backend::emulated;
                   });
                   const reports::Input input = gone->input;
                   std::erase_if(r.cells, [&](const auto& c) {
                     return c.how.backend == reports::Backend::emulated && c.input == input;
                   });
                 }),
                 "these shards hold 5 of the 6 groups of their plan, "));

  // Samples that are gone, or another's.
  const auto timed = read_in(a).run.samples ? a : b, other = timed == a ? b : a;
  fs::rename(timed / "samples.jsonl.bz2", workshop.path("kept"));
  CHECK(contains(refusal({a, b}), "samples.jsonl.bz2 beside it does not hold its samples"));
  fs::rename(workshop.path("kept"), timed / "samples.jsonl.bz2");
  CHECK(contains(merge(workshop, {a, b}, a).err,
                 a.string() + " holds the journal of a run; choose another folder with --out"));
  // as two hosts differ
  change(b, [](reports::Results& r) {
    r.machine.memory_bytes = 7, r.run.date = "2026-01-01T00:00:00Z";
  });
  CHECK(merge(workshop, {a, b}, workshop.path("merged")).exit_code == 0);
  // of the first to start
  CHECK(read_in(workshop.path("merged")).run.date == "2026-01-01T00:00:00Z");
  CHECK(contains(merge(workshop, {workshop.path("merged")}, workshop.path("again")).err,
                 "it is not a shard"));
}

TEST_CASE("a run that is resumed keeps its shard") {
  Workshop workshop;
  const Workshop::Arguments one_group{"--backend", "emulated", "--operator", "sum",
                                      "--dtype",   "i32",      "--size",     "1000",
                                      "--rung",    "base",     "--resume"};
  const auto folder = [&](unsigned number, unsigned of) {
    return workshop.results() / shard_name(number, of);
  };
  REQUIRE(run_shard(workshop, 1, 2, one_group).exit_code == 0);
  const std::string before = text_of(folder(1, 2) / "results.json");
  REQUIRE(run_shard(workshop, 1, 2, one_group).exit_code == 0);
  CHECK(text_of(folder(1, 2) / "results.json") == before);
  fs::rename(folder(1, 2), folder(1, 3));  // the same group
  const auto refused = run_shard(workshop, 1, 3, one_group);
  CHECK(refused.exit_code == 2);
  CHECK(is_one_line(refused.err));
  CHECK(contains(
      refused.err,
      "journal.jsonl belongs to another run (other options, another seed or another build)"));
}

TEST_CASE("a word that is no shard is refused in one sentence") {
  const auto word =
      GENERATE(as<std::string>(), "0/2", "3/2", "1/0", "1", "/", "1/", "/2", "", "1/2/3", "01/2",
               "-1/2", "1/1001", "a/b", "1.0/2", "1 /2", "4294967297/4294967298");
  Workshop workshop;
  const auto outcome = workshop.study({"--shard", word});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err ==
        "ladder: --shard: \"" + word +
            "\" is not a shard; write 2/7 for the second of seven, of 1000 at most\n");
}

namespace {

// Three GPUs of straw. Six groups, of which two wait while `hold` is there.
class GpuHost : public Workshop {
 public:
  GpuHost() {
    add_gpu();
    environment["FAKE_DEVICES"] = "3", environment["FAKE_CARD"] = "visible",
    environment["FAKE_HOLD"] = hold();
  }

  const Arguments options{
      "--dtype",       "i32",     "--size", "1000,2000,3000", "--contract",
      "device_result", "--cache", "cold",   "--rung",         "base,std_fast,held"};

  fs::path hold() const { return path("hold"); }
  fs::path shard(unsigned number, unsigned of) const { return results() / shard_name(number, of); }
  Outcome study_in_shards(const std::string& how_many, const Arguments& more = {}) {
    return study(options + Arguments{"--shards", how_many} + more);
  }

  pid_t start_in_shards(const std::string& how_many, const Arguments& more = {}) {
    return start(Arguments{"run", "--out", results()} + options + Arguments{"--shards", how_many} +
                 more);
  }

  json cells_of_whole_run() {
    REQUIRE(
        run(Arguments{"run", "--out", path("whole"), "--backend", "cuda"} + options).exit_code ==
        0);
    return read_in(path("whole")).cells;
  }
};

pid_t parent_of(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;)
    if (word == "PPid:") {
      pid_t parent = 0;
      status >> parent;
      return parent;
    }
  return 0;
}

// Of the command that stands between the last "; " and " --resume runs it".
Workshop::Arguments command_in(const std::string& line) {
  const std::string begin = "; ./ladder ";
  const auto at = line.rfind(begin), end = line.rfind(" runs it");
  REQUIRE((at != line.npos && end != line.npos));
  std::istringstream text(line.substr(at + begin.size(), end - at - begin.size()));
  Workshop::Arguments words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

}  // namespace

TEST_CASE("the GPUs of a host run a shard each, and their merge has the cells of the whole run") {
  GpuHost host;
  const auto whole = host.cells_of_whole_run();
  REQUIRE(whole.size() == 18);
  for (const auto& [how_many, of, visible] :
       std::vector<std::tuple<std::string, unsigned, std::string>>{
           {"1", 1, ""}, {"2", 2, ""}, {"3", 3, ""}, {"all", 3, ""}, {"2", 2, "GPU-b,7,4"}}) {
    INFO(how_many << " of " << visible);
    fs::remove_all(host.results());
    if (!visible.empty()) host.environment["CUDA_VISIBLE_DEVICES"] = visible;
    const auto outcome = host.study_in_shards(how_many);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "report: "));
    const auto merged = host.read();
    CHECK(cells_without_shards(merged) == whole);
    REQUIRE(merged.merged.size() == of);
    for (unsigned number = 1; number <= of; ++number) {
      CHECK(contains(outcome.err, "ladder: shard " + std::to_string(number) + " of " +
                                      std::to_string(of) + ": row 1 of "));
      CHECK(merged.merged[number - 1].machine.gpu->uuid == (visible.empty()
                                                                ? std::to_string(number - 1)
                                                            : number == 1 ? "GPU-b"
                                                                          : "7"));
      CHECK(contains(merged.merged[number - 1].command, "--backend cuda --shard " +
                                                            std::to_string(number) + '/' +
                                                            std::to_string(of) + " --device "));
    }
    CHECK(contains(merged.run.command, "--shards " + how_many));
    CHECK(host.run({"check", host.results()}).exit_code == 0);
  }
}

TEST_CASE(
    "a shard that is killed is named with the command that runs it, and what was measured is "
    "kept") {
  GpuHost host;
  const auto whole = host.cells_of_whole_run();
  fs::remove(host.path("log"));
  std::ofstream(host.hold()) << "until a shard is killed";
  const pid_t driver = host.start_in_shards("3");
  const auto held = [&] {
    const auto begun = host.begun();
    const auto at = std::ranges::find_if(
        begun, [](const std::string& line) { return line.starts_with("i32 2000 held"); });
    return at == begun.end() ? 0 : host.worker_ids()[static_cast<std::size_t>(at - begun.begin())];
  };
  host.wait_until(driver, [&] { return held() != 0; });
  const pid_t shard = parent_of(held());
  REQUIRE(shard > 1);
  kill(shard, SIGKILL);
  fs::remove(host.hold());
  const auto outcome = host.wait(driver);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 2);
  CHECK(!fs::exists(host.results() / "results.json"));
  CHECK(contains(outcome.err, " of 3 has ended: killed by signal 9 (Killed); ./ladder run --out "));
  CHECK(contains(outcome.err,
                 "ladder: 1 of 3 shards is missing, and the others are kept; the same command with "
                 "--resume runs what is missing"));

  // the shards that are there are not measured anew
  const auto refused = host.study_in_shards("3");
  CHECK(refused.exit_code == 2);
  CHECK(is_one_line(refused.err));
  CHECK(contains(refused.err, "holds an unfinished run; "));
  const auto begun = host.begun().size();
  const auto line = outcome.err.substr(0, outcome.err.find(" runs it") + 8);
  const auto made_up = host.run(command_in(line));
  INFO(made_up.err);
  REQUIRE(made_up.exit_code == 0);
  CHECK(host.begun().size() > begun);
  const auto after = host.begun().size();
  REQUIRE(host.study_in_shards("3", {"--resume"}).exit_code == 0);
  CHECK(host.begun().size() == after);
  CHECK(cells_without_shards(host.read()) == whole);
}

TEST_CASE("a shard that fails is named, the others run, and --resume runs it again") {
  GpuHost host;
  const auto whole = host.cells_of_whole_run();
  fs::create_directory(host.results());
  std::ofstream(host.shard(2, 3)) << "no folder";
  const auto outcome = host.study_in_shards("3");
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "ladder: shard 2 of 3: "));
  CHECK(contains(outcome.err, "ladder: shard 2 of 3 has ended: exit code 2; ./ladder run --out "));
  CHECK(fs::exists(host.shard(1, 3) / "results.json"));
  CHECK(fs::exists(host.shard(3, 3) / "results.json"));
  fs::remove(host.shard(2, 3));
  REQUIRE(host.study_in_shards("3", {"--resume"}).exit_code == 0);
  CHECK(cells_without_shards(host.read()) == whole);
}

TEST_CASE("a row that fails is no reason against the merge") {
  GpuHost host;
  const auto outcome = host.study_in_shards("2", {"--rung", "base,wrong"});
  CHECK(outcome.exit_code == 1);
  CHECK(host.read().merged.size() == 2);
}

TEST_CASE(
    "a shard without a finished set is named with the command that runs it, whatever its exit code "
    "was") {
  GpuHost host;
  std::ofstream(host.hold()) << "until the other shard is done";
  // so that only one of three groups waits
  const Workshop::Arguments more{"--operator", "sum", "--rung", "wrong"};
  const pid_t driver = host.start_in_shards("2", more);
  const auto is_finished = [&](unsigned number) {
    return contains(text_of(host.shard(number, 2) / "journal.jsonl"), "\"finished\":true");
  };
  host.wait_until(driver, [&] { return is_finished(1) || is_finished(2); });
  const unsigned number = is_finished(1) ? 1 : 2;
  fs::remove_all(host.shard(number, 2));
  fs::remove(host.hold());
  const auto outcome = host.wait(driver);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "ladder: shard " + std::to_string(number) +
                                  " of 2 has ended: exit code 1; ./ladder run --out "));
  CHECK(contains(outcome.err, "ladder: 1 of 2 shards is missing"));
  const auto resumed = host.study_in_shards("2", more + Workshop::Arguments{"--resume"});
  INFO(resumed.err);
  CHECK(resumed.exit_code == 1);
  CHECK(host.read().merged.size() == 2);
}

TEST_CASE("Ctrl-C ends all shards, and --resume goes on from there") {
  GpuHost host;
  const auto whole = host.cells_of_whole_run();
  fs::remove(host.path("log"));
  std::ofstream(host.hold()) << "until Ctrl-C";
  const pid_t driver = host.start_in_shards("2");
  host.wait_until(driver, [&] { return contains(text_of(host.path("log")), "i32 2000 held"); });
  kill(driver, SIGINT);
  const auto outcome = host.wait(driver);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 130);
  CHECK(contains(outcome.err,
                 "ladder: interrupted; the same command with --resume continues from there\n"));
  CHECK(!fs::exists(host.results() / "results.json"));
  for (const pid_t worker : host.worker_ids()) CHECK(kill(worker, 0) != 0);
  fs::remove(host.hold());
  REQUIRE(host.study_in_shards("2", {"--resume"}).exit_code == 0);
  CHECK(cells_without_shards(host.read()) == whole);
}

TEST_CASE("what --shards cannot have is said in one sentence, before anything is measured") {
  GpuHost host;
  const auto refused = [&](const Workshop::Arguments& words, const std::string& sentence) {
    const auto outcome = host.study(words);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    CHECK(contains(outcome.err, sentence));
    CHECK(host.begun().empty());
  };
  for (const char* word : {"0", "2/3", "", "two"})
    refused({"--shards", word}, "--shards: \"" + std::string(word) +
                                    "\" is not a number of shards from 1 to 64, nor all");
  refused({"--shards", "4"},
          "--shards: each shard needs a GPU: 4 are asked for, and 3 GPUs can be used");
  refused({"--shards", "2", "--shard", "1/2"}, "--shard excludes --shards");
  refused({"--shards", "2", "--device", "1"}, "--device excludes --shards");
  refused({"--shards", "2", "--devices", "2"},
          "--shards gives each GPU a part of the rows, and --devices spreads each row over several "
          "GPUs; leave one of them out");
  for (const char* backend : {"host", "emulated", "cuda,host"})
    refused({"--shards", "2", "--backend", backend},
            "--shards: shards run on the cuda backend alone; leave out --backend");
  refused({"--shards", "2", "--rung", "best", "--provider", "std"}, "no rung that runs here fits");
  host.environment["FAKE_REED"] = "1";
  refused({"--shards", "all"},
          "--shards: GPUs 0 and 1 differ in /name; list GPUs of one kind in CUDA_VISIBLE_DEVICES");
  host.environment.erase("FAKE_REED");
  fs::create_directory(host.path("of_straw"));
  fs::rename(host.path("workers/worker_cuda"), host.path("of_straw/worker_cuda"));
  const std::string straw = host.path("of_straw/worker_cuda");
  fs::rename(host.script("[ \"$CUDA_VISIBLE_DEVICES\" != 2 ] || exit 3; exec " + straw),
             host.path("workers/worker_cuda"));
  refused({"--shards", "all"},
          "--shards: GPU 2 cannot be used: worker_cuda ended: exit code 3; name others in "
          "CUDA_VISIBLE_DEVICES");
  fs::rename(straw, host.path("workers/worker_cuda"));
  fs::create_directory(host.results());
  std::ofstream(host.results() / "journal.jsonl") << "{}";
  refused({"--shards", "2"}, " holds the journal of a run; choose another folder with --out");
  fs::remove(host.path("workers/worker_cuda"));
  refused({"--shards", "all"}, "--shards: each shard needs a GPU, and cuda does not run here: ");
}
