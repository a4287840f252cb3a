// What the cells of a run say for or against a sentence, and where they say it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/notes/experiment.hpp"
#include "reports/numbers/metrics.hpp"
#include "reports/text/lists.hpp"

namespace ladder::reports {

using Rungs = std::vector<std::string_view>;
using Figures = std::vector<double>;
// a cell for each rung in question, of one input that was run in one way
using OneInput = std::vector<const Cell*>;

// An experiment, and the cells of a run that may speak of it.
struct Trial {
  const Cells& cells;
  const Experiment& experiment;
};

// not_shown: there is no difference in either direction
enum class Ruling { holds, partly, not_shown, does_not_hold };

struct Fact {
  std::string where, what;  // Markdown; where: empty where it is of no single input
  std::string aside = {};   // what else the run has, and what decides nothing
};

struct Evidence {
  std::optional<Ruling> ruling;  // none: it decides nothing
  std::vector<Fact> facts;
  std::optional<Ratio> ratio = {};     // of the nearest input, where a ratio of times decides
  std::optional<double> printed = {};  // that ratio in the note
};

enum class Source { counts, times, errors };

// The hand-written cells of these rungs, in this order, for every input that has them all. The
// experiment's own input comes first, then the nearest; of two that are equally near, the one with
// more elements.
std::vector<OneInput> on_each_input(const Trial& trial, Source source, const Rungs& rungs);
// the first of them, or none
OneInput together(const Trial& trial, Source source, const Rungs& rungs);

// How many times as fast `cell` is as `than`, paired by process. Nothing where they have fewer than
// two processes in common.
std::optional<Ratio> speedup(const Cell& cell, const Cell& than);

// What one input says.
struct Said {
  const Cell* cell;  // one of the input's
  Ruling ruling;
  std::optional<double> ratio = {};
};

// Of all inputs together, the nearest first. It holds where the nearest says so and none
// contradicts, and partly where they disagree.
Ruling over_all(const std::vector<Said>& inputs);

struct Words {
  std::string_view holds, does_not_hold, not_shown = "no difference shown", partly = "partly";
};

// "of 9 inputs: 7 faster (1.1x to 1.2x), 2 slower (0.94x: i32 at n = 2^24 and 2^26)", and "all 9
// inputs: faster (1.1x to 1.2x)". It names the inputs on the smaller side.
std::string tally(const std::vector<Said>& inputs, std::string_view which, const Words& words);

// What of a claim must hold.
using Test = std::function<Evidence(const Trial&)>;

// Of `rung` against `than`. Inputs of as many elements as the experiment has, or more, decide; what
// smaller ones say is told. Only an interval that leaves 1 out shows a difference.
Test faster(std::string_view rung, std::string_view than);

// By about the printed factor: from half to twice the gain or cost on a logarithmic scale, so from
// 2.7x to 53x of a printed 7.26x.
Test by_factor(std::string_view rung, std::string_view than, double printed);

struct Figure {
  std::string_view name;
  NumberOf of;
};
using Judge = Ruling (*)(const Figures&);  // one figure for each rung

// Every input that was counted decides. Without a judge none does, and the first one is told where
// the run has it.
Test counted(const Rungs& rungs, const Figure& figure, Judge judge = nullptr);

// The answers of a rung, in all of its rows. One wrong answer decides.
Test right(std::string_view rung);

// decides nothing
Evidence missing(std::string_view what, const Rungs& rungs, const std::string& sizes = "");

// "on the GPU, for `reduce` by sum, i32, .."
std::string where(const CellKey& key);

Ruling if_true(bool holds);
// decides nothing, and goes unmentioned where the run does not say
Test told(const Test& test);
// the parts that decide agree, or the claim holds partly
Evidence weighed(const std::vector<Evidence>& evidence);
// decides nothing unless each part does
Evidence weighed_only_together(const std::vector<Evidence>& evidence);

// Its facts as sentences, a line for each place.
std::string in_words(const Evidence& evidence);

}  // namespace ladder::reports
