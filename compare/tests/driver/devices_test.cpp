// `--devices`: what is planned, run, resumed, put together and checked of data over the devices of
// one host.
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <set>

#include "compare/driver/commands/list.hpp"
#include "compare/driver/plan/plan.hpp"
#include "compare/tests/catch.hpp"
#include "compare/tests/driver/workshop.hpp"
#include "reports/file/result_file.hpp"
#include "reports/model/json.hpp"
#include "reports/tests/report_in_page.hpp"

using namespace ladder;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

using Arguments = Workshop::Arguments;

protocol::Listing listed(const std::string& name, const std::string& follows, bool over_devices,
                         const std::string& provider = "handwritten") {
  protocol::Listing one;
  one.operation = "reduce";
  one.operators = {"sum"};
  one.provider = provider, one.rung = name, one.follows = follows;
  one.path = provider + (over_devices ? "/reduce/team/" : "/reduce/") + name;
  one.dtypes = {"i32"};
  one.contracts = {Contract::device_result, Contract::host_result};
  one.max_elements = std::numeric_limits<std::uint64_t>::max();
  one.over_devices = over_devices;
  return one;
}

// Eight devices without a clock, and two GPUs; the host has one device.
Catalogue with_devices() {
  Catalogue all;
  for (const auto& [name, devices] : {std::pair(reports::Backend::emulated, 8U),
                                      {reports::Backend::host, 1U},
                                      {reports::Backend::cuda, 2U}}) {
    Backend& one = all.backends.emplace_back();
    one.name = name, one.devices = devices;
    if (name == reports::Backend::cuda)
      one.contracts = {Contract::device_result, Contract::host_result};
    if (name == reports::Backend::host) one.contracts = {Contract::host_result};
    one.implementations = {listed("base", "", false), listed("best", "base", false),
                           listed("cub", "", false, "cub")};
    if (name != reports::Backend::host) {
      one.implementations.push_back(listed("peer_copy", "best", true));
      one.implementations.push_back(listed("together", "peer_copy", true));
      // of another library: cub is no reference of it
      one.implementations.push_back(listed("nccl", "cub", true, "nccl"));
    }
    one.operations = {{.name = "reduce"}};
    for (const char* dtype : {"i32", "f64"})
      one.kinds.push_back({"reduce", "sum", dtype, {"random"}});
  }
  return all;
}

Arguments rung_names(const std::vector<protocol::Listing>& rungs) {
  Arguments names;
  for (const auto& one : rungs) names.push_back(one.rung);
  return names;
}

Selection over(
    unsigned devices, const std::function<void(Selection&)>& choose = [](Selection&) {}) {
  Selection selection;
  selection.devices = devices;
  selection.preset = preset_over_devices;
  choose(selection);
  return selection;
}

// GPUs of straw, and devices of the emulated backend.
class Host : public Workshop {
 public:
  explicit Host(const char* devices = "4") {
    add_gpu();
    environment["FAKE_DEVICES"] = devices;
  }

  std::vector<reports::Cell> cells() const { return read().cells; }
};

const Arguments one_group_over{"--backend",  "cuda",          "--dtype", "i32",
                               "--operator", "sum",           "--size",  "1000",
                               "--contract", "device_result", "--cache", "cold"};

Arguments rungs_of(const std::vector<reports::Cell>& cells) {
  Arguments names;
  for (const reports::Cell& cell : cells)
    names.push_back(cell.who.rung +
                    (cell.input.devices == 0 ? "" : " over " + std::to_string(cell.input.devices)));
  return names;
}

}  // namespace

TEST_CASE(
    "over devices the rungs for that are planned, and before them the rungs on one device that "
    "they follow") {
  const Plan plan = make_plan(over(2), with_devices());
  std::set<reports::Backend> backends;
  for (const Group& group : plan.groups) {
    backends.insert(group.backend);
    CHECK(group.problem.devices == 2);
    if (group.problem.dtype == "f64") continue;
    REQUIRE(rung_names(group.rungs) == Arguments{"best", "peer_copy", "together", "nccl"});
    CHECK(group.problem_of(group.rungs[0]).devices == 0);
    CHECK(group.problem_of(group.rungs[1]).devices == 2);
    CHECK(group.skipped.empty());
  }
  CHECK(backends == std::set{reports::Backend::emulated, reports::Backend::cuda});
  CHECK(plan.request(0, 0, {"a"}).problem.devices == 2);
  CHECK(plan.identity().dump().find("\"devices\":2") != std::string::npos);
  CHECK(make_plan(over(3), with_devices()).identity() !=
        make_plan(over(4), with_devices()).identity());
}

TEST_CASE("a rung that a group skips still names its reference, unless all rungs are skipped") {
  Catalogue all = with_devices();
  const auto skips = [&](const std::string& name) {
    for (auto& one : all.backends[2].implementations)
      if (one.rung == name) one.contracts = {Contract::host_result};
  };
  const auto timed_on_device = [&] {
    const Plan plan = make_plan(over(2,
                                     [](Selection& its) {
                                       its.backends = {"cuda"}, its.contracts = {"device_result"};
                                       its.dtypes = {"i32"};
                                     }),
                                all);
    return rung_names(plan.groups.at(0).rungs);
  };
  skips("peer_copy");
  CHECK(timed_on_device() == Arguments{"best", "together", "nccl"});
  skips("together");
  skips("nccl");
  CHECK(timed_on_device() == Arguments{});
}

TEST_CASE("a reference is planned where a rung that follows it runs, whatever rungs were chosen") {
  const auto rungs = [](const std::function<void(Selection&)>& choose) {
    const Selection selection = over(2, [&](Selection& s) {
      s.dtypes = {"i32"}, s.sizes = {1000}, s.backends = {"emulated"}, choose(s);
    });
    return rung_names(make_plan(selection, with_devices()).groups.at(0).rungs);
  };
  CHECK(rungs([](Selection& s) { s.rungs = {"peer_copy"}; }) == Arguments{"best", "peer_copy"});
  CHECK(rungs([](Selection& s) { s.rungs = {"together"}; }) == Arguments{"together"});
  CHECK(rungs([](Selection& s) { s.providers = {"nccl"}; }) == Arguments{"nccl"});
  const Plan of_f64 = make_plan(over(2, [](Selection& s) { s.dtypes = {"f64"}, s.sizes = {1000}; }),
                                with_devices());
  for (const Group& group : of_f64.groups) {
    CHECK(group.rungs.empty());  // a reference beside nothing would be timed in vain
    CHECK(group.skipped.size() == 3);
  }
}

TEST_CASE(
    "without --devices no rung over devices takes part, and the plan is what it was before there "
    "were any") {
  Catalogue without = with_devices();
  for (Backend& backend : without.backends)
    std::erase_if(backend.implementations,
                  [](const protocol::Listing& one) { return one.over_devices; });
  for (const char* preset : {"quick", "full", "wide", "counters"}) {
    Selection selection;
    selection.preset = preset;
    const Plan plan = make_plan(selection, with_devices());
    CHECK(plan.identity() == make_plan(selection, without).identity());
    CHECK(plan.identity().dump().find("\"devices\"") == std::string::npos);
    for (const Group& group : plan.groups)
      for (const auto& skipped : group.skipped) CHECK_FALSE(skipped.rung.over_devices);
  }
}

TEST_CASE("every preset can be spread over devices") {
  for (const char* preset : preset_names) {
    INFO(preset);
    const Plan plan = make_plan(over(2, [&](Selection& s) { s.preset = preset; }), with_devices());
    std::set<std::string> run;
    for (const Group& group : plan.groups)
      for (const auto& rung : group.rungs) run.insert(rung.rung);
    CHECK(run == std::set<std::string>{"best", "peer_copy", "together", "nccl"});
  }
}

TEST_CASE("a backend with fewer devices than asked for runs nothing of it") {
  const Plan plan = make_plan(over(3), with_devices());
  REQUIRE_FALSE(plan.groups.empty());
  for (const Group& group : plan.groups) CHECK(group.backend == reports::Backend::emulated);
  const auto refused = [](Selection selection, const std::string& sentence,
                          const Catalogue& catalogue = with_devices()) {
    CHECK_THROWS_WITH(validate(selection, catalogue), sentence);
  };
  refused(over(3, [](Selection& s) { s.backends = {"cuda"}; }),
          "the cuda backend has 2 devices here, and --devices asks for 3");
  refused(over(2, [](Selection& s) { s.backends = {"host"}; }),
          "the host backend has 1 device here, and --devices asks for 2");
  refused(over(9),
          "the emulated backend has 8 devices here, and --devices asks for 9; the cuda backend has "
          "2 devices here, and --devices asks for 9");
  Catalogue without_gpu = with_devices();
  without_gpu.backends[2].unavailable = "no GPU";
  refused(over(all_devices),
          "--devices: all needs GPUs, and cuda does not run here: no GPU; a number, such as 2, "
          "runs on the emulated backend",
          without_gpu);
  Catalogue apart = with_devices();
  apart.backends[2].machine = {
      {"links", {reports::Link{0, 1, true, true, {}}, reports::Link{1, 0, false, true, {}}}}};
  refused(over(2),
          "--devices: GPU 1 cannot reach the memory of GPU 0; --launcher env runs the rungs that "
          "need no such access, and --backend emulated runs all rungs on the CPU",
          apart);
  for (Selection fine : {over(2, [](Selection& s) { s.backends = {"emulated"}; }),
                         over(2, [](Selection& s) { s.process_for_each_device = true; }), over(1)})
    CHECK_NOTHROW(validate(fine, apart));
  Selection all = over(all_devices);
  validate(all, with_devices());
  CHECK(all.devices == 2);
}

TEST_CASE("a listing says which rungs take data over devices, and has them after those on one") {
  Catalogue all = with_devices();
  for (Backend& backend : all.backends) {
    backend.operations = {{.name = "reduce", .operators = {"sum"}}};
    for (auto& one : backend.implementations) one.backends = {backend.name}, one.idea = "Straw.";
  }
  CHECK(rung_names(all.implementations()) ==
        Arguments{"base", "best", "cub", "peer_copy", "together", "nccl"});
  const std::string text = listing_text(all);
  CHECK_THAT(text, ContainsSubstring("emulated, cuda\n      Straw.\n      of i32; over devices\n"));
  CHECK(text.find("over devices") > text.find("  cub "));
  const auto json = nlohmann::json::parse(listing_json(all));
  for (const auto& one : json)
    CHECK(one.at("over_devices") ==
          (one.at("path").get<std::string>().find("/team/") != std::string::npos));
}

TEST_CASE(
    "a study over devices has its references beside it, is sound, and says how many times as fast "
    "it is") {
  Host host;
  const auto outcome = host.study(one_group_over + Arguments{"--devices", "4"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("n = 1,000, over 4 devices: timed on the GPU") &&
                              ContainsSubstring("\n  best (one device) "));
  const auto cells = host.cells();
  REQUIRE(rungs_of(cells) == Arguments{"best", "peer_copy over 4", "pair_of_two over 4",
                                       "together over 4", "std_team over 4"});
  CHECK(cells[0].minimum_bytes.written == 4);
  CHECK(cells[1].minimum_bytes.written == 16);
  CHECK(cells[2].reason() == "not written for i32");
  CHECK(cells[2].minimum_bytes.written == 16);  // as of the others over devices
  const reports::Timing &best = *cells[0].timing(), &copy = *cells[1].timing(),
                        &together = *cells[3].timing();
  CHECK(copy.ratios.vs_followed->value == Approx(100.0 / 50));
  CHECK(together.ratios.vs_one_device->value == Approx(100.0 / 25));
  CHECK(together.ratios.vs_fastest_library->value == Approx(40.0 / 25));
  CHECK_FALSE(best.ratios.vs_one_device);
  CHECK_FALSE(best.ratios.vs_fastest_library);
  CHECK(together.percent_of_ceiling.value() ==
        Approx(100 * together.bandwidth_gbps.median / (4 * 1)));
  const auto checked = host.run({"check", host.results()});
  INFO(checked.out);
  // its samples too: the file says of no sample on how many devices it was
  CHECK(checked.exit_code == 0);
  CHECK(host.begun().size() == 3 * 4);  // three processes
}

TEST_CASE(
    "with a launcher there is a process for each device, and what cannot run so is left out, with "
    "its reason, once") {
  Host host("2");  // here; with a launcher the devices may be elsewhere
  const auto outcome =
      host.study(one_group_over + Arguments{"--devices", "3", "--launcher", "env"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  // best: what peer_copy follows
  CHECK(rungs_of(host.cells()) ==
        Arguments{"best", "pair_of_two over 3", "together over 3", "std_team over 3"});
  CHECK_THAT(
      outcome.err,
      ContainsSubstring(
          "left out with --launcher: peer_copy; they read or write the memory of other devices"));
  CHECK(host.begun().size() == 3 * 3 * 3);  // rungs, processes, ranks
  const auto ids = host.worker_ids();
  CHECK(std::set(ids.begin(), ids.end()).size() == 3 * 3);
}

TEST_CASE("each device's own time is in the set, in each process that measured") {
  Host host;
  REQUIRE(host.study(one_group_over + Arguments{"--devices", "2"}).exit_code == 0);
  const auto cells = host.cells();
  // a reference
  for (const auto& one : cells[0].timing()->processes) CHECK(one.devices_us.empty());
  for (const auto& one : cells[1].timing()->processes) {
    REQUIRE(one.devices_us.size() == 2);
    CHECK(one.devices_us[0] == Approx(25 * (1 + 0.01 * one.process)));
    CHECK(one.devices_us[1] == Approx(50 * (1 + 0.01 * one.process)));
  }
  CHECK(host.run({"check", host.results()}).exit_code == 0);  // its samples too
}

TEST_CASE(
    "a set over devices names the GPUs that it is over, their links, and what lies between them, "
    "any other names one GPU") {
  Host host;
  REQUIRE(host.study(one_group_over + Arguments{"--devices", "2"}).exit_code == 0);
  const auto tells_of = [&](std::size_t further, std::size_t links, std::size_t ceilings,
                            std::size_t overheads) {
    const reports::Results set = host.read();
    CHECK(set.machine.further_gpus.size() == further);
    CHECK(set.machine.links.size() == links);
    CHECK(set.ceilings.size() == ceilings);
    CHECK(set.overheads.size() == overheads);
  };
  tells_of(1, 2, 2, 4);
  CHECK(host.read().machine.further_gpus[0].uuid == "straw 1");
  CHECK_THAT(text_of(host.results() / "report.md"),
             ContainsSubstring("each to each: peer access, native atomics") &&
                 ContainsSubstring("memory of another device") &&
                 ContainsSubstring("a flag to another device"));
  REQUIRE(host.study(one_group_over + Arguments{"--devices", "3"}).exit_code == 0);
  tells_of(2, 6, 2, 4);
  CHECK_THAT(text_of(host.results() / "report.md"),
             ContainsSubstring("1 to 2, 2 to 1: peer access, no native atomics"));
  REQUIRE(host.study(one_group_over + Arguments{"--devices", "2", "--launcher", "env"}).exit_code ==
          0);
  tells_of(0, 0, 1, 3);  // the others may be of other hosts
  REQUIRE(host.study({"--backend", "cuda", "--size", "1000", "--rung", "best"}).exit_code == 0);
  tells_of(0, 0, 1, 3);
}

TEST_CASE("shards over devices merge, each on GPUs of its own") {
  Host host;
  const Arguments options{"--backend", "cuda",   "--dtype",   "i32",       "--operator",
                          "sum",       "--size", "1000,2000", "--devices", "2"};
  REQUIRE(host.study(options + Arguments{"--shard", "1/9"}).exit_code == 0);
  host.environment["FAKE_CARD"] = "another";
  for (int shard = 2; shard <= 9; ++shard)  // the ninth is empty
    REQUIRE(host.study(options + Arguments{"--shard", std::to_string(shard) + "/9"}).exit_code ==
            0);
  const fs::path second = host.results() / "shard_2_of_9";
  auto set = reports::read(second / "results.json");
  set.machine.further_gpus[0].uuid = "the fourth";
  write_set(second / "results.json", set);
  Arguments merge{"merge", "--out", host.path("merged")};
  for (int shard = 1; shard <= 9; ++shard)
    merge.push_back(host.results() / ("shard_" + std::to_string(shard) + "_of_9"));
  const auto merged = host.run(merge);
  INFO(merged.err);
  REQUIRE(merged.exit_code == 0);
  const auto machine = reports::read(host.path("merged") / "results.json").machine;
  CHECK(machine.gpu->uuid.empty());
  CHECK(machine.further_gpus.at(0).uuid.empty());
  CHECK(host.run({"check", host.path("merged")}).exit_code == 0);
}

TEST_CASE("rows with a process for each device are other rows than those of one process") {
  Host host;
  const Arguments options = one_group_over + Arguments{"--devices", "2", "--rung", "together"},
                  launched = options + Arguments{"--launcher", "env"};
  const fs::path of_one = host.path("of_one"), of_two = host.path("of_two");
  REQUIRE(host.study(options).exit_code == 0);
  fs::rename(host.results(), of_one);
  REQUIRE(host.study(launched).exit_code == 0);
  for (const reports::Cell& cell : host.cells()) CHECK(cell.input.process_for_each_device);
  CHECK(host.study(options + Arguments{"--resume"}).exit_code == 2);
  fs::rename(host.results(), of_two);
  for (const fs::path& set : {of_one, of_two}) {
    const auto checked = host.run({"check", set});
    INFO(checked.out);
    CHECK(checked.exit_code == 0);
  }
  // With a launcher "together" follows "best", which is a reference then.
  CHECK_THAT(host.run({"compare", of_one, of_two}).out,
             ContainsSubstring("timed rows only in A: 1, only in B: 2"));
  const auto reproduce = [&](const fs::path& set, const Arguments& more = {}) {
    return host.run(Arguments{"reproduce", set, "--out", host.path("again"), "--restart"} + more);
  };
  CHECK_THAT(reproduce(of_two).err,
             ContainsSubstring(
                 "each device had a process of its own; add --launcher, such as --launcher env"));
  CHECK_THAT(reproduce(of_one, {"--launcher", "env"}).err,
             ContainsSubstring("one process had all devices; leave out --launcher"));
  CHECK(reproduce(of_one).exit_code == 2);  // a row alone has no ratio
}

TEST_CASE("a set with a process for each device is reproduced with a launcher") {
  Host host;
  REQUIRE(host.study(one_group_over + Arguments{"--devices", "2", "--launcher", "env"}).exit_code ==
          0);
  const auto outcome =
      host.run({"reproduce", host.results(), "--out", host.path("again"), "--launcher", "env"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  const auto again = reports::read(host.path("again") / "results.json").cells;
  CHECK(rungs_of(again) == Arguments{"best", "together over 2", "std_team over 2"});
  for (const reports::Cell& cell : again) CHECK(cell.input.process_for_each_device);
}

TEST_CASE(
    "references alone are reproduced in as many processes as the set had, and not where no row "
    "says how many") {
  Host host;
  REQUIRE(host.study({"--backend", "emulated", "--dtype", "i32", "--operator", "sum", "--size",
                      "1000", "--devices", "2", "--rung", "together", "--launcher", "env"})
              .exit_code == 0);
  fs::remove(host.path("log"));
  const Arguments reproduce{"reproduce", host.results(), "--out", host.path("again"),
                            "--restart", "--launcher",   "env"};
  const auto outcome = host.run(reproduce + Arguments{"--rung", "best"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(host.begun().size() == 2);
  CHECK(rungs_of(reports::read(host.path("again") / "results.json").cells) == Arguments{"best"});
  auto set = host.read();  // as a run leaves it that was interrupted after its first row
  std::erase_if(set.cells, [](const reports::Cell& cell) { return cell.input.devices > 0; });
  write_set(host.results() / "results.json", set);
  const auto refused = host.run(reproduce);
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("no row of the set says over how many devices it was"));
}

TEST_CASE("shards with a process for each device do not merge with shards of one process") {
  Host host;
  const Arguments options =
      one_group_over + Arguments{"--devices", "2", "--rung", "together", "--operator", "min"};
  REQUIRE(host.study(options + Arguments{"--shard", "1/2"}).exit_code == 0);
  REQUIRE(host.study(options + Arguments{"--shard", "2/2", "--launcher", "env"}).exit_code == 0);
  const auto merged = host.run({"merge", host.results() / "shard_1_of_2",
                                host.results() / "shard_2_of_2", "--out", host.path("merged")});
  CHECK(merged.exit_code == 2);
  CHECK_THAT(merged.err, ContainsSubstring("shards of one run have one plan"));
}

TEST_CASE("a rank that dies costs its cell, is named there, and the next cell starts anew") {
  Host host;
  host.environment["FAKE_RANK_DIES"] = "together";
  const auto outcome =
      host.study(one_group_over + Arguments{"--devices", "2", "--launcher", "env"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  for (const reports::Cell& cell : host.cells()) {
    INFO(cell.who.rung);
    if (cell.who.rung == "together") {
      CHECK(cell.verdict() == reports::Verdict::crashed);
      CHECK(cell.reason() == "rank 1 died: killed by signal 9 (Killed)");
    } else if (cell.who.rung != "pair_of_two") {
      CHECK(cell.passed());
    }
  }
  // the ranks that waited for it are gone too
  for (const pid_t id : host.worker_ids()) CHECK(kill(id, 0) != 0);
}

TEST_CASE("a rank that refuses a rung or loses its device costs that cell alone") {
  const auto [how, reason] =
      GENERATE(std::pair("FAKE_RANK_REFUSES", "rank 1: this cannot be asked of straw"),
               std::pair("FAKE_RANK_LOSES", "rank 1: an illegal address, says the straw"));
  Host host;
  host.environment[how] = "together";
  const auto outcome =
      host.study(one_group_over + Arguments{"--devices", "2", "--launcher", "env"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  for (const reports::Cell& cell : host.cells()) {
    INFO(cell.who.rung);
    if (cell.who.rung == "together") CHECK(cell.reason() == reason);
    else if (cell.who.rung != "pair_of_two") CHECK(cell.passed());
  }
  for (const pid_t id : host.worker_ids()) CHECK(kill(id, 0) != 0);
}

TEST_CASE("a launcher that speaks before the worker does costs the cells, not the run") {
  Host host;
  const fs::path babbler = host.script("echo '{\"a\":1}'; exec \"$@\"");
  const auto outcome =
      host.study(one_group_over + Arguments{"--devices", "2", "--launcher", babbler});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  for (const reports::Cell& cell : host.cells())
    if (cell.who.rung == "together")
      CHECK_THAT(cell.reason(),
                 ContainsSubstring("does not name the group that it began, but said {\"a\":1}"));
}

TEST_CASE(
    "a launcher that starts nothing is told of once, with how it ended, before anything is run") {
  Host host;
  const auto refused = [&](const std::string& launcher, const std::string& reason) {
    const auto outcome = host.study(
        one_group_over + Arguments{"--devices", "2", "--rung", "together", "--launcher", launcher});
    const std::string sentence = "ladder: --launcher: \"" + launcher +
                                 "\" does not start worker_cuda, so nothing was run: " + reason +
                                 '\n';
    CHECK_THAT(outcome.err, Catch::Matchers::EndsWith("belong to other processes\n" + sentence));
    CHECK(outcome.exit_code == 2);
    CHECK(!fs::exists(host.results()));
  };
  refused("false", "it ended (exit code 1)");
  refused(host.script("kill -KILL $$"), "it ended (killed by signal 9 (Killed))");
  refused("/nowhere/mpirun -n 1", "cannot start /nowhere/mpirun: No such file or directory");
  refused(host.script("read -r request; echo hello"),
          "worker_cuda sent a line that is not a reply: \"hello\"");
}

TEST_CASE("a launcher that starts one worker and fails later costs its cells") {
  Host host;
  const fs::path once = host.script("mkdir " + host.path("started").string() + " && exec \"$@\"");
  const auto outcome = host.study(
      one_group_over + Arguments{"--devices", "2", "--rung", "together", "--launcher", once});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  for (const reports::Cell& cell : host.cells())
    CHECK_THAT(cell.reason(), ContainsSubstring("ended: exit code 1"));
}

// Orphans become children of this process, so that it learns which signal ended each. One that
// nothing has ended is ended here.
TEST_CASE(
    "what launchers start beside workers does not outlive the run, also where a rung is given up "
    "or Ctrl-C ends it") {
  const bool is_interrupted = GENERATE(false, true);
  Host host;
  host.environment["FAKE_RANK_HANGS"] = "together";
  const fs::path launcher = host.script("sleep infinity <&- >&- 2>&- & echo $! >>" +
                                        host.path("beside").string() + "; exec \"$@\"");
  Arguments words{"run", "--out",      host.results(), "--backend", "emulated", "--dtype",
                  "i32", "--operator", "sum",          "--size",    "1000"};
  words = words + Arguments{"--rung",    "together", "--devices",  "2",
                            "--timeout", "7",        "--launcher", launcher};
  if (!is_interrupted) {
    host.environment["FAKE_SILENCE"] = host.path("silent");
    fs::create_directory(host.path("silent"));
  }
  REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  const pid_t driver = host.start(words);
  if (is_interrupted) {
    host.wait_until(driver, [&] { return contains(text_of(host.path("log")), "together"); });
    kill(driver, SIGINT);
  }
  const auto outcome = host.wait(driver);
  INFO(outcome.err);
  CHECK(outcome.exit_code == (is_interrupted ? 130 : 1));
  std::ifstream beside(host.path("beside"));
  unsigned count = 0;
  for (pid_t one = 0; beside >> one; ++count) {
    kill(one, SIGUSR1);
    int status = 0;
    REQUIRE(waitpid(one, &status, 0) == one);
    CHECK(WTERMSIG(status) == SIGTERM);
  }
  REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 0) == 0);
  CHECK(count >= 3);  // the first is of the trial
}

TEST_CASE("a rank that hangs costs its cell within the timeout, and is named there") {
  Host host;
  host.environment["FAKE_RANK_HANGS"] = "together";
  host.environment["FAKE_SILENCE"] = host.path("silent");
  fs::create_directory(host.path("silent"));
  const auto outcome = host.study(
      one_group_over + Arguments{"--devices", "2", "--launcher", "env", "--timeout", "7"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  for (const reports::Cell& cell : host.cells()) {
    INFO(cell.who.rung);
    if (cell.who.rung == "together") {
      CHECK(cell.verdict() == reports::Verdict::timeout);
      CHECK(cell.reason() == "rank 1 did not answer within 7 s");
    } else if (cell.who.rung != "pair_of_two") {
      CHECK(cell.passed());
    }
  }
  for (const pid_t id : host.worker_ids()) CHECK(kill(id, 0) != 0);
}

TEST_CASE("two numbers of devices are two inputs, and their references are one") {
  Host host;
  REQUIRE(host.study(one_group_over + Arguments{"--devices", "2"}).exit_code == 0);
  fs::rename(host.results(), host.path("over_two"));
  REQUIRE(host.study(one_group_over + Arguments{"--devices", "4"}).exit_code == 0);
  CHECK_THAT(host.run({"compare", host.path("over_two"), host.results()}).out,
             ContainsSubstring("timed rows only in A: 3, only in B: 3"));
  CHECK(host.run({"report", host.path("over_two"), host.results(), "--out", host.path("both")})
            .exit_code == 0);
}

TEST_CASE(
    "without --devices a set has no word of devices, and its rungs none that is over devices") {
  Host host;
  REQUIRE(host.study({"--backend", "cuda,emulated", "--dtype", "i32", "--operator", "sum", "--size",
                      "1000", "--rung", "base,better,best,std_fast,std_team,peer_copy"})
              .exit_code == 0);
  for (const char* file : {"results.json", "report.md", "report.html"}) {
    std::string text = text_of(host.results() / file);
    if (std::string_view(file).ends_with(".html")) text = reports::report_in(text).dump();
    for (const char* word : {"devices\"", "over devices", "one_device", "peer_load"}) {
      INFO(file << ": " << word);
      CHECK_FALSE(contains(text, word));
    }
  }
  // counted; timed under two contracts, cold and warm
  CHECK(rungs_of(host.cells()).size() == (4 + 4 * 4));
}

TEST_CASE("what --devices cannot have is said in one sentence, with exit code 2") {
  Host host;
  const auto refused = [&](const Arguments& words, const std::string& sentence) {
    const auto outcome = host.study(words);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(sentence));
  };
  for (const char* word : {"0", "65", "-1", "two", "", "2,4"})
    refused({"--devices", word}, "--devices: \"" + std::string(word) +
                                     "\" is not a number of devices from 1 to 64, nor all");
  refused({"--devices", "5", "--backend", "cuda"},
          "the cuda backend has 4 devices here, and --devices asks for 5");
  refused({"--launcher", "env"}, "--launcher starts a process for each device; add --devices");
  refused({"--devices", "2", "--launcher", " "}, "--launcher: an empty word starts nothing");
  refused({"--devices", "2", "--launcher", "\t"}, "--launcher: an empty word starts nothing");
  refused({"--shards", "2", "--launcher", "env"},
          "--launcher needs --devices, which does not go with --shards");
  refused({"--rung", "together"},
          "--rung: together takes data over devices; add --devices, such as --devices 2");
  refused({"--devices", "2", "--rung", "base"}, "no rung that runs here fits");
  const auto all = host.study(one_group_over + Arguments{"--devices", "all"});
  CHECK(all.exit_code == 0);
  CHECK(rungs_of(host.cells()).back() == "std_team over 4");
  fs::remove(host.path("workers/worker_cuda"));
  refused({"--devices", "all"}, "--devices: all needs GPUs, and cuda does not run here");
}

TEST_CASE(
    "a backend with too few devices that was asked for by name is told of, and the others run") {
  Host host;
  const auto outcome = host.study({"--backend", "host,emulated", "--devices", "2", "--dtype", "i32",
                                   "--operator", "sum", "--size", "1000"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.err,
             ContainsSubstring("the host backend has 1 device here, and --devices asks for 2"));
  for (const reports::Cell& cell : host.cells())
    CHECK(cell.how.backend == reports::Backend::emulated);
  CHECK(host.study({"--devices", "2", "--dtype", "i32", "--operator", "sum", "--size", "1000"})
            .err.find("host") == std::string::npos);
}

TEST_CASE(
    "an interrupted study over devices is gone on with, and with another number it is another "
    "study") {
  Host host;
  const Arguments options = one_group_over + Arguments{"--devices", "4"};
  REQUIRE(host.study(options).exit_code == 0);
  const auto whole = nlohmann::json(host.cells());
  fs::remove_all(host.results());
  fs::remove(host.path("log"));
  const pid_t driver = host.start(Arguments{"run", "--out", host.results()} + options);
  host.wait_until_begun(driver, 6);  // in its second process
  host.kill_and_wait(driver);
  const auto other = host.study(one_group_over + Arguments{"--devices", "2", "--resume"});
  CHECK(other.exit_code == 2);
  const auto resumed = host.study(options + Arguments{"--resume"});
  INFO(resumed.err);
  REQUIRE(resumed.exit_code == 0);
  CHECK(nlohmann::json(host.cells()) == whole);
}

TEST_CASE("a study with a launcher is gone on with by that launcher alone") {
  Host host;
  const Arguments options = one_group_over + Arguments{"--devices", "2"};
  const pid_t driver = host.start(Arguments{"run", "--out", host.results()} + options +
                                  Arguments{"--launcher", "env"});
  host.wait_until_begun(driver, 6);  // in its second process
  host.kill_and_wait(driver);
  for (const Arguments& launcher :
       {Arguments{"--launcher", "nice"}, Arguments{"--launcher", "env env"}}) {
    const auto other = host.study(options + launcher + Arguments{"--resume"});
    CHECK_THAT(other.err, ContainsSubstring("belongs to another run (other options, "));
    CHECK(other.exit_code == 2);
  }
  const auto resumed = host.study(options + Arguments{"--launcher", " env", "--resume"});
  INFO(resumed.err);
  CHECK(resumed.exit_code == 0);
}

TEST_CASE(
    "shards of a study over devices merge to the whole: references are of the group that they are "
    "beside") {
  Host host;
  const Arguments options{"--backend", "cuda,emulated", "--dtype",   "i32,f64",   "--operator",
                          "sum",       "--size",        "1000,2000", "--devices", "2"};
  REQUIRE(host.study(options).exit_code == 0);
  const auto whole = host.cells();
  CHECK(std::ranges::count(whole, 0U,
                           [](const reports::Cell& cell) { return cell.input.devices; }) > 0);
  Arguments merge{"merge", "--out", host.path("merged")};
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    REQUIRE(host.study(options + Arguments{"--shard", shard}).exit_code == 0);
    merge.push_back(host.results() / ("shard_" + std::string(shard, 1) + "_of_3"));
  }
  const auto merged = host.run(merge);
  INFO(merged.err);
  REQUIRE(merged.exit_code == 0);
  nlohmann::json cells = reports::read(host.path("merged") / "results.json").cells;
  for (auto& cell : cells) cell.erase("shard");
  CHECK(cells == nlohmann::json(whole));
  CHECK(host.run({"check", host.path("merged")}).exit_code == 0);
}

TEST_CASE(
    "a set over devices is reproduced with its references, and on a machine with fewer devices it "
    "is said why not") {
  Host host;
  REQUIRE(host.study({"--backend", "cuda,emulated", "--devices", "4", "--dtype", "i32",
                      "--operator", "sum", "--size", "1000"})
              .exit_code == 0);
  const auto cells = host.cells();
  const auto reproduce = [&](const Arguments& more = {}) {
    return host.run(
        Arguments{"reproduce", host.results(), "--out", host.path("again"), "--restart"} + more);
  };
  const auto outcome = reproduce();
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  auto again = reports::read(host.path("again") / "results.json").cells;
  std::multiset<std::string> before, after;
  for (const auto& [of, all] : {std::pair(&cells, &before), {&again, &after}})
    for (const reports::Cell& cell : *of)
      if (cell.passed()) all->insert(nlohmann::json(cell.key()).dump());
  CHECK(before == after);
  reproduce({"--rung", "together"});
  CHECK(rungs_of(reports::read(host.path("again") / "results.json").cells) ==
        Arguments{"best", "together over 4", "std_team over 4", "best", "together over 4",
                  "std_team over 4",
                  // timed
                  // twice,
                  // counted
                  // once
                  "together over 4"});
  host.environment["FAKE_DEVICES"] = "2";
  CHECK_THAT(reproduce({"--rung", "together"}).err, ContainsSubstring("has 2 devices here"));
}

TEST_CASE(
    "check-kernels gives rungs over devices one device, two and three, and others the one that "
    "they know") {
  Host host("3");
  const auto asked = [&](const Arguments& words) {
    fs::remove(host.path("log"));
    const auto outcome = host.run(Arguments{"check-kernels", "--seeds", "1"} + words);
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_code == 0);
    return text_of(host.path("log"));
  };
  CHECK(lines_in_any_order(asked({"--rung", "together", "--size", "7"})) ==
        lines_in_any_order("sum i32 7 random 0 2 on 8 over 1\nsum i32 7 random 0 2 on 8 over "
                           "2\nsum i32 7 random 0 2 on 8 over 3\n"));
  CHECK(asked({"--rung", "together", "--size", "7", "--devices", "2"}) ==
        "sum i32 7 random 0 2 on 8 over 2\n");
  CHECK(asked({"--rung", "best", "--size", "7", "--devices", "2"}) ==
        "sum i32 7 random 0 2 on 8\n");
  const std::string usual = asked({"--rung", "together"});
  for (const char* few :
       {"sum i32 0 random 0 2 on 8 over 3\n", "sum i32 1 random 0 2 on 8 over 2\n",
        "sum i32 2 random 0 2 on 8 over 3\n"})
    CHECK(contains(usual, few));
  CHECK(contains(usual, "sum f64 1025 random 0 2 on 2 over 3\n"));
  CHECK_FALSE(contains(usual, "on 2 over 2"));  // variations are over the most
  const auto refused = host.run({"check-kernels", "--devices", "4"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err ==
        "ladder: the emulated backend has 3 devices here, and --devices asks for 4\n");
}
