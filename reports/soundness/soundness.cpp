#include "reports/soundness/soundness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "reports/file/result_file.hpp"
#include "reports/file/schema.hpp"
#include "reports/model/json.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/soundness/cell_rules.hpp"
#include "reports/soundness/merged_shards.hpp"
#include "reports/text/lists.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

void check_run(const Results& results, Soundness& found) {
  const Run& run = results.run;
  const auto warn_if = [&](bool is_so, const char* where, const std::string& what) {
    if (is_so) found.warn(where, "{}", what);
  };
  warn_if(run.dirty, "/run/dirty",
          "the sources differed from their commit, so nobody else can build them");
  warn_if(run.commit == "unknown", "/run/commit", "the commit of the sources is unknown");
  warn_if(!run.complete, "/run/complete",
          "the run was interrupted: rows, or measuring processes of rows, are missing");
  warn_if(
      results.shard.has_value(), "/shard",
      fmt::format("it is {}: the rows of the other shards are missing", shards_in_words(results)));
  if (const auto& kernels = results.kernels) {
    found.warn("/kernels", "some kernels are of {}, not of this project", kernels->from);
    warn_if(kernels->commit == "unknown", "/kernels/commit",
            "the commit of those kernels is unknown");
    warn_if(kernels->dirty, "/kernels/dirty",
            "those kernels differed from their commit, so nobody else can build them");
  }
  for (std::size_t i = 0; i < results.rungs.size(); ++i)
    if (const std::string& from = results.rungs[i].from;
        !from.empty() && (!results.kernels || results.kernels->from != from))
      found.error(fmt::format("/rungs/{}/from", i), "it is not the folder of /kernels");
  if (results.cells.empty()) found.warn("/cells", "there are none");
}

// What times cannot be without. A worker measures its ceilings and overheads together; where it
// could not, a run goes on without both.
void check_needs(const Results& results, Soundness& found) {
  std::set<std::pair<unsigned, Backend>> timed;  // by shard
  bool gpu = false;
  for (const Cell& cell : results.cells) {
    gpu |= cell.how.backend == Backend::cuda && cell.passed();
    if (cell.timing() != nullptr) timed.emplace(cell.shard, cell.how.backend);
  }
  if (gpu && !results.machine.gpu)
    found.error("/machine/gpu", "it is null, and there are numbers of a GPU");
  if (!timed.empty() && !results.run.samples)
    found.error("/run/samples", "there are times, but no samples of them");
  using Listed = std::tuple<Backend, Contract, std::string_view>;
  constexpr Listed needed[] = {{Backend::cuda, Contract::device_result, "no kernel"},
                               {Backend::cuda, Contract::device_result, "an empty kernel"},
                               {Backend::cuda, Contract::host_result, "an empty kernel"},
                               {Backend::host, Contract::host_result, "no kernel"}};
  for (const auto& [shard, backend] : timed) {
    const auto is_of_backend = [its = backend](const Effort& one) { return one.backend == its; };
    const auto is_its = [its = std::pair(shard, backend)](const auto& one) {
      return std::pair(one.shard, one.backend) == its;
    };
    const auto is_missing = [&](const Listed& one) {
      return std::ranges::none_of(results.overheads, [&](const Overhead& o) {
        return is_its(o) && Listed(o.backend, o.contract, o.of) == one;
      });
    };
    if (std::ranges::none_of(results.run.efforts, is_of_backend))
      found.error("/run/efforts",
                  "there are times of the {} backend, and no rule for when one was done",
                  name_of(backend));
    const bool ceilings = std::ranges::any_of(results.ceilings, is_its),
               overheads = std::ranges::any_of(results.overheads, is_its);
    if (!ceilings && !overheads)
      found.warn("/ceilings", "the {} backend could not measure its ceilings and overheads",
                 name_of(backend));
    else if (!ceilings)
      found.error("/ceilings", "there are times of the {} backend, and no ceiling",
                  name_of(backend));
    else if (std::ranges::any_of(needed, [&, its = backend](const Listed& one) {
               return std::get<Backend>(one) == its && is_missing(one);
             }))
      found.error("/overheads", "there are times of the {} backend, and not each of its overheads",
                  name_of(backend));
  }
}

// The peak is by definition two transfers for each clock on every wire of the bus.
void check_gpu(const Results& results, Soundness& found) {
  if (!results.machine.gpu) return;
  const Gpu& gpu = *results.machine.gpu;
  const double peak = 2 * gpu.memory_clock_mhz * 1e6 * gpu.memory_bus_bits / 8 / 1e9;
  if (!agree(gpu.datasheet_gbps, peak))
    found.error("/machine/gpu/datasheet_gbps", "it is {}, memory clock and bus width make {}",
                gpu.datasheet_gbps, peak);
  for (std::size_t i = 0; i < results.ceilings.size(); ++i) {
    const Ceiling& c = results.ceilings[i];
    // no error: a cache may have taken the last of the writes
    if (c.backend == Backend::cuda && c.memory == Memory::dram && c.bandwidth_gbps > peak)
      found.warn(fmt::format("/ceilings/{}", i), "{} GB/s is above the datasheet peak, {}",
                 c.bandwidth_gbps, peak);
  }
}

// The further GPUs are the devices that the rows are over, but for the first.
void check_links(const Results& results, Soundness& found) {
  const Machine& machine = results.machine;
  const std::size_t devices = machine.further_gpus.size() + 1;
  if (devices > 1 && !machine.gpu)
    found.error("/machine/further_gpus", "there are some, and /machine/gpu is null");
  if (const unsigned most = most_devices_of(results.cells);
      devices > 1 && most > 0 && most != devices)
    found.error("/machine/further_gpus", "they make {} devices, and rows are over {}", devices,
                most);
  for (const FurtherGpu& one : machine.further_gpus)
    if (machine.gpu && one.name != machine.gpu->name)
      found.warn("/machine/further_gpus",
                 "they are of several models, and limits are those of the first");
  std::set<std::pair<unsigned, unsigned>> met;
  for (std::size_t i = 0; i < machine.links.size(); ++i) {
    const Link& one = machine.links[i];
    if (one.from >= devices || one.to >= devices || one.from == one.to ||
        !met.emplace(one.from, one.to).second)
      found.error(fmt::format("/machine/links/{}", i),
                  "it is not between two of the devices, or listed twice");
  }
}

// Every cell is of an operation and a rung that the file describes, each once, and of the bytes
// that its operation declares.
void check_described(const Results& results, Soundness& found, const auto& complain) {
  const auto described_once = [&](const char* list, const auto& all, const auto& name) {
    std::set<decltype(name(all[0]))> met;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!met.insert(name(all[i])).second)
        found.error(fmt::format("/{}/{}", list, i), "it is listed twice");
  };
  described_once("operations", results.operations, [](const Operation& o) { return o.name; });
  described_once("rungs", results.rungs,
                 [](const Rung& r) { return std::tuple(r.operation, r.provider, r.rung); });
  described_once("sources", results.sources, [](const SourceFile& file) { return file.path; });
  for (std::size_t i = 0; i < results.rungs.size(); ++i)
    if (const std::string& file = results.rungs[i].file;
        !file.empty() && std::ranges::count(results.sources, file, &SourceFile::path) == 0)
      found.error(fmt::format("/rungs/{}", i), "its file is not among /sources");
  described_once("ceilings", results.ceilings, [](const Ceiling& c) {
    return std::tuple(c.shard, c.backend, c.access, c.memory);
  });
  described_once("overheads", results.overheads, [](const Overhead& o) {
    return std::tuple(o.shard, o.backend, o.contract, o.of);
  });
  const Order order(results);
  for (const PlacedCell& i : placed_cells(results)) {
    const Cell& cell = *i;
    if (!is_limit(cell) && order.card(cell) == nullptr) complain(i, "its rung is not among /rungs");
    const Operation* operation = order.operation(cell.input.operation);
    if (operation == nullptr) {
      complain(i, "its operation is not among /operations");
      continue;
    }
    if (operation->operators.empty() ? cell.input.op.has_value()
                                     : !cell.input.op || !has(operation->operators, *cell.input.op))
      complain(i, "its operation does not declare its operator");
    if (cell.input.bins.has_value() != (operation->most_bins > 0) ||
        cell.input.bins > most_bins(*operation, cell.input.dtype))
      complain(i, "its operation does not declare as many bins");
    const Bytes &claimed = cell.minimum_bytes, made = minimum_bytes(*operation, cell.input);
    // 0: no row of this input got as far
    if (claimed != made && (cell.passed() || claimed != Bytes{}))
      complain(i, "minimum_bytes is {} and {}, its operation reads {} and writes {}", claimed.read,
               claimed.written, made.read, made.written);
  }
}

// A limit is of the input of a row, and no row is a limit.
void check_limits(const Results& results, const auto& complain) {
  std::set<std::pair<Input, How>> timed;
  for (const Cell& cell : results.cells) timed.emplace(group_input(cell.input), cell.how);
  for (const PlacedCell& one : placed_cells(results)) {
    const bool listed = one.list == "limits";
    if (listed != is_limit(*one))
      complain(one, "{}", listed ? "it is no limit" : "it is a limit, and stands among the rows");
    else if (listed && !timed.contains({one->input, one->how}))
      complain(one, "there is no row of its input");
  }
}

// A set is over one number of devices, with references on one, and of one process or of one for
// each device. A rung takes data of one kind.
void check_devices(const Results& results, const auto& complain) {
  for (const PlacedCell& i : placed_cells(results)) {
    const Cell& cell = *i;
    if (cell.input.process_for_each_device != results.cells[0].input.process_for_each_device)
      complain(i, "some rows have a process for each device, and others do not");
    if (cell.input.process_for_each_device && cell.how.contract == Contract::host_result)
      complain(i, "each device has a process of its own, so no host holds the whole answer");
  }
  const unsigned most = most_devices_of(results.cells);
  if (most == 0) return;
  std::map<std::pair<std::string, Who>, unsigned> devices;  // of each rung
  for (const PlacedCell& i : placed_cells(results)) {
    const Cell& cell = *i;
    const unsigned its = cell.input.devices;
    if (its > 0 && its != most)
      complain(i, "it is over {}, and another row over {}", counted(its, "device"), most);
    else if (devices.emplace(std::pair(cell.input.operation, cell.who), its).first->second != its)
      complain(i, "its rung has rows over devices, and rows on one device");
  }
}

// Where two documents of one shape first differ. Empty: nowhere.
std::string first_difference(const json& claimed, const json& made, const std::string& at,
                             std::string_view source) {
  if (claimed.is_number() && made.is_number() && agree(claimed.get<double>(), made.get<double>()))
    return {};
  const auto within = [&](const auto& key) {
    return at.empty() ? fmt::format("{}", key) : fmt::format("{}/{}", at, key);
  };
  if (claimed.is_object() && made.is_object()) {
    json either = claimed;  // a ratio may be there without the rows that it is of
    either.update(made);
    for (const auto& [name, value] : either.items())
      if (auto found = first_difference(claimed.value(name, json()), made.value(name, json()),
                                        within(name), source);
          !found.empty())
        return found;
    return {};
  }
  if (claimed.is_array() && made.is_array()) {
    if (claimed.size() != made.size())
      return fmt::format("{} has {}, {} make {}", at, counted(claimed.size(), "element"), source,
                         made.size());
    for (std::size_t i = 0; i < made.size(); ++i)
      if (auto found = first_difference(claimed[i], made[i], within(i), source); !found.empty())
        return found;
    return {};
  }
  if (claimed == made) return {};
  return fmt::format("{} is {}, {} make {}", at, claimed.dump(), source, made.dump());
}

std::string first_difference(const Timing& claimed, const Timing& made, std::string_view source) {
  const json a = claimed, b = made;
  for (const char* cause : {"processes", "time_us"})  // the rest follows from these
    if (auto what = first_difference(a[cause], b[cause], cause, source); !what.empty()) return what;
  return first_difference(a, b, "", source);
}

// Every number and flag that follows from others is what follows: from the samples, or without them
// from the medians of the processes.
void check_derived(const Results& results, const std::optional<Samples>& samples, Soundness& found,
                   const auto& complain) {
  Results made = results;
  const auto cells = placed_cells(results);
  const auto again = [&](std::size_t i) -> Cell& {
    return i < made.cells.size() ? made.cells[i] : made.limits[i - made.cells.size()];
  };
  for (std::size_t i = 0; samples && i < cells.size(); ++i) {
    const Cell& cell = *cells[i];
    // it can have gone wrong after some; or someone hides a competitor
    if (cell.verdict() != Verdict::pass && !(*samples)[i].empty())
      found.warn(place_of(cells[i]), "the verdict is {}, and there are samples of it",
                 name_of(cell.verdict()));
    if (cell.timing() == nullptr) continue;
    if ((*samples)[i].empty()) complain(cells[i], "there is a time, and no sample of it");
    else take_samples((*samples)[i], *again(i).outcome.measured()->timing);
  }
  derive(made);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell &claimed = *cells[i], &derived = again(i);
    const auto its = [&]<class... Values>(fmt::format_string<Values...> what, Values&&... values) {
      complain(cells[i], what, std::forward<Values>(values)...);
    };
    for (const std::string& flag : derived.flags)
      if (!has_flag(claimed, flag)) its("its numbers call for the flag {}", flag);
    for (const std::string& flag : claimed.flags)
      if (!has_flag(derived, flag)) its("its numbers do not call for the flag {}", flag);
    if (claimed.timing() == nullptr) continue;
    if (!derived.timing()->percent_of_ceiling &&
        std::ranges::any_of(results.ceilings, [&](const Ceiling& c) {
          return c.shard == claimed.shard && c.backend == claimed.how.backend;
        }))
      its("its ceiling is not among /ceilings");
    if (auto what = first_difference(*claimed.timing(), *derived.timing(),
                                     samples ? "the samples" : "the medians of the processes");
        !what.empty())
      its("{}", what);
  }
}

}  // namespace

Soundness soundness(const Results& results, const SamplesReader& read_samples) {
  Soundness found;
  found.rows = results.cells.size();
  check_run(results, found);
  check_needs(results, found);
  check_gpu(results, found);
  check_links(results, found);
  check_merged(results, found);
  const auto complain = [&]<class... Values>(const PlacedCell& cell,
                                             fmt::format_string<Values...> what,
                                             Values&&... values) {
    found.error(place_of(cell), what, std::forward<Values>(values)...);
  };
  check_described(results, found, complain);
  check_limits(results, complain);
  check_devices(results, complain);
  for (const auto& [cell, what] : cell_violations(results)) complain(cell, "{}", what);
  for (const PlacedCell& cell : placed_cells(results)) {
    const auto [broken, doubtful] = judged(*cell, results);
    for (const std::string& what : broken) complain(cell, "{}", what);
    for (const std::string& what : doubtful) found.warn(place_of(cell), "{}", what);
  }
  check_derived(results, read_samples ? read_samples(results, found) : std::nullopt, found,
                complain);
  return found;
}

Soundness soundness(const json& document, const SamplesReader& read_samples) {
  Soundness found;
  if (auto what = shape_violation(document); !what.empty()) {
    found.error("the schema", "{}", what);
    found.fits_schema = false;
    return found;
  }
  const auto results = document.get<Results>();
  found = soundness(results, read_samples);
  if (results.run.id != content_id(document))
    found.errors.insert(
        found.errors.begin(),
        {"/run/id", "it is not the hash of the content, which was changed after the run"});
  return found;
}

}  // namespace ladder::reports
