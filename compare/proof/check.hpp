// One row of the proof that the clock is right: what was asked, what came out, and the limits that
// decide.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/fields.hpp"

namespace ladder::proof {

struct Check {
  std::string what;
  std::string asked = {};
  std::optional<double> measured = {};
  std::string unit = {};                              // of the measured value and its limits
  std::optional<double> at_least = {}, at_most = {};  // neither: for the record, decides nothing
  std::string untestable = {};                        // why this machine cannot show it, in words
  // why there is no value although there should be one, in words
  std::string failure = {};

  bool is_limited() const { return at_least || at_most; }
};

// "holds", "does not hold", "reported" or "not testable here"
std::string_view verdict(const Check& check);

bool all_hold(const std::vector<Check>& checks);  // none does not

std::string table(const std::vector<Check>& checks);  // Markdown
// "12 checks: 9 hold, 1 does not hold, 2 reported"
std::string summary(const std::vector<Check>& checks);

void to_json(json& out, const Check& check);

}  // namespace ladder::proof
