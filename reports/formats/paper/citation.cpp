#include "reports/formats/paper/citation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "reports/file/embedded.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/soundness/cautions.hpp"
#include "reports/soundness/merged_shards.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/interval_digits.hpp"
#include "reports/text/latex_escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {
namespace {

std::string software_entry() {
  const auto fact = [](std::string_view name) { return latex(citation_fact(name)); };
  return fmt::format(
      "@misc{{kernel_ladder,\n  author = {{{{{}}}}},\n  title  = {{{{{}}}}},\n  year   = {{{}}},\n "
      " note   = {{Software, version {}, {} "
      "license}}\n}}\n",
      fact("name"), fact("title"), fact("date-released").substr(0, 4), fact("version"),
      fact("license"));
}

// What has no space in it, so that a line can end in it.
std::string breakable(const std::string& text) {
  constexpr std::size_t piece = 16;
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += piece)
    out += (i > 0 ? "\\allowbreak{}" : "") + latex(printable(text.substr(i, piece)));
  return out;
}

// "@" would begin an entry.
std::string without_at(std::string text) {
  for (auto at = text.find('@'); at != text.npos; at = text.find('@', at))
    text.replace(at, 1, "(at)");
  return text;
}

bool has_timed(const Results& results, Backend backend) {
  return std::ranges::any_of(results.cells, [=](const Cell& c) {
    return c.how.backend == backend && c.timing() != nullptr;
  });
}

// As the rules for when a cell is done have it.
std::string processes_in_words(const Results& results, Backend backend) {
  unsigned least = ~0U, most = 0;
  for (const Effort& e : results.run.efforts)
    if (e.backend == backend)
      least = std::min(least, e.processes), most = std::max(most, e.processes);
  return least == most ? counted(most, "process", "processes")
                       : fmt::format("{} to {} processes", least, most);
}

std::string methods(const Results& r) {
  const auto version = [](std::string_view name, const std::optional<std::string>& of) {
    return of ? fmt::format("{}{}", name, printable(*of)) : std::string();
  };
  const bool over_devices =
      std::ranges::any_of(r.cells, [](const Cell& c) { return c.input.devices > 0; });
  std::vector<std::string> with;
  for (const auto& part :
       {r.machine.gpu ? version("driver ", r.machine.gpu->driver) : std::string(),
        version("CUDA ", r.software.cuda_runtime), version("CCCL ", r.software.cccl),
        version("cuBLAS ", r.software.cublas),
        over_devices ? version("NCCL ", r.software.nccl) : std::string(),
        version("", r.software.cuda_compiler), version("", r.software.host_compiler),
        version("", r.software.os)})
    if (!part.empty()) with.push_back(part);
  std::string text =
      fmt::format("Kernel Ladder (commit {1}, result set {2}) ran on {0}, on {3} with {4}.",
                  printable(r.run.date.substr(0, 10)), printable(r.run.commit.substr(0, 12)),
                  printable(r.run.id), device_in_words(r), joined(with));
  const bool gpu = has_timed(r, Backend::cuda);
  if (gpu || has_timed(r, Backend::host)) {
    const Backend backend = gpu ? Backend::cuda : Backend::host;
    text += fmt::format(
        " Each time is the median of the medians of {}; its 95 % confidence interval is over the "
        "processes (Student's t, on logarithms). "
        "A ratio is taken within each process. Only a right answer has a time.",
        processes_in_words(r, backend));
  } else {
    text +=
        " The kernels ran thread by thread on the CPU, where their accesses were counted and "
        "nothing was timed.";
  }
  return text;
}

std::string number(const Results& results, const Cell& cell) {
  const Timing& timing = *cell.timing();
  const Duration unit(timing.time_us.median);
  const Precise time(timing.time_us.median * unit.scale, timing.time_us.ci95_low * unit.scale,
                     timing.time_us.ci95_high * unit.scale);
  std::string text =
      fmt::format("On {}, {} takes {} {} (95 % confidence interval {} to {}) for {}, {}",
                  device_in_words(results), printable(cell.who.rung), time.value, unit.unit,
                  time.low, time.high, input_in_plain_words(cell.key()), until_in_words(cell.how));
  if (const auto& ratio = timing.ratios.vs_fastest_library) {
    const Precise value(ratio->value, ratio->ci95_low, ratio->ci95_high);
    text += ratio->verdict == Difference::none_shown
                ? fmt::format("; no difference from the fastest library is shown (ratio {} to {})",
                              value.low, value.high)
                : fmt::format("; it is {} times as fast as the fastest library ({} to {})",
                              value.value, value.low, value.high);
  }
  return text + fmt::format(" (Kernel Ladder, result set {}).", printable(short_id(results.run)));
}

}  // namespace

std::string citation_fact(std::string_view name) {
  std::string_view text = embedded("CITATION.cff");
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(" -")));
    if (!line.starts_with(name) || !line.substr(name.size()).starts_with(": ")) continue;
    line.remove_prefix(name.size() + 2);
    if (line.size() > 1 && line.front() == '"' && line.back() == '"')
      line = line.substr(1, line.size() - 2);
    return std::string(line);
  }
  throw std::logic_error(fmt::format("CITATION.cff does not say {}", name));
}

std::string bibtex(const Run& run) {
  const std::string id = latex(printable(short_id(run)));
  return fmt::format(
      "@misc{{kernel_ladder_{0},\n  author = {{{{{1}}}}},\n  title  = {{{{Kernel Ladder results, "
      "run {0}}}}},\n  year   = {{{2}}},\n  note   = "
      "{{{3}, commit {4}, {5}}}\n}}",
      id, latex(citation_fact("name")), latex(printable(run.date.substr(0, 4))),
      without_at(latex(printable(run.date))), breakable(shortened(run.commit)),
      breakable(shortened(run.id)));
}

std::string device_in_words(const Results& results) {
  const std::string shards = shards_in_words(results);
  return printable(results.machine.gpu ? results.machine.gpu->name : results.machine.cpu) +
         (shards.empty() ? "" : fmt::format(" ({})", shards));
}

std::string until_in_words(const How& how) {
  if (!how.contract) return "counted on the emulated backend";
  return *how.contract == Contract::device_result ? "until the result is in the memory of the GPU"
                                                  : "until the host holds the result";
}

std::optional<Cell> cited_cell(const Results& results, const Choice& choice) {
  const auto groups = telling_groups(results.cells, choice, Order(results));
  if (groups.size() != 1 || groups[0].size() != 1 || groups[0][0].timing() == nullptr) return {};
  return groups[0][0];
}

std::string citation(const Results& results, const Choice& choice, const Soundness& soundness,
                     bool for_latex) {
  std::string text = software_entry() + '\n' + bibtex(results.run) + '\n';
  const auto say = [&](const std::string& sentence) {
    text += '\n' + without_at(for_latex ? latex(sentence) : one_line(sentence)) + '\n';
  };
  for (const auto& [what, why] : cautions(results, soundness))
    say(fmt::format("Caution: {}. {}", printable(what), printable(why)));
  say(methods(results));
  if (const auto cell = cited_cell(results, choice)) say(number(results, *cell));
  return text;
}

}  // namespace ladder::reports
