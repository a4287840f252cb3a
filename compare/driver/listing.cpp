#include "compare/driver/listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "reports/ladder.hpp"

namespace ladder {
namespace {

using protocol::Listing;

// Where it runs here, or why it does not.
std::string runs_on(const Listing& rung, const Catalogue& catalogue) {
  if (!rung.backends.empty()) return fmt::format("{}", fmt::join(rung.backends, ", "));
  for (const Backend& backend : catalogue.backends) {
    const bool its_own = std::ranges::any_of(backend.implementations, [&](const Listing& one) { return one.path == rung.path; });
    if (its_own) return rung.needs.empty() ? fmt::format("not here: needs {}", backend.name) : fmt::format("not here: needs {}", rung.needs);
  }
  return "not here";
}

std::string table(const std::vector<Listing>& rungs, const Catalogue& catalogue) {
  std::vector<std::array<std::string, 5>> rows{{"rung", "provider", "notes", "runs on", "idea"}};
  for (const Listing& rung : rungs) {
    std::string idea = rung.idea;
    if (rung.expected_wrong) idea += " (expected to be wrong)";
    rows.push_back({rung.rung, rung.provider, fmt::format("{}", fmt::join(rung.notes, " ")), runs_on(rung, catalogue), idea});
  }
  std::string text;
  for (const auto& row : rows) {
    text += ' ';
    for (std::size_t column = 0; column + 1 < row.size(); ++column) {
      const auto width = std::ranges::max(rows, {}, [&](const auto& r) { return r[column].size(); })[column].size();
      text += fmt::format(" {:<{}} ", row[column], width);
    }
    text += fmt::format(" {}\n", row.back());
  }
  return text;
}

}  // namespace

std::string listing_text(const Catalogue& catalogue) {
  std::map<std::string, std::vector<Listing>, reports::InStudyOrder> operations;
  for (auto& rung : catalogue.implementations()) operations[rung.operation].push_back(rung);
  std::string text;
  for (const auto& [operation, rungs] : operations) {
    std::vector<std::string> operators, dtypes;  // those of the one with the most
    for (const Listing& rung : rungs) {
      if (rung.operators.size() > operators.size()) operators = rung.operators;
      if (rung.dtypes.size() > dtypes.size()) dtypes = rung.dtypes;
    }
    std::ranges::stable_sort(operators, {}, [](const std::string& op) { return reports::rank_of_operator(op); });
    std::ranges::stable_sort(dtypes, {}, [](const std::string& dtype) { return reports::rank_of_dtype(dtype); });
    text += operation;
    if (!operators.empty()) text += fmt::format(" by {}", fmt::join(operators, ", "));
    text += fmt::format(", of {}\n{}\n", fmt::join(dtypes, ", "), table(rungs, catalogue));
  }
  text += "backends\n";
  for (const Backend& backend : catalogue.backends)
    text += fmt::format("  {:<8}  {}\n", backend.name, backend.unavailable.empty() ? "runs here" : "does not run here: " + backend.unavailable);
  return text;
}

std::string listing_json(const Catalogue& catalogue) {
  return nlohmann::json(catalogue.implementations()).dump(1) + '\n';
}

}  // namespace ladder
