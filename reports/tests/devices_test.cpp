// Data over the devices of one host: what its rows are compared with, what of it cannot be, and how
// a report shows it.
#include <fmt/format.h>

#include <functional>
#include <map>

#include "compare/tests/catch.hpp"
#include "reports/formats/figures/figures.hpp"
#include "reports/formats/html/page.hpp"
#include "reports/formats/html/several_sets.hpp"
#include "reports/model/json.hpp"
#include "reports/numbers/compare_sets.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/flat_table.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/soundness/soundness.hpp"
#include "reports/targets/targets.hpp"
#include "reports/tests/formats.hpp"
#include "reports/tests/report_in_page.hpp"
#include "reports/tests/sample.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/lead_sentences.hpp"
#include "reports/words/names.hpp"
#include "reports/words/what_changes.hpp"

using namespace ladder::reports;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

constexpr unsigned devices = 4;

Cell over(Cell cell, unsigned count = devices) {
  cell.input.devices = count;
  cell.minimum_bytes.written *= count;  // a result on each
  return cell;
}

// The cells of spread().
enum : std::size_t { on_one, library_on_one, copying, at_once, library_over_all };

// Two references, and the rungs over four devices that follow one of them.
std::vector<Cell> rows(double scale = 1) {
  return {gpu_cell("handwritten", "gather", 400), gpu_cell("cub", "cub", 300),
          over(gpu_cell("handwritten", "peer_copy", 200 * scale)),
          over(gpu_cell("handwritten", "all_at_once", 100 * scale)),
          over(gpu_cell("nccl", "nccl", 150 * scale))};
}

Results spread(std::vector<Cell> cells = rows()) {
  Results r = of_gpu();
  r.rungs = {rung_of("gather"), rung_of("peer_copy", "gather"),
             rung_of("all_at_once", "peer_copy")};
  return with_cells(r, std::move(cells));
}

const Ratios& ratios(const Results& results, std::size_t cell) {
  return results.cells[cell].timing()->ratios;
}

// The sizes at which four devices take so many times as long as half of a reference.
Results of_sizes(const std::map<std::uint64_t, double>& scales) {
  std::vector<Cell> cells;
  for (const auto& [n, scale] : scales)
    for (const Cell& cell : rows(scale)) cells.push_back(for_size(cell, n));
  return spread(cells);
}

bool says(const Soundness& found, const std::string& what) {
  return std::ranges::any_of(
      found.errors, [&](const Flaw& one) { return one.what.find(what) != std::string::npos; });
}

}  // namespace

TEST_CASE(
    "data over devices is compared with the fastest on one device, with the rung that it follows, "
    "and with libraries over as many") {
  const Results results = spread();
  CHECK(ratios(results, copying).vs_followed->value == Approx(400.0 / 200));  // a reference
  CHECK(ratios(results, at_once).vs_followed->value == Approx(200.0 / 100));
  // the library is the fastest reference
  CHECK(ratios(results, at_once).vs_one_device->value == Approx(300.0 / 100));
  CHECK(ratios(results, at_once).vs_one_device->verdict == Difference::faster);
  CHECK(ratios(results, library_over_all).vs_one_device->value == Approx(300.0 / 150));
  CHECK(ratios(results, at_once).vs_fastest_library->value == Approx(150.0 / 100));
  CHECK(ratios(results, on_one).vs_fastest_library->value == Approx(300.0 / 400));
  for (const std::size_t one : {library_on_one, library_over_all})
    CHECK(!ratios(results, one).vs_fastest_library);
  for (const std::size_t one : {on_one, library_on_one}) CHECK(!ratios(results, one).vs_one_device);
}

TEST_CASE("its interval is that of any ratio: from the medians of the processes") {
  const Ratio speedup = *ratios(spread(), at_once).vs_one_device,
              other = *ratios(spread(), on_one).vs_fastest_library;
  CHECK(speedup.ci95_low < speedup.value);
  CHECK(speedup.ci95_high / speedup.value == Approx(speedup.value / speedup.ci95_low));
  // both are of a hand-written rung and a library
  CHECK(speedup.ci95_high / speedup.value == Approx(other.ci95_high / other.value));
}

TEST_CASE("the limit of k devices is k times that of one") {
  const Results results = spread();
  const double bytes = 4.0 * (1 << 28), written = 4;
  const Timing& timing = *results.cells[at_once].timing();
  CHECK(timing.bandwidth_gbps.median == Approx((bytes + devices * written) / 100 / 1e3));
  CHECK(timing.percent_of_ceiling.value() ==
        Approx(100 * timing.bandwidth_gbps.median / (devices * 4300)));
  CHECK(timing.percent_of_datasheet.value() ==
        Approx(100 * timing.bandwidth_gbps.median / (devices * 4814.304)));
  CHECK_FALSE(is_impossible(timing, results.cells[at_once], results));  // on one device it would be
  CHECK(is_impossible(timing, results.cells[on_one], results));
  const auto fits = [](unsigned count) {
    const Cell cell =
        spread({over(for_size(gpu_cell("handwritten", "gather", 50), (60u << 20) / 4), count)})
            .cells[0];
    return std::ranges::count(cell.flags, "fits_in_cache") == 1;
  };
  CHECK(fits(devices));  // the cache of one device holds 60 MiB, and the result is beside them
  CHECK_FALSE(fits(1));
}

TEST_CASE("a result, and each bin, is due on every device, one output for each element is not") {
  Operation operation;
  operation.inputs = 1;
  Input input{"some", {}, "f64", 1000, "random", 16};
  const auto written = [&](Output output, unsigned count) {
    operation.output = output, input.devices = count;
    return minimum_bytes(operation, input).written;
  };
  CHECK(written(Output::one_result, 0) == 8);
  CHECK(written(Output::one_result, 1) == 8);
  CHECK(written(Output::one_result, 3) == 24);
  CHECK(written(Output::one_per_bin, 3) == 3 * 16 * 4);
  CHECK(written(Output::one_per_element, 3) == 8000);
  CHECK(minimum_bytes(operation, input).read == 8000);
}

TEST_CASE("a set over devices that contradicts itself is not sound") {
  const Results good = spread();
  const Soundness found = soundness(good);
  INFO((found.errors.empty() ? "" : found.errors[0].what));
  CHECK(found.sound());
  const auto broken = [&](const std::string& what, const std::function<void(Results&)>& change) {
    Results results = good;
    change(results);
    INFO(what);
    CHECK(says(soundness(results), what));
  };
  const auto counting = [](Cell& cell, std::uint64_t loaded) {
    Counters& counters = measured(cell).counters.emplace();
    counters.peer_load_bytes = loaded;
  };
  broken("it is over 2 devices, and another row over 4",
         [](Results& r) { r.cells[copying].input.devices = 2; });
  broken("its rung has rows over devices, and rows on one device",
         [](Results& r) { r.cells[at_once].who.rung = "gather"; });
  broken("minimum_bytes is", [](Results& r) { r.cells[at_once].minimum_bytes.written = 4; });
  broken("it counts bytes between devices, but its data lies on one",
         [&](Results& r) { counting(r.cells[on_one], 0); });
  broken("it counts bytes between devices, but has one device", [&](Results& r) {
    r = spread({over(gpu_cell("handwritten", "peer_copy", 200), 1)});
    counting(r.cells[0], 4);
  });
  broken("ratios/vs_one_device/value is",
         [](Results& r) { timing_of(r.cells[at_once]).ratios.vs_one_device->value = 3.3; });
  // it follows from nothing
  broken("ratios/vs_one_device is",
         [](Results& r) { r.cells.erase(r.cells.begin(), r.cells.begin() + copying); });
  Results counted = good;
  counting(counted.cells[at_once], 12);
  CHECK(soundness(counted).sound());
}

// Of each of the four: 60, 70, 80 and 100 % of the time of the last.
Results with_times_of_each() {
  Results results = spread();
  for (ProcessMedian& one : timing_of(results.cells[at_once]).processes)
    one.devices_us = {0.6 * one.time_us, 0.7 * one.time_us, 0.8 * one.time_us, one.time_us};
  return results;
}

TEST_CASE(
    "the times of each device are shown from the first to the last, and none is later than the "
    "last") {
  Results results = with_times_of_each();
  CHECK(soundness(results).sound());
  CHECK(column("first to last device").text(results.cells[at_once]) == "60.0 to 100 us");
  CHECK(column("first to last device").text(results.cells[copying]) == "");
  CHECK_THAT(short_markdown(results), ContainsSubstring("| first to last device |"));
  const auto rows = flat(results);
  CHECK(rows[at_once][flat_column("process_devices")].get<std::string>().starts_with("[6"));
  CHECK(rows[on_one][flat_column("process_devices")] == "");
  auto& [number, us, back_to_back, each] = timing_of(results.cells[at_once]).processes[1];
  const std::vector<double> right = each;
  each[0] = 1.01 * us;
  CHECK(says(soundness(results), "process 1: a device takes"));
  each = {us, us};
  CHECK(says(soundness(results),
             "process 1 has the times of 2 devices, and it is not a device_result over as many"));
  each = {};
  timing_of(results.cells[on_one]).processes[0].devices_us = {1};
  CHECK(says(soundness(results), "process 0 has the times of 1 device, and"));
}

TEST_CASE("a report names all GPUs of a set over devices, and how they reach each other") {
  Results results = spread();
  Machine& machine = results.machine;
  for (unsigned from = 0; from < devices; ++from) {
    if (from > 0)
      machine.further_gpus.push_back(
          {machine.gpu->name, fmt::format("GPU-{}", from + 1), "0000:02:00.0"});
    for (unsigned to = 0; to < devices; ++to)
      if (to != from) machine.links.push_back({from, to, true, true, true});
  }
  CHECK(soundness(results).sound());
  CHECK(soundness(results).warnings.empty());
  CHECK_THAT(
      markdown(results),
      ContainsSubstring("| GPU of device 3 | A GPU, GPU-4, PCI 0000:02:00.0 |") &&
          ContainsSubstring(
              "| links between devices | each to each: peer access, native atomics, NVLink |"));
  Results others = results;
  others.machine.links[0] = {0, 1, false, false, {}};
  CHECK_THAT(markdown(others), ContainsSubstring("0 to 1: no peer access; 0 to 2, ") ||
                                   ContainsSubstring("; 0 to 1: no peer access"));
  const auto broken = [&](const std::string& what, const std::function<void(Machine&)>& change) {
    Results changed = results;
    change(changed.machine);
    INFO(what);
    CHECK(says(soundness(changed), what));
  };
  broken("they make 3 devices, and rows are over 4", [](Machine& m) { m.further_gpus.pop_back(); });
  broken("there are some, and /machine/gpu is null", [](Machine& m) { m.gpu.reset(); });
  for (const Link bad :
       {Link{0, 4, true, true, {}}, Link{1, 1, true, true, {}}, Link{0, 1, true, true, {}}})
    broken("it is not between two of the devices, or listed twice",
           [&](Machine& m) { m.links.back() = bad; });
  others.machine.further_gpus[0].name = "another";
  CHECK_THAT(soundness(others).warnings.at(0).what,
             ContainsSubstring("they are of several models"));
}

TEST_CASE(
    "a report shows what lies between devices: the bandwidth of another one's memory, and the time "
    "of a flag") {
  Results results = spread();
  results.ceilings.push_back({Backend::cuda, Access::read, Memory::peer, 1 << 30, 373});
  results.overheads.push_back(
      {Backend::cuda, Contract::device_result, "a flag to another device", 1.34});
  derive(results);
  CHECK(soundness(results).sound());
  // that is of memory
  CHECK(timing_of(results.cells[at_once]).percent_of_ceiling ==
        timing_of(spread().cells[at_once]).percent_of_ceiling);
  CHECK_THAT(markdown(results),
             ContainsSubstring("| GPU | read | memory of another device | 1.00 GiB | 373 |") &&
                 ContainsSubstring("| GPU | until the result is in the GPU's memory | a flag to "
                                   "another device | 1.34 us |"));
}

TEST_CASE("a set is of one process, or of one for each device") {
  Results each = spread();
  for (Cell& cell : each.cells) cell.input.process_for_each_device = true;
  CHECK(soundness(each).sound());
  CHECK(cell_name(each.cells[at_once].key()).find("over 4 devices, in a process each") !=
        std::string::npos);
  CHECK(cell_name(each.cells[on_one].key()).find("on each device") != std::string::npos);
  CHECK_THAT(markdown(each),
             ContainsSubstring(
                 "Each device has a process of its own, and each process runs the references. "));
  CHECK_THAT(markdown(spread()), !ContainsSubstring("process of its own"));
  CHECK(flat(each)[on_one][flat_column("process_for_each_device")] == true);
  CHECK(figure_rows("ladder", flat(each), telling_key(each.cells, Order(each))).size() == 3);
  const auto against_one_process = comparison(each, spread());
  CHECK(against_one_process.pairs.empty());
  each.cells[at_once].input.process_for_each_device = false;
  CHECK(says(soundness(each), "some rows have a process for each device, and others do not"));
  each = spread({over(gpu_cell("handwritten", "peer_copy", 200))});
  each.cells[0].input.process_for_each_device = true;
  each.cells[0].how.contract = Contract::host_result;
  CHECK(says(soundness(each),
             "each device has a process of its own, so no host holds the whole answer"));
}

TEST_CASE(
    "bytes that are stored in the memory of another device are part of the output, and bytes "
    "loaded there of the input") {
  Cell cell = over(emulated_cell("peer_copy"));
  Counters& counters = counters_of(cell);
  counters.global_store_bytes = 4,
  counters.global_store_requests = counters.global_store_sectors = 1;
  counters.peer_load_bytes = 0, counters.peer_store_bytes = 11;
  CHECK(says(soundness(spread({cell})), "15 bytes stored cannot be the whole output"));
  counters.peer_store_bytes = 12;
  CHECK(soundness(spread({cell})).sound());
  counters.global_load_bytes = *counters.global_load_bytes / 4;
  CHECK(says(soundness(spread({cell})), "bytes loaded cannot be the whole input"));
  counters.peer_load_bytes = *counters.global_load_bytes;
  CHECK(soundness(spread({cell})).sound());
}

TEST_CASE(
    "a report says over how many devices, and shows the references first, then the ladder with its "
    "speed-up") {
  const std::string text = markdown(spread());
  CHECK_THAT(
      text,
      ContainsSubstring(
          "Every input is spread over 4 devices. A reference has the whole input on one device. "));
  CHECK_THAT(text, ContainsSubstring("input random, over 4 devices, cold cache"));
  CHECK_THAT(text, ContainsSubstring("| rung | time (95 % interval) | GB/s | of ceiling | x one "
                                     "device | vs fastest library |"));
  const auto gather_at = text.find("| `gather` (one device) | 400 us"),
             cub_at = text.find("| `cub` (library) (one device) | 300 us"),
             copy_at = text.find("| `peer_copy` | 200 us"),
             together_at = text.find("| `all_at_once` | 100 us"),
             nccl_at = text.find("| `nccl` (library) | 150 us");
  CHECK(gather_at < cub_at);
  CHECK(cub_at < copy_at);
  CHECK(copy_at < together_at);
  CHECK(together_at < nccl_at);
  CHECK(nccl_at != text.npos);
  CHECK_THAT(text, ContainsSubstring("`all_at_once` takes 100 us (99.0 to 101), over 4 devices, at "
                                     "62.4 % of the measured ceiling. It is 3.00x"));
  CHECK_THAT(text, ContainsSubstring(") as fast as the fastest on one device. It is 1.500x"));
  CHECK_THAT(text, ContainsSubstring("*X one device*: speed-up over the fastest reference"));
  CHECK_THAT(report_in(page(spread())).dump(),
             ContainsSubstring("number of devices over which the input is spread."));
  CHECK_THAT(summary_text(spread()),
             ContainsSubstring("n = 2^28, over 4 devices: timed on the GPU"));
}

TEST_CASE("a set on one device is shown without a word of devices") {
  const std::string text = markdown(of_gpu()) + report_in(page(of_gpu())).dump();
  for (const char* word :
       {"x one device", "(one device)", "over devices", "vs_one_device", "bytes between devices"})
    CHECK_THAT(text, !ContainsSubstring(word));
}

TEST_CASE("a report says from which size on several devices are faster than one") {
  const auto said = [](const Results& results) {
    return faster_from(ResultSet(results).operations[0]);
  };
  const std::uint64_t smallest = 1 << 20, small = 1 << 22, middle = 1 << 24, large = 1 << 26,
                      largest = 1 << 28;
  // 300 us on one device; 100 us times this on four.
  const Results results =
      of_sizes({{smallest, 2}, {small, 4}, {middle, 3}, {large, 2.5}, {largest, 1}});
  // at 2^24 no difference is shown
  CHECK(said(results) == "4 devices are faster than one from n = 2^26 on (sum, i32).");
  CHECK(said(of_sizes({{small, 2}, {largest, 1}})) ==
        "4 devices are faster than one from n = 2^22 on (sum, i32).");
  CHECK(said(of_sizes({{small, 1}, {largest, 3}})) ==
        "4 devices are not shown to be faster than one from any size on (sum, i32).");
  CHECK(said(of_sizes({{small, 1}, {largest, 4}})) ==
        "4 devices are not shown to be faster than one from any size on (sum, i32).");
  CHECK(said(of_gpu()) == "");
  Results alone = spread({rows()[on_one], over(gpu_cell("handwritten", "peer_copy", 200), 1)});
  CHECK(said(alone) == "");  // of one device there is nothing to say
  CHECK_THAT(
      markdown(results),
      ContainsSubstring("\n\n4 devices are faster than one from n = 2^26 on (sum, i32).\n\n"));
  CHECK_THAT(report_in(page(results)).dump(),
             ContainsSubstring("4 devices are faster than one from n = 2^26 on (sum, i32)."));
}

TEST_CASE(
    "counts over devices have the bytes between them, and are explained from the reference on") {
  Cell reference = emulated_cell("gather"), copy = over(emulated_cell("peer_copy")),
       last = over(emulated_cell("all_at_once"));
  counters_of(copy).peer_load_bytes = 1200, counters_of(copy).peer_store_bytes = 34;
  counters_of(last).peer_load_bytes = 12, counters_of(last).peer_store_bytes = 0;
  counters_of(copy).launches = 5;
  const Results results = spread({reference, copy, last});
  CHECK_THAT(markdown(results), ContainsSubstring("| bytes between devices |"));
  CHECK(column("bytes between devices").text(results.cells[0]) == "");
  CHECK(column("bytes between devices").text(results.cells[1]) == "1,234");
  CHECK(column("devices").text(results.cells[1]) == "4");
  const auto steps = explanations(results.cells, Order(results));
  REQUIRE(steps.size() == 2);
  CHECK_THAT(steps[0].text, ContainsSubstring("**`peer_copy`** after `gather`:") &&
                                ContainsSubstring("needs 5 kernel launches instead of 2"));
  CHECK_THAT(steps[1].text, ContainsSubstring("moves 12 bytes between devices instead of 1,234"));
}

TEST_CASE("no figure mixes rows over devices with rows on one, and a page has the lines for them") {
  const Results results = spread();
  const json key = telling_key(results.cells, Order(results)),
             drawn = figure_rows("ladder", flat(results), key);
  CHECK(key.at("devices") == devices);
  REQUIRE(drawn.size() == 3);
  for (const json& row : drawn) CHECK(row.at("devices") == devices);
  json on_one = key;
  on_one.erase("devices");
  const json references = figure_rows("ladder", flat(results), on_one);
  CHECK(references.size() == 2);
  for (const json& row : references) CHECK_FALSE(row.contains("devices"));
  CHECK_THAT(page(results), ContainsSubstring("\"offset\", \"devices\"]") &&
                                ContainsSubstring("\"x one device\""));
}

TEST_CASE("a table of every cell has the devices, the speed-up and the bytes between devices") {
  Results results = spread();
  counters_of([&]() -> Cell& {
    return measured(results.cells[at_once]).counters.emplace(), results.cells[at_once];
  }())
      .peer_load_bytes = 12;
  const auto rows = flat(results);
  const auto value = [&](std::size_t row, std::string_view column) {
    return rows[row][flat_column(column)];
  };
  CHECK(value(on_one, "devices").is_null());
  CHECK(value(at_once, "devices") == devices);
  CHECK(value(at_once, "vs_one_device") == Approx(3).epsilon(1e-6));
  CHECK(value(on_one, "vs_one_device").is_null());
  CHECK(value(at_once, "peer_load_bytes") == 12);
  CHECK(value(at_once, "ceiling") == devices * 4300);
  CHECK_THAT(csv(results, {}),
             ContainsSubstring(",offset,devices,process_for_each_device,provider,") &&
                 ContainsSubstring(",vs_one_device,vs_one_device_low,"));
}

TEST_CASE(
    "two sets are compared by the ratio against one device, where there is no library over as "
    "many") {
  std::vector<Cell> cells = rows();
  cells.pop_back();
  const auto ratio_of_at_once = [](const Results& a, const Results& b) {
    return comparison(a, b).pairs.at(at_once).vs_fastest_library;
  };
  const auto ratio = ratio_of_at_once(spread(cells), spread(cells));
  REQUIRE(ratio);
  CHECK(ratio->a == Approx(3));
  CHECK(ratio_of_at_once(spread(), spread())->a == Approx(1.5));
  CHECK_FALSE(comparison(spread(cells), spread(cells)).pairs.at(library_on_one).vs_fastest_library);
}

TEST_CASE("references are no rows of the targets") {
  std::vector<Cell> all = rows();
  all[on_one].who.rung = "packed";
  const Results spread_out = spread(all), alone = spread({all[on_one], all[library_on_one]});
  CHECK(bands(spread_out).empty());
  CHECK_FALSE(bands(alone).empty());
}

TEST_CASE("side by side, a set over devices is compared with sets over as many alone") {
  const std::vector<GivenSet> sets{{"one", of_gpu(), {}}, {"four", spread(), {}}};
  const std::string text = sets_files(sets).at("sets.md");
  CHECK_THAT(text, ContainsSubstring("## The fastest kernels\n\nThe fastest kernel against the "
                                     "fastest library of the same set:\n\n| operation | A, ") &&
                       ContainsSubstring("## The fastest kernels, over 4 devices\n\nThe fastest "
                                         "kernel against the fastest library of the same "
                                         "set:\n\n| operation | B, ") &&
                       ContainsSubstring("| `all_at_once`: 1.5"));
  CHECK_THAT(text, ContainsSubstring("## reduce\n") &&
                       ContainsSubstring("## reduce, over 4 devices\n") &&
                       ContainsSubstring("How many times as fast as the fastest on one device"));
  CHECK_THAT(text, !ContainsSubstring("Row by row"));  // no set has rows of another
  const std::vector<GivenSet> two_more{sets[1], sets[0], {"four again", spread(), {}}};
  CHECK_THAT(sets_files(two_more).at("sets.md"),
             ContainsSubstring("Set C against set A. Here set A is called A, and set C B:") &&
                 !ContainsSubstring("Set B against"));
}
