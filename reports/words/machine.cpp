#include "reports/words/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

std::string clocks_text(const Cells& cells) {
  std::vector<double> mhz;
  std::set<std::string> why;
  std::size_t slowed = 0;
  for (const Cell& c : cells) {
    if (c.timing() == nullptr || !c.timing()->clocks) continue;
    const Clocks& clocks = *c.timing()->clocks;
    mhz.insert(mhz.end(), {clocks.sm_mhz_min, clocks.sm_mhz_max});
    for (const std::string& reason : clocks.slowed_by) why.insert(escaped(reason));
    slowed += clocks.slowed_by.empty() ? 0 : 1;
  }
  if (mhz.empty()) return "";
  const auto [lowest, highest] = std::ranges::minmax(mhz);
  const std::string text =
      fmt::format("SM clock {} to {} MHz", three_digits(lowest), three_digits(highest));
  if (slowed == 0) return text + ", not held down";
  return text + fmt::format(", held down in {} by {}", counted(slowed, "row"),
                            joined({why.begin(), why.end()}));
}

// "each to each: peer access, native atomics, NVLink", or which to which
std::string links_in_words(const std::vector<Link>& links) {
  std::map<std::string, std::vector<std::string>> alike;
  for (const Link& one : links) {
    const std::string what = !one.peer_access ? "no peer access"
                                              : fmt::format("peer access, {}native atomics{}",
                                                            one.native_atomics ? "" : "no ",
                                                            !one.nvlink   ? ""
                                                            : *one.nvlink ? ", NVLink"
                                                                          : ", PCIe");
    alike[what].push_back(fmt::format("{} to {}", one.from, one.to));
  }
  const auto parts = each(alike, [&](const auto& one) {
    return fmt::format("{}: {}", alike.size() == 1 ? "each to each" : joined(one.second),
                       one.first);
  });
  return joined(parts, "; ");
}

// As tables of ceilings and overheads have it.
std::string where(Backend backend, unsigned shard) {
  return (backend == Backend::cuda ? "GPU" : "CPU") +
         (shard == 0 ? "" : fmt::format(", shard {}", shard));
}

}  // namespace

std::string machine_in_short(const Results& results) {
  const Machine& machine = results.machine;
  const std::string shards = shards_in_words(results);
  return fmt::format("{} ({}, {}{}{})", escaped(machine.cpu), counted(machine.cores, "core"),
                     machine.gpu ? escaped(machine.gpu->name) : "no GPU used",
                     shards.empty() ? "" : "; ", shards);
}

Table machine_table(const Results& r) {
  Table table{{"part", "what"}};
  const auto add = [&table](const std::string& what, const std::string& value) {
    if (!value.empty()) table.rows.push_back({what, value});
  };
  const auto compiler = [](const std::string& name, const std::string& flags) {
    return escaped(compiler_in_words(name)) +
           (flags.empty() || name.empty() ? "" : ", " + code(flags));
  };
  const Machine& m = r.machine;
  add("CPU", fmt::format("{}, {}, last-level cache {}", escaped(m.cpu), counted(m.cores, "core"),
                         bytes_text(m.last_level_cache_bytes)));
  add("memory", bytes_text(m.memory_bytes));
  const auto state = [](const GpuState& s) {
    std::string text;
    const auto say = [&text](const char* what, std::optional<double> value, const char* unit) {
      if (value)
        text +=
            fmt::format("{}{} {} {}", text.empty() ? "" : ", ", what, three_digits(*value), unit);
    };
    say("SM clock", s.sm_clock_mhz, "MHz");
    say("memory clock", s.memory_clock_mhz, "MHz");
    say("temperature", s.temperature_c, "°C");
    say("power", s.power_w, "W");
    if (s.other_processes)
      text += fmt::format(", {} on it", counted(*s.other_processes, "other process"));
    return text;
  };
  const auto identity = [](const auto& gpu) {
    return fmt::format("{}, PCI {}", escaped(gpu.uuid), escaped(gpu.pci_bus_id));
  };
  if (!m.gpu) add("GPU", "none used");
  else {
    const Gpu& g = *m.gpu;
    const auto on = [](const char* name, std::optional<bool> is_on) {
      return is_on ? fmt::format(", {} {}", name, *is_on ? "on" : "off") : "";
    };
    add("GPU", fmt::format("{}, compute capability {}, {} multiprocessors, L2 {}, memory {}{}{}{}",
                           escaped(g.name), escaped(g.compute_capability), g.multiprocessors,
                           bytes_text(g.l2_bytes), bytes_text(g.memory_bytes), on("ECC", g.ecc),
                           on("MIG", g.mig),
                           g.power_limit_w
                               ? fmt::format(", power limit {} W", three_digits(*g.power_limit_w))
                               : ""));
    add("GPU memory",
        fmt::format("{} MHz, {} bits: {} GB/s by its datasheet", three_digits(g.memory_clock_mhz),
                    g.memory_bus_bits, three_digits(g.datasheet_gbps)));
    add("GPU before the run", state(g.before));
    add("GPU after the run", state(g.after));
    add("GPU during the samples", clocks_text(r.cells));
    if (r.merged.empty()) add("GPU identity", identity(g));
    for (std::size_t i = 0; i < m.further_gpus.size(); ++i)
      add(fmt::format("GPU of device {}", i + 1),
          escaped(m.further_gpus[i].name) + ", " + identity(m.further_gpus[i]));
    if (!m.links.empty()) add("links between devices", links_in_words(m.links));
    add("driver", escaped(g.driver));
  }
  for (std::size_t i = 0; i < r.merged.size(); ++i) {
    const auto& gpu = r.merged[i].machine.gpu;
    const auto rows_of_it =
        static_cast<std::size_t>(std::ranges::count(r.cells, i + 1, &Cell::shard));
    add(fmt::format("shard {}", i + 1),
        fmt::format("{}{}", counted(rows_of_it, "row"),
                    gpu ? fmt::format("; {}; before the run: {}; after it: {}", identity(*gpu),
                                      state(gpu->before), state(gpu->after))
                        : ""));
  }
  const Software& s = r.software;
  add("system", escaped(s.os + (s.kernel.empty() ? "" : ", kernel " + s.kernel)));
  add("host compiler", compiler(s.host_compiler, s.host_flags));
  add("compiler of the emulated kernels", compiler(s.emulated_compiler, s.emulated_flags));
  add("CUDA compiler", compiler(s.cuda_compiler.value_or(""), s.cuda_flags.value_or("")));
  for (const auto& [what, version] : {std::pair("CUDA runtime", s.cuda_runtime),
                                      {"CCCL", s.cccl},
                                      {"cuBLAS", s.cublas},
                                      {"NCCL", s.nccl},
                                      {"Thrust on the CPU", s.thrust},
                                      {"oneTBB", s.tbb}})
    add(what, escaped(version.value_or("")));
  return table;
}

Table ceiling_table(const std::vector<Ceiling>& ceilings) {
  Table table{{"where", "access", "data in", {"bytes moved", true}, {"GB/s", true}}};
  for (const Ceiling& c : ceilings) {
    table.rows.push_back({where(c.backend, c.shard), std::string(name_of(c.access)),
                          c.memory == Memory::dram    ? "memory"
                          : c.memory == Memory::cache ? "cache"
                                                      : "memory of another device",
                          bytes_text(c.bytes), three_digits(c.bandwidth_gbps)});
  }
  return table;
}

Table overhead_table(const std::vector<Overhead>& overheads) {
  Table table{{"where", "contract", "timed", {"median", true}}};
  for (const Overhead& o : overheads)
    table.rows.push_back({where(o.backend, o.shard), until_in_words({o.backend, o.contract, {}}),
                          escaped(o.of), three_digits(o.median_us) + " us"});
  return table;
}

std::string reproduce_commands(const Results& results) {
  const Run& run = results.run;
  std::string text =
      run.commit == "unknown" ? "" : fmt::format("git checkout {}\n", shortened(run.commit));
  for (const MergedShard& shard : results.merged) text += shortened(shard.command) + '\n';
  return text + shortened(run.command);
}

std::string stopping_rules(const std::vector<Effort>& efforts) {
  std::string rules;
  bool several = false;
  for (const Effort& e : efforts) {
    std::string where = e.backend == Backend::cuda ? "GPU" : "CPU";
    const auto others = only(
        efforts, [&](const Effort& other) { return other.backend == e.backend && other != e; });
    several = several || !others.empty();
    // a preset has two for as many processes
    if (others.size() == 1 && others[0].processes == e.processes)
      where += e.max_seconds < others[0].max_seconds ? ", short runs" : ", long runs";
    rules += passage("report/stopping rule", {{"where", where},
                                              {"processes", counted(e.processes, "process")},
                                              {"samples", counted(e.min_samples, "sample")},
                                              {"most", std::to_string(e.max_samples)},
                                              {"seconds", fmt::format("{:g}", e.max_seconds)}}) +
             '\n';
  }
  if (rules.empty()) return "";
  return '\n' +
         passage("report/stopping rules",
                 {{"rules", rules},
                  {"several", several ? '\n' + passage("report/several rules") + '\n' : ""}}) +
         '\n';
}

}  // namespace ladder::reports
