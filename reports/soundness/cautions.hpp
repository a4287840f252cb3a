// What a reader must know before any number of a set: every format begins with it.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.hpp"
#include "reports/soundness/flaws.hpp"

namespace ladder::reports {

// Plain text, which may hold text of the file.
struct Caution {
  std::string what, why;  // "Incomplete", "The run was interrupted .."

  LADDER_FIELDS(what, why)
};

// soundness: what check says of the results.
std::vector<Caution> cautions(const Results& results, const Soundness& soundness);

// As a Markdown alert; empty without cautions.
std::string warnings(const std::vector<Caution>& cautions);

}  // namespace ladder::reports
