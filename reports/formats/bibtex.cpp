// BibTeX entries of the software and of the result set; a sentence on how it was measured; and
// where the choice leaves one cell, a sentence with its time. BibTeX takes no notice of what stands
// between entries, so all of it is a .bib file.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "reports/formats/report.hpp"
#include "reports/numbers/cells.hpp"
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

std::string methods(const Results& r) {
  const auto version = [](std::string_view name, const std::optional<std::string>& of) {
    return of ? fmt::format("{}{}", name, printable(*of)) : std::string();
  };
  std::vector<std::string> with{
      r.machine.gpu ? version("driver ", r.machine.gpu->driver) : "",
      version("CUDA ", r.software.cuda_runtime),
      version("CCCL ", r.software.cccl),
      version("cuBLAS ", r.software.cublas),
      most_devices_of(r.cells) > 0 ? version("NCCL ", r.software.nccl) : "",
      version("", r.software.cuda_compiler),
      version("", r.software.host_compiler),
      version("", r.software.os)};
  std::erase(with, "");
  std::string text = passage("citation/methods", {{"device", device_in_words(r)},
                                                  {"commit", printable(r.run.commit.substr(0, 12))},
                                                  {"id", printable(r.run.id)},
                                                  {"date", printable(r.run.date.substr(0, 10))},
                                                  {"with", joined(with)}});
  const bool gpu = any_timed(r.cells, Backend::cuda);
  if (!gpu && !any_timed(r.cells, Backend::host)) return text + ' ' + passage("citation/counted");
  return text + ' ' +
         passage("citation/timed",
                 {{"processes", processes_in_words(r, gpu ? Backend::cuda : Backend::host)}});
}

std::string number(const Results& results, const Cell& cell) {
  const Timing& timing = *cell.timing();
  const Duration unit(timing.time_us.median);
  const Precise time(timing.time_us.median * unit.scale, timing.time_us.ci95_low * unit.scale,
                     timing.time_us.ci95_high * unit.scale);
  std::string against;
  if (const auto& ratio = timing.ratios.vs_fastest_library) {
    const Precise value(ratio->value, ratio->ci95_low, ratio->ci95_high);
    against = ratio->verdict == Difference::none_shown
                  ? passage("citation/no difference", {{"low", value.low}, {"high", value.high}})
                  : passage("citation/ratio",
                            {{"value", value.value}, {"low", value.low}, {"high", value.high}});
  }
  return passage("citation/number", {{"device", device_in_words(results)},
                                     {"rung", printable(cell.who.rung)},
                                     {"time", fmt::format("{} {}", time.value, unit.unit)},
                                     {"low", time.low},
                                     {"high", time.high},
                                     {"input", input_in_plain_words(cell.key())},
                                     {"until", until_in_words(cell.how)},
                                     {"ratio", against},
                                     {"run", printable(short_id(results.run))}});
}

// sentence: as it stands between the entries
std::string citation(const Report& report, std::string (*sentence)(std::string_view)) {
  std::string text = software_entry() + "\n\n" + bibtex(report.results.run) + '\n';
  const auto say = [&](const std::string& what) {
    text += '\n' + without_at(sentence(what)) + '\n';
  };
  for (const auto& [what, why] : report.cautions)
    say(fmt::format("Caution: {}. {}", printable(what), printable(why)));
  say(methods(report.results));
  if (const auto cell = chosen_cell(report.results.cells, report.choice, report.set.order))
    say(number(report.results, *cell));
  return text;
}

}  // namespace

Files bibtex(const Report& report) {
  return {{"citation.bib", citation(report, one_line)},
          {"citation_for_latex.bib", citation(report, latex)}};
}

}  // namespace ladder::reports
