#include "reports/notes/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/model/ladder_order.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/derived_numbers.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"
#include "reports/words/names.hpp"

namespace ladder::reports {
namespace {

constexpr double worth_telling = 1.01;  // a smaller factor between two counts is none

bool speaks(const Cell& cell, Source source) {
  if (!cell.passed() || is_library(cell) || cell.input.offset != 0) return false;
  switch (source) {
    case Source::counts:
      return cell.how.backend == Backend::emulated && cell.counters() != nullptr;
    case Source::times:
      return cell.how == cold_on_gpu && cell.timing() != nullptr;
    // some rungs add up in another type on their way to the host; and a warm cache changes no
    // answer
    case Source::errors:
      return cell.how.contract != Contract::host_result && cell.how.cache != Cache::warm &&
             cell.error() != nullptr && cell.error()->ulp_max;
  }
  return false;
}

std::string names(const Rungs& rungs) {
  return enumerated(each(rungs, code));
}

std::string comparison(const Cell& cell, const Cell& than, const Ratio& ratio) {
  const auto& time = column("time (95 % interval)");
  return fmt::format("{} {}, {} {}: {}", code(cell.who.rung), time.text(cell), code(than.who.rung),
                     time.text(than), ratio_text(ratio));
}

std::string range(const std::vector<Said>& inputs) {
  if (std::ranges::any_of(inputs, [](const Said& one) { return !one.ratio; })) return "";
  const auto [least, most] = std::ranges::minmax(inputs, {}, &Said::ratio);
  const auto low = fmt::format("{:.4g}x", *least.ratio), high = fmt::format("{:.4g}x", *most.ratio);
  return low == high ? low : fmt::format("{} to {}", low, high);
}

using Part = std::string (*)(const Cell&);

constexpr std::array<Part, 5> parts_of_input{
    [](const Cell& c) { return std::string(on_the(c.how.backend)); },
    [](const Cell& c) { return code(c.input.operation); },
    [](const Cell& c) { return escaped(c.input.op.value_or("")); },
    [](const Cell& c) { return escaped(c.input.dtype); },
    [](const Cell& c) { return c.input.bins ? counted(*c.input.bins, "bin") : ""; },
};

// "i32 at n = 2^24 and 2^26; i64 at n = 2^24": what tells these inputs from the others, or their
// types alone where that would be long.
std::string inputs_in_words(const std::vector<Said>& these, const std::vector<Said>& all) {
  constexpr std::size_t many = 4;
  std::vector<Part> varying;
  for (const Part part : parts_of_input)
    if (std::ranges::any_of(all,
                            [&](const Said& one) { return part(*one.cell) != part(*all[0].cell); }))
      varying.push_back(part);
  const auto but_distribution = [&](const Cell& cell) {
    auto text = each(varying, [&](Part part) { return part(cell); });
    std::erase(text, "");
    return joined(text, " ");
  };
  std::map<std::pair<std::string, std::uint64_t>, std::set<std::string>> distributions;
  for (const Said& one : all)
    distributions[{but_distribution(*one.cell), one.cell->input.n}].insert(
        one.cell->input.distribution);

  std::map<std::pair<std::size_t, std::string>, std::set<std::uint64_t>> sizes, by_type;
  for (const Said& one : these) {
    const Input& input = one.cell->input;
    std::string text = but_distribution(*one.cell);
    if (distributions[{text, input.n}].size() > 1)
      text += (text.empty() ? "input " : " input ") + escaped(input.distribution);
    sizes[{rank_of_dtype(input.dtype), text}].insert(input.n);
    by_type[{rank_of_dtype(input.dtype), escaped(input.dtype)}].insert(input.n);
  }
  std::vector<std::string> lines;
  for (const auto& [input, ns] : sizes.size() > many ? by_type : sizes) {
    lines.push_back(fmt::format("{}{}n = {}", input.second, input.second.empty() ? "" : " at ",
                                enumerated(each(ns, elements))));
  }
  return joined(lines, "; ");
}

std::string sizes_in_words(const Experiment& experiment) {
  return fmt::format("n {} {}",
                     experiment.most == experiment.n ? "=" : ">=", elements(experiment.n));
}

// judge(ratio): the ruling
Evidence timed(const Trial& trial, std::string_view rung, std::string_view than, const auto& judge,
               const Words& words) {
  std::vector<Said> deciding, smaller;
  Fact fact;
  Evidence evidence;
  for (const OneInput& pair : on_each_input(trial, Source::times, {rung, than})) {
    const auto ratio = speedup(*pair[0], *pair[1]);
    if (!ratio) continue;
    const Said said{pair[0], judge(*ratio), ratio->value};
    const std::uint64_t n = pair[0]->input.n;
    if (trial.experiment.decides(n)) {
      if (deciding.empty()) {
        fact = {where(pair[0]->key()), comparison(*pair[0], *pair[1], *ratio)};
        evidence.ratio = ratio;
      }
      deciding.push_back(said);
    } else if (n < trial.experiment.n) {
      smaller.push_back(said);
    }
  }
  if (deciding.empty()) {
    fact = missing("GPU times", {rung, than}, sizes_in_words(trial.experiment)).facts[0];
  } else {
    evidence.ruling = over_all(deciding);
    if (deciding.size() > 1)
      fact.what += "; " + tally(deciding, "inputs with " + sizes_in_words(trial.experiment), words);
  }
  if (!smaller.empty()) fact.aside = tally(smaller, "smaller inputs, which do not decide", words);
  evidence.facts.push_back(fact);
  return evidence;
}

Ruling direction(const Ratio& ratio) {
  return ratio.verdict == Difference::faster   ? Ruling::holds
         : ratio.verdict == Difference::slower ? Ruling::does_not_hold
                                               : Ruling::not_shown;
}

}  // namespace

std::vector<OneInput> on_each_input(const Trial& trial, Source source, const Rungs& rungs) {
  const auto distance = [&](const CellKey& key) {
    return std::tuple(key.input.dtype != trial.experiment.dtype, key.input.n != trial.experiment.n,
                      key.input.distribution != trial.experiment.distribution,
                      key.input.operation != trial.experiment.operation,
                      key.input.op.value_or("sum") != "sum", ~key.input.n, key.how.backend, key);
  };
  std::map<decltype(distance(CellKey())), std::map<std::string_view, const Cell*>> inputs;
  for (const Cell& cell : trial.cells) {
    if (!trial.experiment.is_of(cell.input.operation) || !has(rungs, cell.who.rung) ||
        !speaks(cell, source))
      continue;
    CellKey input = cell.key();
    input.who.rung.clear();
    inputs[distance(input)].emplace(cell.who.rung, &cell);
  }
  std::vector<OneInput> complete;
  for (const auto& [input, found] : inputs) {
    OneInput all;
    for (const std::string_view rung : rungs)
      if (const auto cell = found.find(rung); cell != found.end()) all.push_back(cell->second);
    if (all.size() == rungs.size()) complete.push_back(all);
  }
  return complete;
}

OneInput together(const Trial& trial, Source source, const Rungs& rungs) {
  const auto inputs = on_each_input(trial, source, rungs);
  return inputs.empty() ? OneInput{} : inputs[0];
}

std::optional<Ratio> speedup(const Cell& cell, const Cell& than) {
  return ratio_of(cell.timing()->processes, than.timing()->processes);
}

Ruling over_all(const std::vector<Said>& inputs) {
  const auto any = [&](Ruling ruling) {
    return std::ranges::find(inputs, ruling, &Said::ruling) != inputs.end();
  };
  const bool confirmed = any(Ruling::holds), contradicted = any(Ruling::does_not_hold);
  if (any(Ruling::partly) || (confirmed && contradicted)) return Ruling::partly;
  if (confirmed) return inputs[0].ruling == Ruling::holds ? Ruling::holds : Ruling::partly;
  return contradicted ? Ruling::does_not_hold : Ruling::not_shown;
}

std::string tally(const std::vector<Said>& inputs, std::string_view which, const Words& words) {
  const std::array<std::pair<Ruling, std::string_view>, 4> kinds{
      std::pair(Ruling::holds, words.holds), std::pair(Ruling::partly, words.partly),
      std::pair(Ruling::does_not_hold, words.does_not_hold),
      std::pair(Ruling::not_shown, words.not_shown)};
  const auto of = [&](Ruling ruling) {
    return only(inputs, [ruling](const Said& one) { return one.ruling == ruling; });
  };
  const std::size_t either = std::max(of(Ruling::holds).size(), of(Ruling::does_not_hold).size());
  std::vector<std::string> parts;
  for (const auto& [ruling, word] : kinds) {
    const auto these = of(ruling);
    if (these.empty()) continue;
    const bool is_smaller_side =
        (ruling == Ruling::holds || ruling == Ruling::does_not_hold) && these.size() < either;
    std::vector<std::string> details{range(these),
                                     is_smaller_side ? inputs_in_words(these, inputs) : ""};
    std::erase(details, "");
    const auto in_brackets = details.empty() ? "" : fmt::format(" ({})", joined(details, ": "));
    if (these.size() == inputs.size() && inputs.size() > 1)
      return fmt::format("all {} {}: {}{}", inputs.size(), which, word, in_brackets);
    parts.push_back(fmt::format("{} {}{}", these.size(), word, in_brackets));
  }
  return fmt::format("of {} {}: {}", inputs.size(), which, joined(parts));
}

Test faster(std::string_view rung, std::string_view than) {
  return [=](const Trial& trial) {
    return timed(trial, rung, than, direction, {"faster", "slower"});
  };
}

Test by_factor(std::string_view rung, std::string_view than, double printed) {
  return [=](const Trial& trial) {
    const auto judge = [printed](const Ratio& ratio) {
      // 1: as printed
      const auto gain = [printed](double factor) { return std::log(factor) / std::log(printed); };
      const auto [least, most] = std::minmax({gain(ratio.ci95_low), gain(ratio.ci95_high)});
      if (most < 0.5 || least > 2) return Ruling::does_not_hold;
      return least > 0 ? Ruling::holds : Ruling::not_shown;
    };
    Evidence evidence =
        timed(trial, rung, than, judge, {"about as printed", "not as printed", "undecided"});
    evidence.printed = printed;
    return evidence;
  };
}

Test counted(const Rungs& rungs, const Figure& figure, Judge judge) {
  return [=](const Trial& trial) -> Evidence {
    std::vector<Said> inputs;
    Fact fact;
    for (const OneInput& input : on_each_input(trial, Source::counts, rungs)) {
      Figures figures;
      for (const Cell* cell : input)
        if (const auto value = figure.of(*cell)) figures.push_back(*value);
      if (figures.size() < rungs.size()) continue;
      if (inputs.empty()) {
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < rungs.size(); ++i)
          parts.push_back(fmt::format("{} {}", code(rungs[i]), shortest(figures[i])));
        fact = {where(input[0]->key()), fmt::format("{}: {}", figure.name, joined(parts))};
        const auto [least, most] = std::ranges::minmax(figures);
        if (figures.size() == 2 && least > 0 && most > worth_telling * least)
          fact.what += fmt::format(", a factor of {:.4g}", most / least);
      }
      if (judge == nullptr) return {{}, {fact}};
      inputs.push_back({input[0], judge(figures)});
    }
    if (inputs.empty())
      return judge == nullptr ? Evidence{}
                              : missing(fmt::format("counts of {}", figure.name), rungs);
    if (inputs.size() > 1)
      fact.what += " (" + tally(inputs, "counted inputs", {"so", "not so"}) + ')';
    return {over_all(inputs), {fact}};
  };
}

Test right(std::string_view rung) {
  return [=](const Trial& trial) -> Evidence {
    std::size_t passed = 0, answered = 0;
    for (const Cell& cell : trial.cells) {
      if (!trial.experiment.is_of(cell.input.operation) ||
          cell.who != Who{"handwritten", std::string(rung)} || cell.verdict() == Verdict::skipped)
        continue;
      ++answered;
      if (cell.passed()) ++passed;
    }
    if (answered == 0) return missing("answers", {rung});
    return {if_true(passed == answered),
            {{"", fmt::format("{} gives the right answer in {}{}", code(rung),
                              passed == answered ? "all " : grouped(passed) + " of ",
                              counted(answered, "row"))}}};
  };
}

Evidence missing(std::string_view what, const Rungs& rungs, const std::string& sizes) {
  return {{},
          {{"", fmt::format("no {} of {}{}{} in this run", what, names(rungs),
                            rungs.size() > 1 ? " for one input" : "",
                            sizes.empty() ? "" : " with " + sizes)}}};
}

std::string where(const CellKey& key) {
  return fmt::format("{}, for {}", on_the(key.how.backend), input_in_words(key));
}

Ruling if_true(bool holds) {
  return holds ? Ruling::holds : Ruling::does_not_hold;
}

Test told(const Test& test) {
  return [=](const Trial& trial) -> Evidence {
    const Evidence evidence = test(trial);
    if (!evidence.ruling) return {};
    Evidence without{{}, evidence.facts};
    for (Fact& fact : without.facts) fact.aside.clear();
    return without;
  };
}

Evidence weighed(const std::vector<Evidence>& evidence) {
  Evidence all;
  for (const Evidence& one : evidence) {
    all.facts.insert(all.facts.end(), one.facts.begin(), one.facts.end());
    if (!all.ratio) all.ratio = one.ratio, all.printed = one.printed;
    if (one.ruling)
      all.ruling = !all.ruling || all.ruling == one.ruling ? one.ruling : Ruling::partly;
  }
  return all;
}

Evidence weighed_only_together(const std::vector<Evidence>& evidence) {
  Evidence all = weighed(evidence);
  if (!std::ranges::all_of(evidence, [](const Evidence& one) { return one.ruling.has_value(); }))
    all.ruling.reset();
  return all;
}

std::string in_words(const Evidence& evidence) {
  std::string text, place;
  for (const Fact& fact : evidence.facts) {
    const std::string what = fact.what + (fact.aside.empty() ? "" : "; " + fact.aside);
    const bool goes_on = !fact.where.empty() && fact.where == place;
    if (goes_on) text += "; " + what;
    else
      text += (text.empty() ? "" : ".<br>") +
              capitalised(fact.where.empty() ? what : fmt::format("{}: {}", fact.where, what));
    place = fact.where;
  }
  return text.empty() ? "" : text + '.';
}

}  // namespace ladder::reports
