#include "compare/driver/machine.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "reports/json.hpp"

namespace ladder {
namespace {

bool says_something(const nlohmann::json& value) {
  static const std::vector<nlohmann::json> nothing{nullptr, "", 0};
  return std::ranges::find(nothing, value) == nothing.end();
}

// A backend leaves empty what it does not know.
void merge(nlohmann::json& into, const nlohmann::json& from) {
  for (const auto& [field, value] : from.items())
    if (says_something(value) && !says_something(into[field])) into[field] = value;
}

}  // namespace

void describe_machine(const Catalogue& catalogue, const Plan& plan, reports::Results& results) {
  nlohmann::json machine = results.machine, software = results.software;
  for (const Backend& backend : catalogue.backends) {
    const bool used = std::ranges::any_of(plan.groups, [&](const Group& group) { return group.backend == backend.name; });
    if (!backend.unavailable.empty() || (!used && backend.name != "host")) continue;
    merge(machine, backend.machine);
    merge(software, backend.software);
  }
  machine.get_to(results.machine);
  software.get_to(results.software);
}

}  // namespace ladder
