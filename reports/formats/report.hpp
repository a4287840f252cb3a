// A report: a result set, and what stands beside it. Built once and handed to every format. The
// same report gives the same bytes, on every machine.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/numbers/chosen_cells.hpp"
#include "reports/numbers/flat_table.hpp"
#include "reports/numbers/result_set.hpp"
#include "reports/soundness/cautions.hpp"
#include "reports/soundness/soundness.hpp"

namespace ladder::reports {

// texts by their path from the folder of results.json
using Files = std::map<std::string, std::string>;

// Figures that lie drawn in figures/, as "reduce-ladder.svg" beside "reduce-ladder.vl.json", which
// may be packed: the text of the latter, by the name of both.
using Pictures = std::map<std::string, std::string>;

class Report {
 public:
  // published: result sets of GPUs, whose times stand, marked as theirs, where the results have
  // none of a GPU for an operation. soundness: what check says of the results. All outlive the
  // report.
  Report(const Results& results, const std::vector<Results>& published = {},
         const Soundness& soundness = {});

  const Results& results;
  const ResultSet set;
  const std::list<ResultSet> published;
  const std::vector<Caution> cautions;

  Choice choice = {};      // what a table, a figure or a citation is about
  Pictures pictures = {};  // shown where they are of these results
  std::optional<double> figure_width_mm = {};

  const std::vector<FlatRow>& rows() const;  // a row for each cell

 private:
  mutable std::vector<FlatRow> rows_;
};

// A format is a file of this folder, such as csv.cpp, which defines `Files csv(const Report&)`. The
// build finds it; there is no list to add it to.
struct Format {
  std::string_view name;  // "csv"
  Files (*files)(const Report&);
};

std::span<const Format> formats();               // by name
const Format& format_of(std::string_view name);  // throws std::logic_error where there is none
std::string text_of(std::string_view format, const Report& report);  // of a format of one file

// What a person reads beside results.json.
Files report_files(const Report& report);

}  // namespace ladder::reports
