// The report as text: report.md, which takes five minutes, and pages in report/ with the tables of
// an operation, or what bears on the study notes.
#pragma once

#include <string>
#include <vector>

#include "reports/formats/report.hpp"
#include "reports/model/model.hpp"
#include "reports/soundness/cautions.hpp"
#include "reports/soundness/soundness.hpp"

namespace ladder::reports {

// As report_files(), in Markdown.
Files markdown_files(const Results& results, const std::vector<Results>& published = {},
                     const Soundness& soundness = {}, const Pictures& pictures = {});

// Its parts, for formats with another layout. The texts are Markdown unless they say otherwise.
std::string warnings(const std::vector<Caution>& cautions);
std::string machine_in_short(const Results& results);
// "2,884 passed and 36 are wrong on purpose"
std::string verdicts(const std::vector<Cell>& cells);
std::vector<std::vector<std::string>> machine_rows(const Results& results);  // part, what
// where, access, data in, bytes moved, GB/s
std::vector<std::vector<std::string>> ceiling_rows(const std::vector<Ceiling>&);
// where, contract, timed, median
std::vector<std::vector<std::string>> overhead_rows(const std::vector<Overhead>&);
std::string stopping_rules(const std::vector<Effort>& efforts);
std::string reproduce_commands(const Results& results);  // plain text

}  // namespace ladder::reports
