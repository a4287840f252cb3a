#include "compare/proof/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/model/json.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/markdown_table.hpp"
#include "reports/text/numbers.hpp"

namespace ladder::proof {
namespace {

constexpr std::string_view holds = "holds", fails = "does not hold", reported = "reported",
                           untestable = "not testable here";

// Five digits: a slope of 0.99502 and a limit of 0.995 are then not the same.
std::string number(double value) {
  if (value == std::floor(value) && std::abs(value) >= 1e5)
    return (value < 0 ? "-" : "") + reports::grouped(static_cast<std::uint64_t>(std::abs(value)));
  return fmt::format("{:.5g}", value);
}

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? number(value) : number(value) + ' ' + unit;
}

std::string measured(const Check& check) {
  for (const std::string& reason : {check.failure, check.untestable})
    if (!reason.empty()) return reports::escaped(reason);
  return check.measured ? with_unit(*check.measured, check.unit) : "nothing";
}

std::string limit(const Check& check) {
  if (check.at_least && check.at_most)
    return fmt::format("{} to {}", number(*check.at_least), with_unit(*check.at_most, check.unit));
  if (check.at_least) return "at least " + with_unit(*check.at_least, check.unit);
  if (check.at_most) return "at most " + with_unit(*check.at_most, check.unit);
  return "none";
}

}  // namespace

// Written so that what is not a number does not hold.
std::string_view verdict(const Check& check) {
  if (!check.failure.empty()) return fails;
  if (!check.untestable.empty()) return untestable;
  if (!check.measured || !std::isfinite(*check.measured)) return fails;
  if (!check.is_limited()) return reported;
  const bool above = !check.at_least || *check.measured >= *check.at_least,
             below = !check.at_most || *check.measured <= *check.at_most;
  return above && below ? holds : fails;
}

bool all_hold(const std::vector<Check>& checks) {
  return std::ranges::none_of(checks, [](const Check& check) { return verdict(check) == fails; });
}

std::string table(const std::vector<Check>& checks) {
  reports::Table table{{"check", "asked", {"measured", true}, {"limit", true}, "verdict"}};
  for (const Check& check : checks)
    table.rows.push_back({reports::escaped(check.what), reports::escaped(check.asked),
                          measured(check), limit(check), std::string(verdict(check))});
  return reports::markdown_table(table);
}

std::string summary(const std::vector<Check>& checks) {
  std::vector<std::string> parts;
  for (const auto& [one, many] : {std::pair(holds, "hold"),
                                  {fails, "do not hold"},
                                  {reported, "reported"},
                                  {untestable, "not testable here"}})
    if (const auto count = std::ranges::count(checks, one, verdict); count != 0)
      parts.push_back(reports::counted(static_cast<std::size_t>(count), one, many));
  return fmt::format("{}: {}", reports::counted(checks.size(), "check"), reports::joined(parts));
}

void to_json(json& out, const Check& check) {
  out = {{"check", check.what},
         {"asked", check.asked},
         {"measured", check.measured},
         {"unit", check.unit},
         {"at_least", check.at_least},
         {"at_most", check.at_most},
         {"verdict", verdict(check)},
         {"reason", check.failure.empty() ? check.untestable : check.failure}};
}

}  // namespace ladder::proof
