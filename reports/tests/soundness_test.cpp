// Each rule of a sound set, broken once; and files made to harm.
#include "reports/soundness/soundness.hpp"

#include <filesystem>
#include <functional>
#include <utility>

#include "compare/tests/catch.hpp"
#include "reports/file/result_file.hpp"
#include "reports/file/schema.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/compare_sets.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/metrics.hpp"
#include "reports/soundness/merged_shards.hpp"
#include "reports/tests/sample.hpp"
#include "reports/words/names.hpp"

using namespace ladder::reports;
using nlohmann::json;

namespace {

// The cells of sound().
enum : std::size_t { first, second, library, serial, racy, none, brief, brief_library };

Results sound() {
  Results r = of_gpu();
  r.rungs = {rung_of("global_two_pass"), rung_of("shared_two_pass", "global_two_pass")};
  Cell lost = without(emulated_cell("racy"), Verdict::expected_wrong, "");
  lost.outcome = Failure{Verdict::expected_wrong, "", 7};
  std::vector<Cell> cells{gpu_cell("handwritten", "global_two_pass", 1500),
                          gpu_cell("handwritten", "shared_two_pass", 400),
                          gpu_cell("cub", "cub", 261),
                          emulated_cell("serial"),
                          lost,
                          without(emulated_cell("none"), Verdict::skipped, "takes minutes"),
                          for_size(gpu_cell("handwritten", "shared_two_pass", 5), 1024),
                          for_size(gpu_cell("cub", "cub", 4), 1024)};
  for (const auto i : {brief, brief_library})
    for (ProcessMedian& one : timing_of(cells[i]).processes)
      one.back_to_back_us = one.time_us * (i == brief ? 0.4 : 0.6);
  return with_cells(r, cells);
}

json document(const Results& results) {
  json d = results;
  d["run"]["id"] = content_id(results);
  return d;
}

bool says(const std::vector<Flaw>& problems, const std::string& where, const std::string& what) {
  return std::any_of(problems.begin(), problems.end(), [&](const Flaw& problem) {
    return problem.where.starts_with(where) && problem.what.find(what) != std::string::npos;
  });
}

// The same of two cards: the second took the small input, and its memory is half as fast.
Results merged() {
  Results r = sound();
  MergedShard one{"sha256:1", r.run.date, "./ladder run --shard 1/2", r.machine}, two = one;
  two.machine.gpu->uuid = "GPU-2";
  r.merged = {one, two};
  r.machine = common_machine(r.merged);
  for (Cell& c : r.cells) c.shard = c.input.n == 1024 ? 2 : 1;
  const auto of_both = [](auto& all) {
    const auto half = all.size();
    for (std::size_t i = 0; i < half; ++i)
      all[i].shard = 1, all.push_back(all[i]), all.back().shard = 2;
  };
  of_both(r.ceilings), of_both(r.overheads);
  r.ceilings[1].bandwidth_gbps /= 2;
  derive(r);
  return r;
}

std::string all_of(const std::vector<Flaw>& problems) {
  std::string text;
  for (const Flaw& problem : problems) text += problem.where + ": " + problem.what + '\n';
  return text;
}

struct Broken {
  std::string where, what;
  std::function<void(Results&)> change;
};

Broken cell(std::size_t which, const std::string& what, const std::function<void(Cell&)>& change) {
  return {"/cells/" + std::to_string(which) + " (", what,
          [=](Results& r) { change(r.cells[which]); }};
}

void check_each(const std::vector<Broken>& rules, const Results& good = sound()) {
  for (const Broken& rule : rules) {
    Results results = good;
    rule.change(results);
    const Soundness found = soundness(results);
    INFO(rule.what << "\nwas not said, but\n" << all_of(found.errors));
    CHECK(says(found.errors, rule.where, rule.what));
    CHECK_FALSE(found.sound());
  }
}

}  // namespace

TEST_CASE("a sound set has no error and no warning") {
  const Soundness found = soundness(document(sound()));
  INFO(all_of(found.errors) << all_of(found.warnings));
  CHECK(found.sound());
  CHECK(found.warnings.empty());
  CHECK(found.rows == 8);
}

TEST_CASE("what this repository publishes is sound", "[published]") {
  std::size_t sets = 0;
  const std::filesystem::path published =
      std::filesystem::path(REPOSITORY) / "reports" / "published";
  for (const auto& file : std::filesystem::recursive_directory_iterator(published)) {
    if (file.path().filename() != "results.json.bz2") continue;
    const Soundness found = soundness(read_document(file.path()));
    INFO(file.path() << '\n' << all_of(found.errors) << all_of(found.warnings));
    CHECK(found.sound());
    // the others stand beside it
    if (file.path().parent_path().parent_path() == published) CHECK(found.warnings.empty());
    ++sets;
  }
  CHECK(sets > 0);
}

TEST_CASE("the schema comes first, and the id is of the content") {
  json d = document(sound());
  d["cells"][0]["input"]["n"] = -1;
  const Soundness misshapen = soundness(d);
  REQUIRE(misshapen.errors.size() == 1);
  CHECK_FALSE(misshapen.fits_schema);
  CHECK(says(misshapen.errors, "the schema", "/cells/0/input/n (-1) does not fit"));

  d = document(sound());
  d["cells"][none]["measured"] = d["cells"][first]["measured"];
  CHECK(says(soundness(d).errors, "the schema",
             "/cells/5 has the verdict skipped and there are numbers"));

  d = document(sound());
  d["run"]["command"] = "./ladder run --preset full --seed 2";
  const Soundness changed = soundness(d);
  REQUIRE(changed.errors.size() == 1);
  CHECK(says(changed.errors, "/run/id", "it is not the hash of the content"));
}

TEST_CASE("what makes a set unfit to publish is a warning") {
  Results r = sound();
  r.run.dirty = true, r.run.complete = false, r.run.commit = "unknown";
  r.ceilings.push_back({Backend::cuda, Access::write, Memory::dram, 1, 4900});
  const Soundness found = soundness(r);
  INFO(all_of(found.errors));
  CHECK(found.sound());
  CHECK(found.warnings.size() == 4);
  for (const char* where : {"/run/dirty", "/run/complete", "/run/commit", "/ceilings/1"})
    CHECK(says(found.warnings, where, ""));
  r.cells.clear();
  CHECK(says(soundness(r).warnings, "/cells", "there are none"));
}

TEST_CASE("kernels from elsewhere are a warning, and each of them names their folder") {
  Results r = sound();
  r.kernels = Kernels{"theirs", "unknown", true};
  r.rungs[0].from = "theirs";
  const Soundness found = soundness(r);
  INFO(all_of(found.errors));
  CHECK(found.sound());
  CHECK(found.warnings.size() == 3);
  CHECK(says(found.warnings, "/kernels", "some kernels are of theirs, not of this project"));
  for (const char* where : {"/kernels/commit", "/kernels/dirty"})
    CHECK(says(found.warnings, where, ""));
  check_each({{"/rungs/0/from", "it is not the folder of /kernels",
               [](Results& one) { one.rungs[0].from = "theirs"; }},
              {"/rungs/0/from", "it is not the folder of /kernels", [](Results& one) {
                 one.rungs[0].from = "theirs";
                 one.kernels = Kernels{"others", "unknown", false};
               }}});
}

TEST_CASE("rules of the run and its machine") {
  check_each({{"/run/samples", "no samples of them", [](Results& r) { r.run.samples.reset(); }},
              {"/machine/gpu/datasheet_gbps", "memory clock and bus width make 4814.304",
               [](Results& r) { r.machine.gpu->datasheet_gbps = 4900; }},
              {"/machine/gpu/datasheet_gbps", "memory clock and bus width make",
               [](Results& r) { r.machine.gpu->memory_clock_mhz = 1e308; }},
              {"/cells/8 (", "has the same identity as /cells/0",
               [](Results& r) { r.cells.push_back(r.cells[first]); }}});
}

TEST_CASE("a set has what its rows need") {
  const auto without_a_gpu = [](Results& r) {
    r.machine.gpu.reset();
    derive(r);
  };
  check_each({{"/machine/gpu", "it is null, and there are numbers of a GPU", without_a_gpu},
              {"/run/efforts", "there are times of the cuda backend, and no rule",
               [](Results& r) { r.run.efforts.clear(); }},
              {"/run/efforts", "there are times of the cuda backend, and no rule",
               [](Results& r) { r.run.efforts[0].backend = Backend::host; }},
              {"/ceilings", "there are times of the cuda backend, and no ceiling",
               [](Results& r) {
                 r.ceilings.clear();
                 derive(r);
               }},
              {"/cells/0 (", "its ceiling is not among /ceilings",
               [](Results& r) {
                 r.ceilings[0].access = Access::copy;
                 derive(r);
               }},
              {"/overheads", "there are times of the cuda backend, and not each of its overheads",
               [](Results& r) { r.overheads.clear(); }},
              {"/overheads", "not each of its overheads",
               [](Results& r) { r.overheads.erase(r.overheads.begin()); }},
              {"/overheads", "not each of its overheads",
               [](Results& r) { r.overheads[1].contract = Contract::host_result; }}});
  Results r = sound();
  r.ceilings.clear(), r.overheads.clear();  // the worker could not measure them
  derive(r);
  const Soundness found = soundness(r);
  CHECK(found.sound());
  CHECK(says(found.warnings, "/ceilings",
             "the cuda backend could not measure its ceilings and overheads"));

  r = with_cells(sound(), {emulated_cell("serial")});  // counts need none of them
  r.machine.gpu.reset(), r.run.efforts.clear(), r.ceilings.clear(), r.overheads.clear(),
      r.run.samples.reset();
  CHECK(soundness(r).sound());
  CHECK(soundness(r).warnings.empty());
}

TEST_CASE("nothing is described twice") {
  check_each(
      {{"/operations/1", "it is listed twice",
        [](Results& r) { r.operations.push_back(r.operations[0]); }},
       {"/rungs/6", "it is listed twice", [](Results& r) { r.rungs.push_back(r.rungs[0]); }},
       {"/sources/1", "it is listed twice",
        [](Results& r) {
          r.sources = {{"a.cu", ""}, {"a.cu", ""}};
        }},
       {"/rungs/1", "its file is not among /sources", [](Results& r) { r.rungs[1].file = "a.cu"; }},
       {"/ceilings/1", "it is listed twice",
        [](Results& r) {
          r.ceilings.push_back({Backend::cuda, Access::read, Memory::dram, 1, 1});
        }},
       {"/overheads/3", "it is listed twice",
        [](Results& r) { r.overheads.push_back(r.overheads[0]); }}});
}

TEST_CASE(
    "a merged set is of one kind of machine, each group on one card, and each row against the "
    "ceiling of its own") {
  const Soundness found = soundness(document(merged()));
  INFO(all_of(found.errors) << all_of(found.warnings));
  CHECK(found.sound());
  CHECK(found.warnings.empty());
  const auto percent = [](const Results& r) {
    return r.cells[brief].timing()->percent_of_ceiling.value();
  };
  CHECK(percent(merged()) == Approx(2 * percent(sound())));
  CHECK(merged().machine.gpu->uuid.empty());

  const auto of_shard_2 = [](const auto& one) { return one.shard == 2; };
  check_each(
      {cell(brief_library, "other rows of its group are in another shard",
            [](Cell& c) { c.shard = 1; }),
       {"/cells/6 (", "percent_of_ceiling is ",
        [](Results& r) { std::swap(r.ceilings[0].bandwidth_gbps, r.ceilings[1].bandwidth_gbps); }},
       {"/ceilings", "there are times of the cuda backend, and no ceiling",
        [&](Results& r) { std::erase_if(r.ceilings, of_shard_2); }},
       {"/overheads", "not each of its overheads",
        [&](Results& r) { std::erase_if(r.overheads, of_shard_2); }},
       {"/cells/6 (", "its ceiling is not among /ceilings",
        [](Results& r) { r.ceilings[1].access = Access::copy, derive(r); }},
       {"/ceilings/1", "it is listed twice", [](Results& r) { r.ceilings[1].shard = 1; }},
       {"/overheads/3", "it is listed twice", [](Results& r) { r.overheads[3].shard = 1; }},
       {"/machine", "it is not what the machines of the shards have in common",
        [](Results& r) { r.machine.gpu->uuid = "GPU-2"; }},
       {"/machine", "it is not what the machines of the shards have in common",
        [](Results& r) { r.machine.gpu->before.power_w = 1; }},
       {"/machine", "it is not what the machines of the shards have in common",
        [](Results& r) { r.machine.cpu = "Another"; }},
       {"/merged/1/machine", "it is of another kind",
        [](Results& r) { r.merged[1].machine.gpu->name = "Another"; }},
       {"/merged/1/machine", "it is of another kind",
        [](Results& r) { r.merged[1].machine.gpu.reset(); }},
       {"/merged/1/machine", "it is of another kind",
        [](Results& r) { r.merged[1].machine.cores = 1; }}},
      merged());

  Results r = merged();
  r.merged[1].machine.gpu->uuid = r.merged[0].machine.gpu->uuid;  // one card for both
  r.machine = common_machine(r.merged);
  CHECK(r.machine.gpu->uuid == "GPU-1");
  CHECK(soundness(r).sound());
  CHECK(shards_in_words(r) == "2 shards on 1 GPU");

  Results shard = sound();
  shard.shard = Shard{2, 7, 9, "sha256:" + std::string(64, 'a')};
  CHECK(soundness(document(shard)).sound());
  CHECK(says(soundness(shard).warnings, "/shard",
             "it is shard 2 of 7: the rows of the other shards are missing"));
}

TEST_CASE("what must be read and written follows from the operation's declaration") {
  const auto bytes = [](std::size_t which, std::uint64_t read, std::uint64_t written,
                        const std::string& what) {
    return cell(which, what, [=](Cell& c) { c.minimum_bytes = {read, written}; });
  };
  const std::string reduce = "its operation reads 1073741824 and writes 4";
  check_each({bytes(second, 4, 4, "minimum_bytes is 4 and 4, " + reduce),
              bytes(first, 1 << 30, 8, reduce),
              bytes(first, 0, 0, reduce),
              bytes(none, 4, 4, "its operation reads 262144 and writes 4"),
              {"/cells/0 (", "reads 2147483648 and writes 4",
               [](Results& r) { r.operations[0].inputs = 2; }},
              {"/cells/0 (", "reads 1073741824 and writes 1073741824",
               [](Results& r) { r.operations[0].output = Output::one_per_element; }}});
  Results r = sound();
  r.cells[none].minimum_bytes = {};  // it got nowhere
  CHECK(soundness(r).sound());

  const auto of = [](Output output, unsigned inputs, const char* dtype,
                     std::optional<unsigned> bins) {
    return minimum_bytes({.name = "an operation", .inputs = inputs, .output = output},
                         {"an operation", {}, dtype, 1000, "random", bins});
  };
  CHECK(of(Output::one_result, 1, "i32", {}) == Bytes{4000, 4});
  const Operation one{.name = "an operation", .inputs = 1, .output = Output::one_result};
  // not 4,000
  CHECK(minimum_bytes(one, {"an operation", {}, "i32", (1ULL << 62) + 1000, "random", {}}).read ==
        ~0ULL);
  CHECK(of(Output::one_result, 2, "f64", {}) == Bytes{16'000, 8});
  CHECK(of(Output::one_per_element, 1, "i64", {}) == Bytes{8000, 8000});
  CHECK(of(Output::one_per_bin, 1, "i32", 10) == Bytes{4000, 40});
  CHECK(of(Output::one_per_bin, 1, "u8", 10) == Bytes{1000, 40});
  const Operation counting{
      .name = "an operation", .output = Output::one_per_bin, .most_bins = 1000};
  CHECK(most_bins(counting, "i32") == 1000);
  CHECK(most_bins(counting, "u8") == 256);
  CHECK(most_bins({.name = "an operation", .most_bins = 10}, "u8") == 10);
}

TEST_CASE("what passed has a number") {
  const auto nothing = [](Cell& c) { measured(c).timing.reset(), measured(c).counters.reset(); };
  check_each({cell(first, "the verdict is pass, and there is no time", nothing),
              cell(first, "the verdict is pass, and there is no time",
                   [](Cell& c) {
                     measured(c).timing.reset();
                     measured(c).counters.emplace().blocks = 1;
                   }),
              cell(serial, "the verdict is pass, and nothing was counted", nothing)});
}

TEST_CASE("every row is of an operation and a rung that the set describes") {
  check_each({{"/cells/0 (", "its operation is not among /operations",
               [](Results& r) { r.operations.clear(); }},
              {"/cells/3 (", "its operation is not among /operations",
               [](Results& r) { r.cells[serial].input.operation = "scan"; }},
              {"/cells/3 (", "its rung is not among /rungs",
               [](Results& r) { r.cells[serial].who.rung = "another"; }},
              {"/cells/2 (", "its rung is not among /rungs",
               [](Results& r) { r.cells[library].who.provider = "thrust"; }},
              {"/cells/5 (", "its rung is not among /rungs", [](Results& r) {
                 std::erase_if(r.rungs, [](const Rung& c) { return c.rung == "none"; });
               }}});
}

TEST_CASE("rules of verdicts: without a pass there is a reason") {
  const auto failed = [](Verdict verdict, const char* reason,
                         std::optional<std::uint64_t> lost_counts) {
    return [=](Cell& c) { c.outcome = Failure{verdict, reason, lost_counts}; };
  };
  check_each(
      {cell(none, "the verdict is skipped and nothing says why", failed(Verdict::skipped, "", {})),
       cell(racy, "the verdict is expected_wrong and nothing says why",
            failed(Verdict::expected_wrong, "", {})),
       cell(racy, "more counts are lost than there are elements",
            failed(Verdict::expected_wrong, "", (1 << 16) + 1)),
       cell(serial, "counts are lost and the verdict is fail", failed(Verdict::fail, "wrong", 1))});
  Results r = sound();
  failed(Verdict::expected_wrong, "the last writer wins", {})(r.cells[racy]);
  CHECK(soundness(r).sound());
}

TEST_CASE("what passed is within its bound, and its errors agree") {
  const auto error = [](const std::string& what, const std::optional<Error>& claimed,
                        const char* dtype = "f32") {
    return cell(serial, what, [=](Cell& c) { c.input.dtype = dtype, measured(c).error = claimed; });
  };
  check_each(
      {error("the verdict is pass, and there is no error", {}),
       error("the error is 2 times its bound and the verdict is pass", Error{9.0, 1e-6, 1.0, 2.0}),
       error("the bound is 0, the error is not, and the verdict is pass",
             Error{9.0, 1e-6, 0.0, {}}),
       error("the bound is 0, the error is not, and the verdict is pass", Error{0.0, 0.5, 0.0, {}}),
       error("the bound is 0, the error is not, and the verdict is pass", Error{{}, {}, 0.0, {}}),
       error("of_bound must be there exactly where the bound is above 0",
             Error{0.0, 0.0, 0.0, 0.0}),
       error("of_bound must be there exactly where the bound is above 0", Error{1e9, 1e3, 2.0, {}}),
       error("of_bound must be there exactly where the bound is above 0", Error{1.0, 0.5, {}, 0.5}),
       error("one of its errors is 0, and another is not", Error{0.0, 0.0, 1.0, 0.9}),
       error("one of its errors is 0, and another is not", Error{2.0, 1e-7, 1.0, 0.0}),
       error("one of its errors is 0, and another is not", Error{0.0, 0.5, 1.0, 0.0}),
       error("integers are right to the bit, and there is another bound",
             Error{1e6, 0.5, 1e9, 0.001}, "i32"),
       error("integers are right to the bit, and there is another bound", Error{1e6, 0.5, {}, {}},
             "i64"),
       error("its numbers call for the flag unbounded", Error{1.0, 0.5, {}, {}}),
       cell(serial, "its numbers do not call for the flag unbounded",
            [](Cell& c) { c.flags = {"unbounded"}; }),
       cell(none, "its numbers do not call for the flag unbounded",
            [](Cell& c) { c.flags = {"unbounded"}; })});
  Results r = sound();
  // relative to 0 it is not finite
  r.cells[serial].input.dtype = "f32", measured(r.cells[serial]).error = Error{9.0, {}, 1.0, 0.5};
  CHECK(soundness(r).sound());
}

TEST_CASE("a row is of an operator and of bins that its operation declares") {
  const auto input = [](const std::string& what, const std::function<void(Input&)>& change) {
    return cell(serial, what, [=](Cell& c) { change(c.input); });
  };
  const std::string op = "its operation does not declare its operator",
                    bins = "its operation does not declare as many bins";
  const auto as_histogram = [](Results& r) {
    r.operations.push_back(
        {.name = "histogram", .place = 9, .output = Output::one_per_bin, .most_bins = 256});
    r.rungs.push_back(rung_of("serial", "", "handwritten", "histogram"));
    Cell& c = r.cells[serial];
    c.input.operation = "histogram", c.input.op.reset(), c.input.bins = 256,
    c.minimum_bytes.written = 1024;
  };
  check_each(
      {input(op, [](Input& i) { i.op = "average"; }),
       input(op, [](Input& i) { i.op.reset(); }),
       input(bins, [](Input& i) { i.bins = 256; }),
       {"/cells/3 (", op, [&](Results& r) { as_histogram(r), r.cells[serial].input.op = "sum"; }},
       {"/cells/3 (", bins,
        [&](Results& r) { as_histogram(r), r.cells[serial].input.bins.reset(); }},
       {"/cells/3 (", bins,
        [&](Results& r) { as_histogram(r), r.cells[serial].input.bins = 257; }}});
  Results r = sound();
  as_histogram(r);
  CHECK(all_of(soundness(r).errors).empty());
}

TEST_CASE("rules of times") {
  const auto time = [](const std::string& what, const std::function<void(Time&)>& change) {
    return cell(first, what, [=](Cell& c) { change(timing_of(c).time_us); });
  };
  const auto processes = [](const std::string& what,
                            const std::function<void(std::vector<ProcessMedian>&)>& change) {
    return cell(first, what, [=](Cell& c) { change(timing_of(c).processes); });
  };
  check_each(
      {cell(first, "has a time without saying what it includes",
            [](Cell& c) { c.how.cache.reset(); }),
       cell(first, "has a time without saying what it includes",
            [](Cell& c) { c.how.contract.reset(); }),
       cell(first, "device_result is GPU time", [](Cell& c) { c.how.backend = Backend::host; }),
       cell(serial, "claims a time on the emulated backend",
            [](Cell& c) { measured(c).timing = *sound().cells[first].timing(); }),
       time("ci95_low is 1600, above median, 1500", [](Time& t) { t.ci95_low = 1600; }),
       time("median is 1500, above ci95_high, 1400", [](Time& t) { t.ci95_high = 1400; }),
       time("min is 1480, above p5, 1470", [](Time& t) { t.min = 1480; }),
       time("p25 is 1600, above p75, 1530", [](Time& t) { t.p25 = 1600; }),
       time("p95 is 9000, above max, 2100", [](Time& t) { t.p95 = 9000; }),
       time("min is 1455, above median, 1", [](Time& t) { t.median = t.ci95_low = 1; }),
       time("outliers of", [](Time& t) { t.outliers = t.samples + 1; }),
       time("5 samples in 6 processes", [](Time& t) { t.samples = 5; }),
       time("301 samples in 6 processes: no rule in /run/efforts allows as many",
            [](Time& t) { t.samples = 301; }),
       processes("a time that no process measured", [](auto& all) { all.clear(); }),
       processes("180 samples in 7 processes: no rule in /run/efforts allows as many",
                 [](auto& all) {
                   all.push_back({6, 1500, {}});
                 }),
       processes("in 6 processes: no rule in /run/efforts allows as many",
                 [](auto& all) { all.back().process = 6; }),
       processes("process 1 does not come after the one before it",
                 [](auto& all) { all[2].process = 1; }),
       processes("process 2 does not come after the one before it",
                 [](auto& all) { std::swap(all[2], all[3]); }),
       processes("time_us/min is 1455, above time_us, 1400",
                 [](auto& all) { all[2].time_us = 1400; }),
       processes("time_us is 2200, above time_us/max, 2100",
                 [](auto& all) { all[2].time_us = 2200; }),
       processes("process 2 has a mean back to back, and one run is long enough to time alone",
                 [](auto& all) { all[2].back_to_back_us = 9; })});
}

TEST_CASE("a row is of one of the rules of its backend, and not of two halves") {
  Results r = sound();
  r.run.efforts = {{Backend::cuda, 6, 10, 20, 0.1},
                   {Backend::cuda, 3, 30, 60, 0.1},
                   {Backend::host, 6, 30, 300, 1}};
  CHECK(says(soundness(r).errors, "/cells/0 (", "180 samples in 6 processes: no rule"));
  r.run.efforts[0].max_samples = 30;
  CHECK(soundness(r).sound());
}

TEST_CASE(
    "fewer processes or samples than the rule asks for are a warning: there can have been no room "
    "and no time, and seldom is") {
  Results r = sound();
  timing_of(r.cells[first]).processes.pop_back();
  r = with_cells(r, r.cells);
  Soundness found = soundness(r);
  INFO(all_of(found.errors));
  CHECK(found.sound());
  CHECK(says(found.warnings, "/cells/0 (", "5 of the run's processes timed it, not all of them"));
  r.run.complete = false;  // then that is nothing new
  CHECK(soundness(r).warnings.size() == 1);

  r = sound();
  timing_of(r.cells[brief]).time_us.samples = 12;
  found = soundness(r);
  CHECK(found.sound());
  CHECK(says(found.warnings, "/cells/6 (",
             "12 samples where its rule asks for 180, and they took 0.01 % of its time"));
  r.run.efforts[0].max_seconds = 1e-5;  // then time ran out
  CHECK(soundness(r).warnings.empty());
}

TEST_CASE("rules of clocks") {
  const auto ticking = [](Cell& c, std::vector<std::string> slowed_by) {
    timing_of(c).clocks = Clocks{1500, 1980, std::move(slowed_by)};
  };
  check_each({cell(first, "it has clocks of a GPU, but did not run on one",
                   [&](Cell& c) { c.how.backend = Backend::host, ticking(c, {}); }),
              cell(first, "it ran on a GPU, and there is no clock of it",
                   [](Cell& c) { timing_of(c).clocks.reset(); }),
              cell(first, "sm_mhz_min is 1990, above sm_mhz_max, 1980",
                   [&](Cell& c) { ticking(c, {}), timing_of(c).clocks->sm_mhz_min = 1990; })});
  Results r = sound();
  ticking(r.cells[first], {"power cap"}), r.cells[first].flags.emplace_back("throttled");
  CHECK(soundness(r).sound());
}

TEST_CASE("every flag that its numbers call for is there, and none that they do not call for") {
  const auto missing = [](std::size_t which, const std::string& flag,
                          const std::function<void(Cell&)>& change) {
    return cell(which, "its numbers call for the flag " + flag, change);
  };
  const auto flagged = [](
                           std::size_t which, const std::string& flag,
                           const std::function<void(Cell&)>& change = [](Cell&) {}) {
    return cell(which, "its numbers do not call for the flag " + flag, [=](Cell& c) {
      c.flags.emplace_back(flag);
      change(c);
    });
  };
  const auto unflag = [](const std::string& flag) {
    return [=](Cell& c) { std::erase(c.flags, flag); };
  };
  check_each(
      {missing(brief, "fits_in_cache", unflag("fits_in_cache")),
       missing(brief, "below_resolution", unflag("below_resolution")),
       missing(first, "throttled",
               [](Cell& c) {
                 timing_of(c).clocks = Clocks{1500, 1980, {"power cap"}};
               }),
       flagged(first, "fits_in_cache"),
       flagged(first, "below_resolution"),
       flagged(first, "throttled"),
       flagged(first, "above_ceiling"),
       flagged(serial, "fits_in_cache"),
       cell(serial, "the flag not_counted, and counts", [](Cell& c) { c.flags = {"not_counted"}; }),
       cell(serial, "the flag expected_wrong_but_right, and the verdict pass",
            [](Cell& c) { c.flags = {"expected_wrong_but_right"}; }),
       {"/cells/6 (", "its numbers do not call for the flag fits_in_cache",
        [](Results& r) { r.machine.gpu->l2_bytes = 4100; }}});
}

TEST_CASE("every number that follows from the medians of the processes must follow") {
  const auto timing = [](std::size_t which, const std::string& what,
                         const std::function<void(Timing&)>& change) {
    return cell(which, what, [=](Cell& c) { change(timing_of(c)); });
  };
  const auto times = [](double& number, double by = 1 + 1e-4) { number *= by; };
  check_each(
      {timing(first, "time_us/median is", [&](Timing& t) { times(t.time_us.median); }),
       timing(first, "time_us/ci95_low is", [&](Timing& t) { times(t.time_us.ci95_low); }),
       timing(first, "time_us/ci95_high is", [&](Timing& t) { times(t.time_us.ci95_high); }),
       timing(first, "bandwidth_gbps/median is",
              [&](Timing& t) { times(t.bandwidth_gbps.median); }),
       timing(first, "bandwidth_gbps/ci95_low is",
              [&](Timing& t) { times(t.bandwidth_gbps.ci95_low); }),
       timing(first, "bandwidth_gbps/ci95_high is",
              [&](Timing& t) { times(t.bandwidth_gbps.ci95_high); }),
       timing(first, "percent_of_ceiling is", [&](Timing& t) { times(*t.percent_of_ceiling); }),
       timing(first, "percent_of_ceiling is null", [](Timing& t) { t.percent_of_ceiling.reset(); }),
       timing(first, "percent_of_datasheet is", [&](Timing& t) { times(*t.percent_of_datasheet); }),
       timing(second, "ratios/vs_first_rung/value is",
              [&](Timing& t) { times(t.ratios.vs_first_rung->value); }),
       timing(second, "ratios/vs_followed/value is",
              [&](Timing& t) { times(t.ratios.vs_followed->value); }),
       timing(first, "ratios/vs_fastest_library/value is",
              [&](Timing& t) { times(t.ratios.vs_fastest_library->value); }),
       timing(first, "ratios/vs_fastest_library/ci95_low is",
              [&](Timing& t) { times(t.ratios.vs_fastest_library->ci95_low); }),
       timing(first, "ratios/vs_fastest_library/ci95_high is",
              [&](Timing& t) { times(t.ratios.vs_fastest_library->ci95_high); }),
       timing(first,
              "ratios/vs_fastest_library/verdict is \"no difference shown\", the medians of the "
              "processes make \"slower\"",
              [](Timing& t) { t.ratios.vs_fastest_library->verdict = Difference::none_shown; }),
       timing(second,
              "ratios/vs_first_rung/verdict is \"slower\", the medians of the processes make "
              "\"faster\"",
              [](Timing& t) { t.ratios.vs_first_rung->verdict = Difference::slower; }),
       timing(second, "ratios/vs_first_rung is null",
              [](Timing& t) { t.ratios.vs_first_rung.reset(); }),
       timing(first, "the medians of the processes make null",
              [](Timing& t) { t.ratios.vs_first_rung = t.ratios.vs_fastest_library; }),
       timing(library, "ratios/vs_fastest_library is {",
              [](Timing& t) {
                t.ratios.vs_fastest_library = Ratio{1, 1, 1, {}};
              }),
       timing(brief, "back_to_back/median_us is",
              [&](Timing& t) { times(t.back_to_back->median_us); }),
       timing(brief, "back_to_back/vs_fastest_library/value is",
              [&](Timing& t) { times(t.back_to_back->vs_fastest_library->value); }),
       timing(brief, "back_to_back is null", [](Timing& t) { t.back_to_back.reset(); }),
       timing(first, "the medians of the processes make",
              [](Timing& t) { t.processes.pop_back(); }),
       timing(first, "the medians of the processes make",
              [&](Timing& t) { times(t.processes[2].time_us, 1.0001); }),
       timing(brief, "the medians of the processes make",
              [&](Timing& t) { times(*t.processes[2].back_to_back_us, 1.0001); }),
       {"/cells/0 (", "percent_of_ceiling is", [](Results& r) { r.ceilings.clear(); }},
       {"/cells/0 (", "percent_of_datasheet is", [](Results& r) { r.machine.gpu.reset(); }},
       {"/cells/0 (", "ratios/vs_first_rung is {",
        [](Results& r) { r.cells.erase(r.cells.begin() + first); }},
       {"/cells/0 (", "vs_fastest_library is {",
        [](Results& r) { r.cells.erase(r.cells.begin() + library); }}});
}

TEST_CASE(
    "a second library, just as fast or with fewer processes, hides no ratio that was changed by "
    "hand") {
  Results r = sound();
  std::vector<Cell> cells = r.cells;
  cells.push_back(cells[library]);
  cells.back().who.rung = "cub_other";
  r = with_cells(r, cells);
  CHECK(soundness(r).sound());
  timing_of(r.cells[first]).ratios.vs_fastest_library->value *= 1.01;
  CHECK(says(soundness(r).errors, "/cells/0 (", "ratios/vs_fastest_library/value is"));

  timing_of(cells.back()).processes.pop_back();
  r = with_cells(r, cells);
  CHECK(soundness(r).sound());
  timing_of(r.cells[second]).ratios.vs_fastest_library->value *= 1.01;
  CHECK(says(soundness(r).errors, "/cells/1 (", "ratios/vs_fastest_library/value is"));
}

TEST_CASE("of a single process the interval is that of its samples, and there is no ratio") {
  Results r = sound();
  std::vector<Cell> cells = r.cells;
  Timing& alone = timing_of(cells[first]);
  alone.processes.resize(1);
  alone.time_us.samples = 30, alone.time_us.ci95_low = 1490, alone.time_us.ci95_high = 1520;
  r = with_cells(r, cells);
  CHECK(all_of(soundness(r).errors).empty());
  CHECK(r.cells[first].timing()->time_us.ci95_high == 1520);
  CHECK_FALSE(r.cells[first].timing()->ratios.vs_fastest_library);
  timing_of(r.cells[first]).ratios.vs_fastest_library = Ratio{2, 1.9, 2.1, Difference::faster};
  CHECK(says(soundness(r).errors, "/cells/0 (", "ratios/vs_fastest_library is {"));
  timing_of(r.cells[first]).ratios = {};
  timing_of(r.cells[first]).time_us.median = 1501;
  CHECK(says(soundness(r).errors, "/cells/0 (", "time_us/median is 1501"));
  timing_of(r.cells[first]).time_us.ci95_low = 1450;
  CHECK(says(soundness(r).errors, "/cells/0 (", "time_us: min is 1455, above ci95_low, 1450"));
}

TEST_CASE("what is above its ceiling says so, and nothing from cold caches is above the peak") {
  Results r = sound();
  r.ceilings[0].bandwidth_gbps = 4000;
  r = with_cells(r, r.cells);
  CHECK(r.cells[library].flags == std::vector<std::string>{"above_ceiling"});
  CHECK(soundness(r).sound());
  r.cells[library].flags.clear();
  CHECK(says(soundness(r).errors, "/cells/2 (", "call for the flag above_ceiling"));
  r = sound();
  r.cells[library].flags = {"above_ceiling"};
  CHECK(says(soundness(r).errors, "/cells/2 (", "call for the flag above_ceiling"));

  std::vector<Cell> cells{gpu_cell("cub", "cub", 220)};
  CHECK(says(soundness(with_cells(sound(), cells)).errors, "/cells/0 (",
             "from cold caches is above the datasheet peak"));
  cells[0].how.cache = Cache::warm;
  CHECK(all_of(soundness(with_cells(sound(), cells)).errors).empty());  // from a cache it may be
}

TEST_CASE("rules of counters") {
  const auto counters = [](const std::string& what, const std::function<void(Counters&)>& change) {
    return cell(serial, what, [=](Cell& c) { change(counters_of(c)); });
  };
  check_each(
      {counters("global_load_bytes is 4095, below global_load_requests, 4096",
                [](Counters& c) { c.global_load_bytes = 4095; }),
       counters("global_load_sectors is 4095, below",
                [](Counters& c) { c.global_load_sectors = 4095; }),
       counters("global_store_bytes is 1, below", [](Counters& c) { c.global_store_bytes = 1; }),
       counters("global_store_sectors is 1, below",
                [](Counters& c) { c.global_store_sectors = 1; }),
       counters("shared_wavefronts is 1, below shared_requests, 2",
                [](Counters& c) { c.shared_requests = 2, c.shared_wavefronts = 1; }),
       counters("blocks is 1, below launches, 2", [](Counters& c) { c.blocks = 1; }),
       counters("atomics is 1, below atomic_requests, 2",
                [](Counters& c) { c.atomics = 1, c.atomic_requests = 2; }),
       counters("it has contention, but no atomics",
                [](Counters& c) { c.atomic_requests = 0, c.atomic_contention = 2; }),
       counters("its counts of barriers contradict each other",
                [](Counters& c) { c.barriers = 0, c.barriers_per_thread = 2; }),
       counters("counts of a GPU's memory", [](Counters& c) { c.dram_read_bytes = 1; }),
       counters("fewer than one lane", [](Counters& c) { c.active_lanes = 0.5; }),
       counters("its counts of loads contradict each other",
                [](Counters& c) { c.global_load_requests = 0; }),
       counters("its counts of loads contradict each other",
                [](Counters& c) { c.global_load_bytes = 0; }),
       counters("its counts of stores contradict each other",
                [](Counters& c) { c.global_store_sectors = 0, c.global_store_requests = 0; }),
       counters("its counts of shared requests contradict each other",
                [](Counters& c) { c.shared_requests = 0, c.shared_wavefronts = 9; }),
       counters("its counts of atomics contradict each other",
                [](Counters& c) { c.atomics = 9, c.atomic_requests = 0; }),
       counters("its counts of barriers contradict each other",
                [](Counters& c) { c.barriers = 9, c.barriers_per_thread = 0; }),
       counters("more than 512 bytes in a request",
                [](Counters& c) { c.global_load_requests = c.global_load_sectors = 1; }),
       counters("counters: work is 4, below steps, 5",
                [](Counters& c) { c.work = 4, c.steps = 5; }),
       counters("0 bytes stored cannot be the whole output",
                [](Counters& c) {
                  c.global_store_bytes = c.global_store_requests = c.global_store_sectors = 0;
                }),
       counters("262136 bytes loaded cannot be the whole input",
                [](Counters& c) { c.global_load_bytes = 4 * 65535 - 4; })});
  Results r = sound();
  // of a GPU, requests and sectors may be of different runs
  Counters& of_gpu = measured(r.cells[first]).counters.emplace();
  of_gpu.global_load_sectors = 45, of_gpu.global_load_requests = 47;
  of_gpu.shared_wavefronts = of_gpu.shared_requests = 2;
  CHECK(soundness(r).sound());
  of_gpu.global_load_sectors = 23;
  CHECK(says(soundness(r).errors, "/cells/0 (", "global_load_sectors is 23, below"));
  of_gpu.global_load_sectors = 24, of_gpu.shared_wavefronts = 1;
  CHECK_FALSE(says(soundness(r).errors, "/cells/0 (", "global_load_sectors"));
  CHECK(says(soundness(r).errors, "/cells/0 (", "shared_wavefronts is 1, below"));
  r = sound();
  // all but one: enough for an exclusive scan
  counters_of(r.cells[serial]).global_load_bytes = 4 * 65535;
  CHECK(soundness(r).sound());
  r.operations[0].operators.emplace_back("logical_or");
  // it may know the answer early
  r.cells[serial].input.op = "logical_or", counters_of(r.cells[serial]).global_load_bytes = 4096;
  CHECK(soundness(r).sound());
}

TEST_CASE("whatever numbers a file holds, it is judged and compared without harm") {
  const Results ours = sound();
  const json good = document(ours);
  const auto fields = good.flatten();
  std::size_t judged = 0;
  for (const auto& [place, value] : fields.items()) {
    if (!value.is_number()) continue;
    for (const json& hostile : {json(0), json(1e308), json(5e-324), json(~0ull), json(1e18)}) {
      json d = good;
      d[json::json_pointer(place)] = hostile;
      INFO(place << " = " << hostile);
      CHECK_NOTHROW(soundness(d));
      if (!violation(d).empty()) continue;
      const auto results = d.get<Results>();
      CHECK_NOTHROW(comparison(results, ours));
      CHECK_NOTHROW(comparison(ours, results));
      ++judged;
    }
  }
  CHECK(judged > 100);
}

TEST_CASE("long chains and circles of rungs end soon", "[many]") {
  constexpr int many = 10'000;
  Results r = sound();
  const Cell one = gpu_cell("handwritten", "0", 400);
  r.rungs.clear(), r.cells = {gpu_cell("cub", "cub", 261)};
  r.rungs.push_back(rung_of("cub", "", "cub"));
  for (int i = 0; i < many; ++i) {
    r.cells.push_back(one);
    r.cells.back().who.rung = std::to_string(i);
    r.rungs.push_back(rung_of(std::to_string(i), std::to_string((i + 1) % many)));
  }
  derive(r);
  CHECK(soundness(r).sound());
  CHECK(r.cells[1].timing()->ratios.vs_followed);
  CHECK_FALSE(r.cells[1].timing()->ratios.vs_first_rung);  // they go round
  r.rungs.back().follows = "";
  CHECK(says(soundness(r).errors, "/cells/1 (", "ratios/vs_first_rung is null"));
  derive(r);
  CHECK(soundness(r).sound());
}
