// BibTeX entries of the software and of the result set; a sentence on how it was measured; and
// where the choice leaves one cell, a sentence with its time, or its counts where it has none.
// BibTeX takes no notice of what stands between entries, so all of it is a .bib file.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <set>
#include <vector>

#include "reports/formats/report.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/metrics.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/interval_digits.hpp"
#include "reports/text/latex_escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/passages.hpp"
#include "reports/words/citation.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

std::string processes_in_words(const Results& results, Backend backend) {
  unsigned least = ~0U, most = 0;
  for (const Effort& e : results.run.efforts)
    if (e.backend == backend)
      least = std::min(least, e.processes), most = std::max(most, e.processes);
  return least == most ? counted(most, "process") : fmt::format("{} to {} processes", least, most);
}

// Of the calls that were timed: "3.0.1 and 3.5.0". Of a set that does not say it, the older one.
std::string cccl_versions(const Report& report) {
  std::set<std::string> versions;
  for (const Cell& c : report.results.cells)
    if (const Rung* card = report.set.order.card(c);
        c.how.backend == Backend::cuda && card != nullptr && is_of_cccl(*card))
      versions.insert(card->library.substr(card->library.find(' ') + 1));
  if (versions.empty()) return report.results.software.cccl.value_or("");
  return enumerated({versions.begin(), versions.end()});
}

std::string methods(const Report& report) {
  const Results& r = report.results;
  const auto version = [](std::string_view name, const std::optional<std::string>& of) {
    return of && !of->empty() ? fmt::format("{}{}", name, printable(*of)) : std::string();
  };
  const bool on_gpu = any_timed(r.cells, Backend::cuda);
  std::vector<std::string> with{
      r.machine.gpu ? version("driver ", r.machine.gpu->driver) : "",
      version("CUDA ", r.software.cuda_runtime),
      on_gpu ? version("CCCL ", cccl_versions(report)) : "",
      version("cuBLAS ", r.software.cublas),
      most_devices_of(r.cells) > 0 ? version("NCCL ", r.software.nccl) : "",
      version("", r.software.cuda_compiler),
      version("", short_version(compiler_in_words(r.software.host_compiler))),
      version("", r.software.os)};
  std::erase(with, "");
  std::string text = passage("citation/methods", {{"device", device_in_words(r)},
                                                  {"commit", printable(r.run.commit.substr(0, 12))},
                                                  {"id", printable(r.run.id)},
                                                  {"date", printable(r.run.date.substr(0, 10))},
                                                  {"with", joined(with)}});
  if (on_gpu || any_timed(r.cells, Backend::host))
    return text + ' ' +
           passage("citation/timed",
                   {{"processes", processes_in_words(r, on_gpu ? Backend::cuda : Backend::host)}});
  return text + ' ' + passage("citation/counted");
}

std::string name_with_library(const Report& report, const Cell& cell) {
  const Rung* const card = report.set.order.card(cell);
  const std::string library = card == nullptr ? "" : library_in_short(*card);
  return fmt::format("`{}`{}", printable(cell.who.rung),
                     library.empty() ? "" : " of " + printable(library));
}

// The fastest library on the input of the cell.
std::string fastest_library(const Report& report, const Cell& cell) {
  const Cells& all = report.results.cells;
  const auto found = std::ranges::find_if(all, [&](const Cell& c) {
    return is_fastest_library(c) && c.how == cell.how &&
           group_input(c.input) == group_input(cell.input);
  });
  return found == all.end() ? "the fastest library" : name_with_library(report, *found);
}

std::string speed(const Report& report, const Cell& cell) {
  const auto& ratio = cell.timing()->ratios.vs_fastest_library;
  if (!ratio) return "";
  const Precise value(ratio->value, ratio->ci95_low, ratio->ci95_high);
  Holes holes{{"low", value.low}, {"high", value.high}, {"library", fastest_library(report, cell)}};
  if (ratio->verdict == Difference::none_shown) return passage("citation/no difference", holes);
  holes["value"] = value.value;
  return passage("citation/ratio", holes);
}

std::string number(const Report& report, const Cell& cell) {
  const Time& us = cell.timing()->time_us;
  const Duration unit(us.median);
  const Precise time(us.median * unit.scale, us.ci95_low * unit.scale, us.ci95_high * unit.scale);
  const std::string device = device_in_words(report.results);
  return passage(
      "citation/number",
      {{"device", fmt::format("{} {}", article_of(device), device)},
       {"rung", name_with_library(report, cell)},
       {"does", does_in_words(cell.input)},
       {"caches", cell.how.cache ? fmt::format(" from {} caches", name_of(*cell.how.cache)) : ""},
       {"time", fmt::format("{} {}", time.value, unit.unit)},
       {"low", time.low},
       {"high", time.high},
       {"ratio", speed(report, cell)},
       {"input", printable(cell.input.distribution + what_few_have(cell.input))},
       {"until", until_in_words(cell.how)},
       {"run", printable(short_id(report.results.run))}});
}

// What the kernel did, where it was only counted.
std::string counts(const Report& report, const Cell& cell) {
  std::vector<std::string> parts;
  const auto say = [&](std::optional<double> value, const char* one, const char* many) {
    if (value) parts.push_back(fmt::format("{} {}", shortest(*value), *value == 1 ? one : many));
  };
  say(counter<&Counters::global_load_bytes>(cell), "byte loaded from global memory",
      "bytes loaded from global memory");
  say(counter<&Counters::global_store_bytes>(cell), "byte stored to it", "bytes stored to it");
  say(sectors_per_load(cell), "sector per load", "sectors per load");
  say(barriers_per_thread(cell), "barrier per thread", "barriers per thread");
  return passage("citation/counts",
                 {{"rung", name_with_library(report, cell)},
                  {"does", does_in_words(cell.input)},
                  {"counts", enumerated(parts)},
                  {"where", std::string(on_the(cell.how.backend))},
                  {"input", printable(cell.input.distribution + what_few_have(cell.input))},
                  {"run", printable(short_id(report.results.run))}});
}

// Names in a typewriter's letters, and powers raised.
std::string latex_sentence(std::string_view text) {
  static const std::regex name("`([^`]*)`"), power("\\b(\\d+)\\\\textasciicircum\\{\\}(\\d+)");
  return std::regex_replace(std::regex_replace(latex(text), name, "\\texttt{$1}"), power,
                            "$$$1^{$2}$$");
}

// sentence: as it stands between the entries
std::string citation(const Report& report, std::string (*sentence)(std::string_view)) {
  std::string text = bibtex(report.results.run, device_in_words(report.results)) + '\n';
  const auto say = [&](const std::string& what) {
    text += '\n' + without_at(sentence(what)) + '\n';
  };
  for (const auto& [what, why] : report.cautions)
    say(fmt::format("Caution: {}. {}", printable(what), printable(why)));
  say(methods(report));
  if (const auto cell = chosen_cell(report.results.cells, report.choice, report.set.order))
    say(cell->timing() != nullptr ? number(report, *cell) : counts(report, *cell));
  return text;
}

}  // namespace

Files bibtex(const Report& report) {
  return {{"citation.bib", citation(report, one_line)},
          {"citation_for_latex.bib", citation(report, latex_sentence)}};
}

}  // namespace ladder::reports
