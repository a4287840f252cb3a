// The claims of the study notes, each with what this run has to say of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/notes/evidence.hpp"
#include "reports/text/markdown_table.hpp"

namespace ladder::reports {

struct Claim {
  std::string_view id;  // "N1a": the first claim of note N1
  const Experiment& experiment;
  std::string_view text;           // Markdown, as are the next ones
  std::vector<Test> parts;         // weighed together
  std::string_view repaired = {};  // what was tested in place of the note's own mechanism
  std::string_view to_know = {};
};

std::span<const Claim> claims();

Evidence evidence_of(const Claim& claim, const Cells& cells);

// In Markdown: "**holds**, as repaired".
std::string verdict_on(const Claim& claim, const Cells& cells);

struct Judged {
  const Claim& claim;
  Evidence evidence;
  std::string verdict;  // Markdown, as verdict_on() has it
  std::string_view remark() const {
    return claim.repaired.empty() ? claim.to_know : claim.repaired;
  }
};

// The claims on the operations among these cells.
std::vector<Judged> judged_claims(const Cells& cells);
Table claims_table(const std::vector<Judged>& all);
std::string how_claims_are_judged();  // Markdown

// The same as a section; empty where there are none.
std::string claims_section(const Cells& cells);

}  // namespace ladder::reports
