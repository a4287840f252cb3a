#include "reports/formats/markdown/report_md.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>
#include <vector>

#include "reports/formats/figures/drawn_ladders.hpp"
#include "reports/formats/markdown/cell_tables.hpp"
#include "reports/formats/markdown/ladder_table.hpp"
#include "reports/formats/markdown/library_upgrade.hpp"
#include "reports/formats/markdown/operation_page.hpp"
#include "reports/formats/paper/citation.hpp"
#include "reports/notes/claims.hpp"
#include "reports/notes/formulas.hpp"
#include "reports/notes/overview.hpp"
#include "reports/notes/printed.hpp"
#include "reports/numbers/cell_table.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/soundness/cautions.hpp"
#include "reports/soundness/merged_shards.hpp"
#include "reports/targets/odd_sizes.hpp"
#include "reports/targets/targets.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/lead_sentences.hpp"

namespace ladder::reports {
namespace {

constexpr const char* study_notes = "study_notes";  // its page
constexpr const char* targets = "targets";          // another

}  // namespace

std::string machine_in_short(const Results& results) {
  const Machine& machine = results.machine;
  const std::string shards = shards_in_words(results);
  return fmt::format(
      "{} ({}, {}{}{})", escaped(machine.cpu), counted(machine.cores, "core", "cores"),
      machine.gpu ? escaped(machine.gpu->name) : "no GPU used", shards.empty() ? "" : "; ", shards);
}

std::string verdicts(const std::vector<Cell>& cells) {
  std::map<Verdict, std::size_t> count;
  for (const Cell& c : cells) ++count[c.verdict()];
  std::vector<std::string> parts;
  const auto add = [&](Verdict verdict, std::string_view one, std::string_view many) {
    if (count[verdict] > 0) parts.push_back(counted(count[verdict], one, many));
  };
  add(Verdict::pass, "passed", "passed");
  add(Verdict::fail, "**failed**", "**failed**");
  add(Verdict::expected_wrong, "is wrong on purpose", "are wrong on purpose");
  add(Verdict::skipped, "was skipped", "were skipped");
  add(Verdict::crashed, "**crashed**", "**crashed**");
  add(Verdict::timeout, "**did not end in time**", "**did not end in time**");
  return enumerated(parts);
}

std::string warnings(const std::vector<Caution>& cautions) {
  std::string text;
  for (const auto& [what, why] : cautions)
    text += fmt::format("{}> **{}.** {}\n", text.empty() ? "> [!WARNING]\n" : ">\n", escaped(what),
                        escaped(why));
  return text.empty() ? "" : text + '\n';
}

namespace {

// The best of each backend and contract, in a sentence each.
std::string highlights(const std::vector<Cell>& cells) {
  std::map<std::pair<Backend, std::optional<Contract>>, const Cell*> best;
  for (const Cell& c : cells) {
    if (c.timing() == nullptr || c.input.offset != 0) continue;
    const bool in_cache = std::ranges::find(c.flags, "fits_in_cache") != c.flags.end();
    if (in_cache) continue;  // says nothing of memory
    // Cold caches before warm ones, as in the tables.
    const auto rank = [](const Cell& of) {
      return std::pair(of.how.cache != Cache::warm, of.timing()->bandwidth_gbps.median);
    };
    const Cell*& leader = best[{c.how.backend, c.how.contract}];
    if (leader == nullptr || rank(c) > rank(*leader)) leader = &c;
  }
  std::string text;
  for (const auto& [where, c] : best) {
    text += fmt::format(
        " The highest bandwidth on the {}{} was {} GB/s, by {} ({}, {}{}, n = {}{}){}.",
        c->how.backend == Backend::cuda ? "GPU" : "CPU",
        c->how.contract == Contract::host_result && c->how.backend == Backend::cuda
            ? " until the host holds the result"
            : "",
        three_digits(c->timing()->bandwidth_gbps.median), code(c->who.rung),
        code(c->input.operation), c->input.op ? escaped(*c->input.op) + ", " : "",
        escaped(c->input.dtype),
        elements(c->input.n) + over_devices(c->input.devices, c->input.process_for_each_device),
        c->how.cache ? fmt::format(", {} cache", name_of(*c->how.cache)) : "",
        c->timing()->percent_of_ceiling
            ? fmt::format(", {} % of the measured ceiling",
                          three_digits(*c->timing()->percent_of_ceiling))
            : "");
  }
  return text;
}

std::string overview(const Results& r) {
  const std::vector<Cell>& cells = r.cells;
  std::map<std::string, std::set<std::string>> operators;
  std::set<std::string> dtypes;
  std::set<Backend> backends;
  std::set<std::pair<std::string, Who>> implementations;  // of an operation
  std::set<std::uint64_t> sizes;
  for (const Cell& c : cells) {
    operators[c.input.operation].insert(c.input.op.value_or(""));
    dtypes.insert(c.input.dtype);
    backends.insert(c.how.backend);
    implementations.emplace(c.input.operation, c.who);
    sizes.insert(c.input.n);
  }
  if (cells.empty())
    return fmt::format("Nothing was run on {}, {}.\n\n", machine_in_short(r), escaped(r.run.date));
  std::vector<std::string> what, ns;
  for (const std::string& operation : Order(r).operations(cells)) {
    const auto& ops = operators.at(operation);
    what.push_back(code(operation) + (ops.size() > 1 ? fmt::format(" with {} operators", ops.size())
                                      : ops.begin()->empty() ? ""
                                                             : " by " + escaped(*ops.begin())));
  }
  for (const auto n : sizes) ns.push_back(elements(n));
  std::string text = fmt::format(
      "{} of {}, for {} at n = {}, on {}, {}. Of {}, {}.",
      counted(implementations.size(), "implementation", "implementations"), enumerated(what),
      counted(dtypes.size(), "element type", "element types"), enumerated(ns), machine_in_short(r),
      escaped(r.run.date.substr(0, 10)), counted(cells.size(), "row", "rows"), verdicts(cells));
  if (backends.contains(Backend::emulated))
    text += fmt::format(
        " The hand-written kernels {}ran thread by thread on the CPU, where everything they do is "
        "counted and nothing is timed.",
        backends.contains(Backend::cuda) ? "also " : "");
  return text + highlights(cells) + "\n\n";
}

// Explains the columns that occur, once.
std::string how_to_read(const std::vector<Cell>& cells) {
  std::string text;
  for (const Column& column : columns()) {
    const bool occurs =
        std::ranges::any_of(cells, [&](const Cell& c) { return !column.text(c).empty(); });
    if (occurs && !column.meaning.empty())
      text += fmt::format("- **{}**: {}\n", column.title, column.meaning);
  }
  return text.empty()
             ? ""
             : "<details><summary>How to read the tables</summary>\n\n" + text + "\n</details>\n\n";
}

std::string clocks_text(const std::vector<Cell>& cells) {
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
  return text + fmt::format(", held down in {} by {}", counted(slowed, "row", "rows"),
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
  std::vector<std::string> parts;
  parts.reserve(alike.size());
  for (const auto& [what, which] : alike)
    parts.push_back(
        fmt::format("{}: {}", alike.size() == 1 ? "each to each" : joined(which), what));
  return joined(parts, "; ");
}

}  // namespace

std::vector<std::vector<std::string>> machine_rows(const Results& r) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&rows](const std::string& what, const std::string& value) {
    if (!value.empty()) rows.push_back({what, value});
  };
  const auto compiler = [](const std::string& name, const std::string& flags) {
    return escaped(name) + (flags.empty() || name.empty() ? "" : ", " + code(flags));
  };
  const Machine& m = r.machine;
  add("CPU", fmt::format("{}, {}, last-level cache {}", escaped(m.cpu),
                         counted(m.cores, "core", "cores"), bytes_text(m.last_level_cache_bytes)));
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
      text += fmt::format(", {} on it",
                          counted(*s.other_processes, "other process", "other processes"));
    return text;
  };
  const auto identity = [](const Gpu& gpu) {
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
          fmt::format("{}, {}, PCI {}", escaped(m.further_gpus[i].name),
                      escaped(m.further_gpus[i].uuid), escaped(m.further_gpus[i].pci_bus_id)));
    if (!m.links.empty()) add("links between devices", links_in_words(m.links));
    add("driver", escaped(g.driver));
  }
  for (std::size_t i = 0; i < r.merged.size(); ++i) {
    const auto& gpu = r.merged[i].machine.gpu;
    const auto rows_of_it =
        static_cast<std::size_t>(std::ranges::count(r.cells, i + 1, &Cell::shard));
    add(fmt::format("shard {}", i + 1),
        fmt::format("{}{}", counted(rows_of_it, "row", "rows"),
                    gpu ? fmt::format("; {}; before the run: {}; after it: {}", identity(*gpu),
                                      state(gpu->before), state(gpu->after))
                        : ""));
  }
  const Software& s = r.software;
  add("system", escaped(s.os + (s.kernel.empty() ? "" : ", kernel " + s.kernel)));
  add("host compiler", compiler(s.host_compiler, s.host_flags));
  add("compiler of the emulated kernels", compiler(s.emulated_compiler, s.emulated_flags));
  add("CUDA compiler", compiler(s.cuda_compiler.value_or(""), s.cuda_flags.value_or("")));
  add("CUDA runtime", escaped(s.cuda_runtime.value_or("")));
  add("CCCL", escaped(s.cccl.value_or("")));
  add("cuBLAS", escaped(s.cublas.value_or("")));
  add("NCCL", escaped(s.nccl.value_or("")));
  add("Thrust on the CPU", escaped(s.thrust.value_or("")));
  add("oneTBB", escaped(s.tbb.value_or("")));
  return rows;
}

namespace {

// As tables of ceilings and overheads have it.
std::string where(Backend backend, unsigned shard) {
  return (backend == Backend::cuda ? "GPU" : "CPU") +
         (shard == 0 ? "" : fmt::format(", shard {}", shard));
}

}  // namespace

std::vector<std::vector<std::string>> ceiling_rows(const std::vector<Ceiling>& ceilings) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(ceilings.size());
  for (const Ceiling& c : ceilings) {
    rows.push_back({where(c.backend, c.shard), std::string(name_of(c.access)),
                    c.memory == Memory::dram    ? "memory"
                    : c.memory == Memory::cache ? "cache"
                                                : "memory of another device",
                    bytes_text(c.bytes), three_digits(c.bandwidth_gbps)});
  }
  return rows;
}

std::vector<std::vector<std::string>> overhead_rows(const std::vector<Overhead>& overheads) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(overheads.size());
  for (const Overhead& o : overheads)
    rows.push_back({where(o.backend, o.shard), code(std::string(name_of(o.contract))),
                    escaped(o.of), fmt::format("{} us", three_digits(o.median_us))});
  return rows;
}

std::string reproduce_commands(const Results& results) {
  const Run& run = results.run;
  std::string text =
      run.commit == "unknown" ? "" : fmt::format("git checkout {}\n", shortened(run.commit));
  for (const MergedShard& shard : results.merged) text += shortened(shard.command) + '\n';
  return text + shortened(run.command);
}

std::string stopping_rules(const std::vector<Effort>& efforts) {
  std::string text;
  for (const Effort& e : efforts) {
    text += fmt::format(
        "- {}: {}. Each process stops at {} or more with a 95 % interval within 3 % of the median, "
        "or at {} samples, or after {:g} s.\n",
        e.backend == Backend::cuda ? "GPU" : "CPU", counted(e.processes, "process", "processes"),
        counted(e.min_samples, "sample", "samples"), e.max_samples, e.max_seconds);
  }
  return text.empty() ? "" : "\nHow long a row is timed:\n\n" + text;
}

namespace {

std::string machine_section(const Results& r) {
  return "## Machine and software\n\n" + markdown_table({{"part"}, {"what"}}, machine_rows(r)) +
         '\n';
}

std::string ceilings_section(const std::vector<Ceiling>& ceilings) {
  if (ceilings.empty()) return "";
  return "### Ceilings\n\nThe bandwidth of loops that only move memory, in the same run. Copy "
         "counts bytes read and bytes written.\n\n" +
         markdown_table({{"where"}, {"access"}, {"data in"}, {"bytes moved", true}, {"GB/s", true}},
                        ceiling_rows(ceilings)) +
         '\n';
}

std::string overheads_section(const std::vector<Overhead>& overheads) {
  if (overheads.empty()) return "";
  return "### Overheads\n\nThe time that the clock shows for no kernel and for an empty kernel; "
         "until the host holds the result, with a copy of four "
         "bytes. It is never subtracted.\n\n" +
         markdown_table({{"where"}, {"contract"}, {"timed"}, {"median", true}},
                        overhead_rows(overheads)) +
         '\n';
}

std::string reproduce(const Results& results) {
  return "## Reproduce\n\n" + fenced("sh", reproduce_commands(results)) +
         stopping_rules(results.run.efforts) +
         fmt::format(
             "\nSeed {}. Times differ from machine to machine. With one compiler, counts do "
             "not.\n\n",
             results.run.seed);
}

std::string cite(const Run& run) {
  return fmt::format("## Cite\n\nThis run is {}: a hash of everything in its `results.json`.\n\n{}",
                     code(run.id), fenced("bibtex", bibtex(run)));
}

// As GitHub and most renderers make it of a heading.
std::string anchor(std::string_view heading) {
  std::string name;
  for (const unsigned char c : heading) {
    if (std::isalnum(c) != 0 || c == '-' || c == '_') name += static_cast<char>(std::tolower(c));
    else if (c == ' ') name += '-';
  }
  return name;
}

// Links to the sections of `body`.
std::string contents(const std::string& body) {
  std::vector<std::string> links;
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("## "))
      links.push_back(fmt::format("[{}](#{})", line.substr(3), anchor(line.substr(3))));
  return joined(links, " · ") + "\n\n";
}

// What report.md shows of an operation: its ladder on the input that tells most.
std::string in_short(const Results& results, const Order& order, const std::vector<Cell>& cells,
                     const std::vector<Excerpt>& gpu) {
  std::string text;
  for (const std::string& sentence : {standing(cells, order), faster_from(cells, order)})
    if (!sentence.empty()) text += sentence + "\n\n";
  for (const Excerpt& excerpt : gpu)
    if (excerpt.from != &results)
      text += fmt::format("Published, not measured here: on {}, {}\n\n",
                          escaped(gpu_name(*excerpt.from)),
                          standing(excerpt.times, Order(*excerpt.from)));
  if (const auto shown = telling_gpu_times(cells, order); !shown.empty())
    return text + fmt::format("On {}:\n\n{}\n", input_in_words(shown.back().key()),
                              ladder_table(shown, cells));
  std::map<Backend, std::vector<Cell>> by_backend;
  for (const Cell& c : cells) by_backend[c.how.backend].push_back(c);
  for (const auto& [backend, its_cells] : by_backend) {
    const auto shown = telling_of_nearly_all(its_cells, order);
    How how = shown[0].how;
    how.cache.reset();  // a word of the input
    text += fmt::format("{}, for {}:\n\n{}\n", how_in_words(how, {}),
                        input_in_words(shown.back().key()), tables(shown, order)[0].markdown);
  }
  return text;
}

// What was missed. Its page has all.
std::string targets_section(const std::vector<TargetResult>& all) {
  std::vector<TargetResult> missed;
  std::ranges::copy_if(all, std::back_inserter(missed),
                       [](const TargetResult& one) { return one.reach == Reach::missed; });
  return fmt::format("## Targets\n\nTargets: {}; [every target](report/{}.md).{}\n\n",
                     targets_in_short(all), targets,
                     missed.empty() ? "" : " Missed:\n\n" + targets_table(missed));
}

// A name for each page, no two alike.
std::map<std::string, std::string> page_names(const std::vector<std::string>& operations) {
  std::set<std::string> taken{study_notes, targets};
  std::map<std::string, unsigned> twins;
  std::map<std::string, std::string> names;
  for (const std::string& operation : operations) {
    const std::string plain = as_file_name(operation);
    std::string name = plain;
    while (!taken.insert(name).second) name = fmt::format("{}_{}", plain, ++twins[plain] + 1);
    names[operation] = name;
  }
  return names;
}

}  // namespace

Files markdown_files(const Results& results, const std::vector<Results>& published,
                     const Soundness& soundness, const Pictures& pictures) {
  const std::vector<Cell>& cells = results.cells;
  const Order order(results);
  const std::string beware = warnings(cautions(results, soundness));
  const auto page = [&](const std::string& title, const std::string& body) {
    return fmt::format(
        "# {}\n\nA page of [the report](../report.md) on run {} of {}, on {}.\n\n{}{}", title,
        code(short_id(results.run)), escaped(results.run.date.substr(0, 10)),
        machine_in_short(results), beware, body);
  };
  Files files;
  std::string text;
  const auto rows = pictures.empty() ? std::vector<FlatRow>() : flat(results);
  const auto names = page_names(order.operations(cells));
  const auto cells_of = by_operation(cells);
  for (const std::string& operation : order.operations(cells)) {
    const auto& its_cells = cells_of.at(operation);
    const auto gpu = excerpts(results, order, its_cells, published);
    const std::string& name = names.at(operation);
    text += fmt::format("## {}\n\n", escaped(operation));
    if (const std::string picture = ladder_picture(operation, its_cells, order, rows, pictures);
        !picture.empty())
      text += fmt::format("![The ladder of {}]({})\n\n", escaped(operation), picture);
    text += in_short(results, order, its_cells, gpu) +
            fmt::format("[Every rung explained, and every table](report/{}.md)\n\n", name);
    std::vector<Cell> shown = its_cells;
    for (const Excerpt& excerpt : gpu)
      shown.insert(shown.end(), excerpt.times.begin(), excerpt.times.end());
    files[fmt::format("report/{}.md", name)] = page(
        escaped(operation), how_to_read(shown) + operation_page(results, order, its_cells, gpu));
  }
  if (std::ranges::any_of(cells, [](const Cell& c) { return c.how.backend == Backend::cuda; }))
    text += std::string(how_to_read_ladder) + '\n';
  for (const auto& [name, title] :
       {std::pair("X one device", "x one device"), {"Vs same promise", "vs same promise"}})
    if (const Column& its = column(title);
        std::ranges::any_of(cells, [&](const Cell& c) { return !its.text(c).empty(); }))
      text += fmt::format("*{}*: {}\n\n", name, its.meaning);
  const std::string notes =
      claims_section(cells) + formulas_section(results) + printed_section(cells, gpu_name(results));
  if (!notes.empty()) {
    files[fmt::format("report/{}.md", study_notes)] = page("The study notes", notes);
    text += fmt::format(
        "## The study notes\n\nThe claims of the notes, and the verdicts of this run; [the "
        "evidence](report/{}.md).\n\n{}\n",
        study_notes, notes_overview(results));
  }
  text += upgrade_section(results);
  if (speaks_of_targets(results)) {
    const auto all = judged_targets(results);
    files[fmt::format("report/{}.md", targets)] =
        page("Targets", fmt::format("Targets: {}.\n\n{}\n{}", targets_in_short(all),
                                    targets_table(all), odd_sizes_text(results)));
    text += targets_section(all);
  }
  text += machine_section(results) + ceilings_section(results.ceilings) +
          overheads_section(results.overheads);
  text += reproduce(results) + cite(results.run);
  files["report.md"] = fmt::format(
      "# Kernel Ladder report\n\n{}{} `report.html` beside this file has figures, filters and "
      "every row.\n\n{}{}{}",
      beware, lead(results), overview(results), contents(text), text);
  return files;
}

}  // namespace ladder::reports
