#include "reports/cell_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "reports/ladder.hpp"
#include "reports/soundness.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

struct Named {
  std::string_view name;
  double value = 0;
};

class CellRules {
 public:
  CellRules(const Cell& cell, const Results& results) : cell_(cell), results_(results) {}

  std::vector<std::string> broken() && {
    verdict();
    if (cell_.time_us) time(*cell_.time_us);
    bandwidth();
    percentages();
    if (cell_.counters) counters(*cell_.counters);
    clocks();
    return std::move(broken_);
  }

 private:
  template <class... Arguments>
  void complain(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    broken_.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  // What passed is as near to the exact answer as it has to be.
  void error() {
    if (!cell_.error) return;
    if (cell_.error->of_bound > 1.0) complain("the error is {} times its bound and the verdict is pass", *cell_.error->of_bound);
    if (cell_.error->bound == 0.0 && cell_.error->ulp_max > 0.0) complain("the bound is 0, the error is not, and the verdict is pass");
  }

  void verdict() {
    if (cell_.lost_counts && *cell_.lost_counts > cell_.key.n) complain("more counts are lost than there are elements");
    if (cell_.lost_counts && cell_.verdict != "expected_wrong") complain("counts are lost and the verdict is {}", cell_.verdict);
    if (cell_.verdict == "pass") return error();
    const bool explained = (cell_.reason && !cell_.reason->empty()) || cell_.lost_counts;
    if (!explained) complain("the verdict is {} and nothing says why", cell_.verdict);
    std::vector<std::string> numbers;
    const auto look = [&](const char* name, bool is_there) {
      if (is_there) numbers.emplace_back(name);
    };
    look("time_us", cell_.time_us.has_value());
    look("bandwidth_gbps", cell_.bandwidth_gbps.has_value());
    look("percent_of_ceiling", cell_.percent_of_ceiling.has_value());
    look("percent_of_datasheet", cell_.percent_of_datasheet.has_value());
    look("ratios", cell_.ratios.has_value());
    look("sm_cycles", cell_.sm_cycles.has_value());
    look("clocks", cell_.clocks.has_value());
    look("error", cell_.error.has_value());
    look("counters", cell_.counters.has_value());
    if (!numbers.empty()) complain("the verdict is {} and there are numbers: {}", cell_.verdict, joined(numbers));
  }

  void time(const Time& t) {
    if (!cell_.key.cache) complain("there is a time and no state of the cache");
    if (cell_.key.contract == "device_result" && cell_.key.backend != "cuda") complain("device_result is GPU time, and there is no GPU in this");
    in_order("time_us", {{"ci95_low", t.ci95_low}, {"median", t.median}, {"ci95_high", t.ci95_high}});
    in_order("time_us", {{"min", t.min}, {"p5", t.p5}, {"p25", t.p25}, {"p75", t.p75}, {"p95", t.p95}, {"max", t.max}});
    // Not within the quartiles: those are of all samples, the median is that of the medians of processes.
    in_order("time_us", {{"min", t.min}, {"median", t.median}, {"max", t.max}});
    if (t.min <= 0 || t.ci95_low <= 0) complain("a time of nothing or less");
    if (t.processes == 0) complain("a time that no process measured");
    if (t.outliers > t.samples) complain("{} outliers of {} samples", *t.outliers, t.samples);
    if (t.batch_mean == 0.0) complain("a mean back to back of nothing");
    if (t.samples < t.processes) complain("{} in {}", counted(t.samples, "sample", "samples"), counted(t.processes, "process", "processes"));
    effort(t);
  }

  // No more than the run set out to do. Fewer samples than it asked for there may be: time ran out.
  void effort(const Time& t) {
    double processes = 0, samples = 0;
    for (const Effort& e : results_.run.efforts) {
      if (e.backend != cell_.key.backend) continue;
      processes = std::max<double>(processes, e.processes);
      samples = std::max(samples, static_cast<double>(e.processes) * e.max_samples);
    }
    if (processes == 0) return;
    if (t.processes > processes) complain("{} processes, and the run had {} at most", t.processes, processes);
    if (t.samples > samples) complain("{} samples, and the run took {} at most", t.samples, samples);
  }

  void clocks() {
    const bool slowed = cell_.clocks && !cell_.clocks->slowed_by.empty();
    if (cell_.verdict == "pass" && slowed != has_flag(cell_, "throttled")) complain("the flag throttled and clocks/slowed_by disagree");
    if (!cell_.clocks) return;
    if (!cell_.time_us) complain("there are clocks and no time");
    if (cell_.key.backend != "cuda") complain("there are clocks of a GPU, which it did not run on");
    in_order("clocks", {{"sm_mhz_min", cell_.clocks->sm_mhz_min}, {"sm_mhz_max", cell_.clocks->sm_mhz_max}});
  }

  void bandwidth() {
    if (!cell_.bandwidth_gbps) return;
    if (!cell_.time_us) return complain("there is a bandwidth and no time");
    const Bandwidth& b = *cell_.bandwidth_gbps;
    const auto in_time = [&](double us) { return static_cast<double>(cell_.minimum_bytes) / us / 1e3; };
    same("bandwidth_gbps/median", b.median, "minimum_bytes over the median time", in_time(cell_.time_us->median));
    same("bandwidth_gbps/ci95_low", b.ci95_low, "minimum_bytes over time_us/ci95_high", in_time(cell_.time_us->ci95_high));
    same("bandwidth_gbps/ci95_high", b.ci95_high, "minimum_bytes over time_us/ci95_low", in_time(cell_.time_us->ci95_low));
  }

  void percentages() {
    const auto& gpu = results_.machine.gpu;
    const Ceiling* ceiling = ceiling_of(cell_, results_.ceilings);
    percentage("percent_of_ceiling", cell_.percent_of_ceiling, ceiling == nullptr ? 0 : ceiling->bandwidth_gbps);
    percentage("percent_of_datasheet", cell_.percent_of_datasheet, gpu && cell_.key.backend == "cuda" ? gpu->datasheet_gbps : 0);
    if (!cell_.bandwidth_gbps) return;
    const double reached = cell_.bandwidth_gbps->median;
    if (ceiling != nullptr && reached > ceiling->bandwidth_gbps && !has_flag(cell_, "above_ceiling"))
      complain("{} GB/s is above the measured ceiling, {}, without the flag above_ceiling", reached, ceiling->bandwidth_gbps);
    // What starts with cold caches has to fetch every byte from memory.
    if (gpu && cell_.key.backend == "cuda" && cell_.key.cache == "cold" && reached > gpu->datasheet_gbps)
      complain("{} GB/s from cold caches is above the datasheet peak, {}: no such time can be", reached, gpu->datasheet_gbps);
  }

  void percentage(std::string_view name, std::optional<double> percent, double of) {
    if (!percent) return;
    if (!cell_.bandwidth_gbps) return complain("there is {} and no bandwidth", name);
    if (of == 0) return complain("there is {} and nothing that it is of", name);
    same(name, *percent, "the bandwidth makes", 100 * cell_.bandwidth_gbps->median / of);
  }

  void counters(const Counters& c) {
    load_or_store("load", c.global_load_bytes, c.global_load_requests, c.global_load_sectors);
    load_or_store("store", c.global_store_bytes, c.global_store_requests, c.global_store_sectors);
    at_least("shared_wavefronts", c.shared_wavefronts, "shared_requests", c.shared_requests);  // a request is one pass at least
    at_least("blocks", c.blocks, "launches", c.launches);                                      // CUDA has no empty grid
    if (c.active_lanes && *c.active_lanes < 1 && memory_requests(cell_).value_or(0) > 0) complain("fewer than one lane in a request");
    at_least("atomics", c.atomics, "atomic_requests", c.atomic_requests);
    if (c.atomic_contention && c.atomic_requests == 0u) complain("contention of no atomics");
    if (c.barriers == 0u && c.barriers_per_thread > 0.0) complain("no barriers, and {} for each thread", *c.barriers_per_thread);
    const bool of_gpu = cell_.key.backend == "cuda";
    if (!of_gpu && (c.dram_read_bytes || c.dram_write_bytes)) complain("there are counts of a GPU's memory, which it did not run on");
    if (of_gpu && (c.atomics || c.atomic_contention || c.barriers || c.barriers_per_thread || c.active_lanes || c.launches || c.steps || c.work))
      complain("there are counts that no GPU has a counter for");
    loads_its_input(c);
  }

  // No upper bounds: lanes that ask for the same element ask for more bytes than the sectors hold.
  void load_or_store(std::string_view what, std::optional<std::uint64_t> bytes, std::optional<std::uint64_t> requests,
                     std::optional<std::uint64_t> sectors) {
    at_least(fmt::format("global_{}_bytes", what), bytes, fmt::format("global_{}_requests", what), requests);
    at_least(fmt::format("global_{}_sectors", what), sectors, fmt::format("global_{}_requests", what), requests);
  }

  // A right sum depends on every element, of an exclusive scan on all but the last. Other operators may know the answer sooner: one true is enough
  // for "or".
  void loads_its_input(const Counters& c) {
    if (cell_.verdict != "pass" || cell_.key.op != "sum" || cell_.key.n == 0 || !c.global_load_bytes) return;
    if (cell_.key.backend == "cuda" && cell_.key.provider != "handwritten") return;  // the asynchronous copies of libraries are no loads
    const double needed = static_cast<double>(cell_.key.n - 1) * (cell_.key.dtype.ends_with("64") ? 8 : 4);
    if (static_cast<double>(*c.global_load_bytes) < needed) complain("{} bytes loaded cannot be the whole input", *c.global_load_bytes);
  }

  void at_least(std::string_view name, std::optional<std::uint64_t> value, std::string_view least_name, std::optional<std::uint64_t> least) {
    if (value && least && *value < *least) complain("counters: {} is {}, below {}, {}", name, *value, least_name, *least);
  }

  void in_order(std::string_view of, std::initializer_list<Named> values) {
    const auto* at = std::ranges::adjacent_find(values, std::greater{}, &Named::value);
    if (at != values.end()) complain("{}: {} is {}, above {}, {}", of, at->name, at->value, at[1].name, at[1].value);
  }

  void same(std::string_view name, double value, std::string_view other_name, double other) {
    if (!agree(value, other)) complain("{} is {}, {} {}", name, value, other_name, other);
  }

  const Cell& cell_;
  const Results& results_;
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> broken_rules(const Cell& cell, const Results& results) {
  return CellRules(cell, results).broken();
}

}  // namespace ladder::reports
