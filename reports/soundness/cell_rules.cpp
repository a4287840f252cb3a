#include "reports/soundness/cell_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "reports/model/element_types.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/numbers/metrics.hpp"
#include "reports/soundness/flaws.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"

namespace ladder::reports {
namespace {

struct Named {
  std::string_view name;
  double value = 0;
};

class CellRules {
 public:
  CellRules(const Cell& cell, const Results& results) : cell_(cell), results_(results) {}

  CellFindings findings() && {
    if (cell_.outcome.failure() != nullptr) failure(*cell_.outcome.failure());
    else passed();
    if (cell_.error() != nullptr) error(*cell_.error());
    if (cell_.timing() != nullptr) timing(*cell_.timing());
    if (cell_.counters() != nullptr) counters(*cell_.counters());
    return std::move(found_);
  }

 private:
  template <class... Arguments>
  void complain(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    found_.broken.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  // A backend with a clock times what passes, the other one counts it.
  void passed() {
    const bool counts = cell_.how.backend == Backend::emulated;
    if (counts && cell_.counters() == nullptr)
      complain("the verdict is pass, and nothing was counted");
    if (!counts && cell_.timing() == nullptr) complain("the verdict is pass, and there is no time");
    if (cell_.error() == nullptr) complain("the verdict is pass, and there is no error");
    if (has_flag(cell_, "not_counted") && cell_.counters() != nullptr)
      complain("the flag not_counted, and counts");
    if (has_flag(cell_, "expected_wrong_but_right"))
      complain("the flag expected_wrong_but_right, and the verdict pass");
  }

  void doubt(std::string what) { found_.doubtful.push_back(std::move(what)); }

  // What passed is as near to the exact answer as it has to be. Errors that are not finite are
  // null: a relative one over an exact 0, and those of a sum that overflowed where it may.
  void error(const Error& error) {
    if (error.of_bound > 1.0)
      complain("the error is {} times its bound and the verdict is pass", *error.of_bound);
    if (error.bound == 0.0 && (error.ulp_max != 0.0 || error.relative != 0.0))
      complain("the bound is 0, the error is not, and the verdict is pass");
    if (error.of_bound.has_value() != (error.bound > 0.0))
      complain("of_bound must be there exactly where the bound is above 0");
    const bool exact = error.ulp_max == 0.0;
    if ((exact && error.relative != 0.0) || (error.of_bound && (error.of_bound == 0.0) != exact))
      complain("one of its errors is 0, and another is not");
    if (!element_type(cell_.input.dtype).is_float && error.bound != 0.0)
      complain("integers are right to the bit, and there is another bound");
  }

  void failure(const Failure& failure) {
    if (failure.lost_counts && *failure.lost_counts > cell_.input.n)
      complain("more counts are lost than there are elements");
    if (failure.lost_counts && failure.verdict != Verdict::expected_wrong)
      complain("counts are lost and the verdict is {}", name_of(failure.verdict));
    if (failure.reason.empty() && !failure.lost_counts)
      complain("the verdict is {} and nothing says why", name_of(failure.verdict));
  }

  void timing(const Timing& timing) {
    const Time& t = timing.time_us;
    if (cell_.how.contract == Contract::device_result && cell_.how.backend != Backend::cuda)
      complain("device_result is GPU time, but it did not run on a GPU");
    in_order("time_us",
             {{"ci95_low", t.ci95_low}, {"median", t.median}, {"ci95_high", t.ci95_high}});
    in_order("time_us", {{"min", t.min},
                         {"p5", t.p5},
                         {"p25", t.p25},
                         {"p75", t.p75},
                         {"p95", t.p95},
                         {"max", t.max}});
    // Not within the quartiles: those are of all samples, the median is that of the medians of
    // processes.
    in_order("time_us", {{"min", t.min}, {"median", t.median}, {"max", t.max}});
    if (timing.processes.size() == 1)
      in_order(
          "time_us",
          {{"min", t.min}, {"ci95_low", t.ci95_low}, {"ci95_high", t.ci95_high}, {"max", t.max}});
    if (t.outliers > t.samples)
      complain("{} of {}", counted(t.outliers, "outlier"), counted(t.samples, "sample"));
    if (t.samples < timing.processes.size())
      complain("{} in {}", counted(t.samples, "sample"),
               counted(timing.processes.size(), "process"));
    processes(timing);
    effort(timing);
    clocks(timing);
    if (is_impossible(timing, cell_, results_))
      complain("a time from cold caches is above the datasheet peak: such a time is impossible");
  }

  void processes(const Timing& timing) {
    const bool can_repeat = cell_.how.backend == Backend::cuda && cell_.how.contract;
    for (std::size_t i = 0; i < timing.processes.size(); ++i) {
      const ProcessMedian& one = timing.processes[i];
      if (i > 0 && one.process <= timing.processes[i - 1].process)
        complain("process {} does not come after the one before it", one.process);
      in_order("processes", {{"time_us/min", timing.time_us.min},
                             {"time_us", one.time_us},
                             {"time_us/max", timing.time_us.max}});
      devices(one);
      if (!one.back_to_back_us) continue;
      if (!can_repeat || one.time_us >= gpu_back_to_back_us(*cell_.how.contract))
        complain("process {} has a mean back to back, and one run is long enough to time alone",
                 one.process);
    }
  }

  // The last of them is as late in each run as the run is long.
  void devices(const ProcessMedian& one) {
    if (one.devices_us.empty()) return;
    if (one.devices_us.size() != cell_.input.devices ||
        cell_.how.contract != Contract::device_result)
      return complain("process {} has the times of {}, and it is not a device_result over as many",
                      one.process, counted(one.devices_us.size(), "device"));
    const double last = std::ranges::max(one.devices_us);
    if (last > one.time_us && !agree(last, one.time_us))
      complain("process {}: a device takes {} us, and all of them {}", one.process, last,
               one.time_us);
  }

  // One of the run's rules allows as much. Fewer samples than it asks for there may be: time ran
  // out. The clock of that runs between samples too, so how many there are at least does not follow
  // from the file.
  void effort(const Timing& timing) {
    const std::size_t processes = timing.processes.size();
    const Effort *allows = nullptr, *complete = nullptr;
    bool any = false;
    for (const Effort& e : results_.run.efforts) {
      if (e.backend != cell_.how.backend) continue;
      any = true;
      const bool has_room =
          processes > 0 && timing.processes.back().process < e.processes &&
          timing.time_us.samples <= static_cast<double>(processes) * e.max_samples;
      if (!has_room) continue;
      if (allows == nullptr || e.min_samples < allows->min_samples) allows = &e;
      if (e.processes == processes) complete = &e;
    }
    if (!any) return;  // said once for all cells
    if (allows == nullptr)
      return complain("{} in {}: no rule in /run/efforts allows as many",
                      counted(timing.time_us.samples, "sample"), counted(processes, "process"));
    if (complete == nullptr && results_.run.complete)
      doubt(fmt::format("{} of the run's processes timed it, not all of them", processes));
    few_samples(timing, *allows);
  }

  // A GPU's samples alone: before a sample on the CPU, emptying its caches can take longer than a
  // rung's whole time.
  void few_samples(const Timing& timing, const Effort& rule) {
    // the part of the time that samples take; on an H200, where a sample copies 16 MiB to the host,
    // it is at least 0.09
    constexpr double share = 0.05;
    const double processes = static_cast<double>(timing.processes.size()),
                 samples = timing.time_us.samples;
    if (cell_.how.backend != Backend::cuda || samples >= processes * rule.min_samples) return;
    const double spent = samples * timing.time_us.median / 1e6,
                 limit = processes * rule.max_seconds;
    if (spent < share * limit)
      doubt(fmt::format("{} samples where its rule asks for {}, and they took {} % of its time",
                        samples, processes * rule.min_samples, three_digits(100 * spent / limit)));
  }

  void clocks(const Timing& timing) {
    const bool of_gpu = cell_.how.backend == Backend::cuda;
    if (of_gpu && !timing.clocks) complain("it ran on a GPU, and there is no clock of it");
    if (!timing.clocks) return;
    if (!of_gpu) complain("it has clocks of a GPU, but did not run on one");
    in_order("clocks", {{"sm_mhz_min", timing.clocks->sm_mhz_min},
                        {"sm_mhz_max", timing.clocks->sm_mhz_max}});
  }

  void counters(const Counters& c) {
    load_or_store("load", c.global_load_bytes, c.global_load_requests, c.global_load_sectors);
    load_or_store("store", c.global_store_bytes, c.global_store_requests, c.global_store_sectors);
    if (c.active_lanes && *c.active_lanes < 1 && memory_requests(cell_).value_or(0) > 0)
      complain("fewer than one lane in a request");
    all_or_none("shared requests", {is_zero(c.shared_requests), is_zero(c.shared_wavefronts)});
    all_or_none("atomics", {is_zero(c.atomics), is_zero(c.atomic_requests)});
    if (c.atomic_contention && c.atomic_requests == 0u)
      complain("it has contention, but no atomics");
    all_or_none("barriers", {is_zero(c.barriers), is_zero(c.barriers_per_thread)});
    each_counter(c);
    peers(c);
    loads_its_input(c);
    if (cell_.how.backend == Backend::emulated) stores_its_output(c);
  }

  // What the table of counters says of each (FieldFacts). A limit may be the runtime's own copy, of
  // which a GPU's counters have the requests and no bytes. A GPU reads its counters in several runs
  // of a kernel, and a block that polls loads more often in one run than in another. So its sectors
  // of loads may be fewer than its requests: half as many are enough.
  void each_counter(const Counters& c) {
    bool only_of_gpu = false, never_of_gpu = false;
    const bool of_gpu = cell_.how.backend == Backend::cuda;
    Counters::fields(
        c, [&](std::string_view name, const auto& value, const FieldFacts& facts = {}) {
          only_of_gpu |= value && facts.counted_by == CountedBy::gpu;
          never_of_gpu |= value && facts.counted_by == CountedBy::emulator;
          const auto least = counter_named(c, facts.at_least);
          const double part = of_gpu && name == "global_load_sectors" ? 0.5 : 1;
          if (value && least && static_cast<double>(*value) < part * *least && !is_limit(cell_))
            complain("counters: {} is {}, below {}, {:.0f}", name, *value, facts.at_least, *least);
        });
    if (!of_gpu && only_of_gpu) complain("it has counts of a GPU's memory, but did not run on one");
    if (of_gpu && never_of_gpu) complain("it has counts for which no GPU has a counter");
  }

  // No upper bounds for a GPU: lanes that ask for the same element ask for more bytes than the
  // sectors hold. The emulator counts these once. And a GPU counts the bytes of some asynchronous
  // copies, and none of their requests.
  void load_or_store(std::string_view what, std::optional<std::uint64_t> bytes,
                     std::optional<std::uint64_t> requests, std::optional<std::uint64_t> sectors) {
    constexpr std::uint64_t most = 512;  // bytes: 32 lanes with the widest access there is
    const bool emulated = cell_.how.backend == Backend::emulated;
    all_or_none(fmt::format("{}s", what),
                {emulated ? is_zero(bytes) : std::nullopt, is_zero(requests), is_zero(sectors)});
    if (emulated && bytes && requests && *bytes / most > *requests)
      complain("more than {} bytes in a request", most);
  }

  // Counts of the same thing contradict each other where one is 0 and another is not.
  static std::optional<bool> is_zero(const auto& count) {
    return count ? std::optional(*count == 0) : std::nullopt;
  }
  void all_or_none(std::string_view what, std::initializer_list<std::optional<bool>> zero) {
    if (has(zero, std::optional(true)) && has(zero, std::optional(false)))
      complain("its counts of {} contradict each other: one is 0, another is not", what);
  }

  // Bytes in the memory of other devices are of data over devices.
  void peers(const Counters& c) {
    if (cell_.input.devices == 0 && (c.peer_load_bytes || c.peer_store_bytes))
      complain("it counts bytes between devices, but its data lies on one");
    if (cell_.input.devices == 1 && (c.peer_load_bytes > 0u || c.peer_store_bytes > 0u))
      complain("it counts bytes between devices, but has one device");
  }

  // An atomic stores too. Over devices some of it may be stored, and some of the input loaded, in
  // the memory of another.
  void stores_its_output(const Counters& c) {
    if (!cell_.passed() || cell_.input.n == 0 || !c.global_store_bytes || c.atomics != 0u) return;
    const std::uint64_t stored = *c.global_store_bytes + c.peer_store_bytes.value_or(0);
    if (stored < cell_.minimum_bytes.written)
      complain("{} bytes stored cannot be the whole output", stored);
  }

  // A right sum depends on every element, of an exclusive scan on all but the last. Other operators
  // may know the answer sooner: one true is enough for "or".
  void loads_its_input(const Counters& c) {
    if (!cell_.passed() || cell_.input.op != "sum" || cell_.input.n == 0 || !c.global_load_bytes)
      return;
    if (cell_.how.backend == Backend::cuda) return;  // to its counters bulk copies are no loads
    const double needed =
        static_cast<double>((cell_.input.n - 1) * element_type(cell_.input.dtype).bytes);
    const std::uint64_t loaded = *c.global_load_bytes + c.peer_load_bytes.value_or(0);
    if (static_cast<double>(loaded) < needed)
      complain("{} bytes loaded cannot be the whole input", loaded);
  }

  void in_order(std::string_view of, std::initializer_list<Named> values) {
    const auto* at = std::ranges::adjacent_find(values, std::greater{}, &Named::value);
    if (at != values.end())
      complain("{}: {} is {}, above {}, {}", of, at->name, at->value, at[1].name, at[1].value);
  }

  const Cell& cell_;
  const Results& results_;
  CellFindings found_;
};

}  // namespace

CellFindings judged(const Cell& cell, const Results& results) {
  return CellRules(cell, results).findings();
}

}  // namespace ladder::reports
