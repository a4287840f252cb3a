// One row of the proof that the clock is right: what was asked, what came out, and the limits that decide.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::proof {

struct Check {
  std::string what;
  std::string asked = {};
  std::optional<double> measured = {};
  std::string unit = {};                              // of the measured value and its limits
  std::optional<double> at_least = {}, at_most = {};  // neither: for the record, decides nothing
  std::string untestable = {};                        // why this machine cannot show it, in words
  std::string failure = {};                           // why there is no value although there should be one, in words

  bool is_limited() const { return at_least || at_most; }
};

std::string_view verdict(const Check& check);  // "holds", "does not hold", "reported" or "not testable here"

bool all_hold(const std::vector<Check>& checks);  // none does not

std::string table(const std::vector<Check>& checks);    // Markdown
std::string summary(const std::vector<Check>& checks);  // "12 checks: 9 hold, 1 does not hold, 2 reported"

void to_json(nlohmann::json& json, const Check& check);

}  // namespace ladder::proof
