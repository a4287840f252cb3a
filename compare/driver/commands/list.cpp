#include "compare/driver/commands/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/model/element_types.hpp"
#include "reports/model/ladder_order.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/wrap.hpp"

namespace ladder {
namespace {

using protocol::Listing;

// The element types of an operation, in the order of reports, with the operators of each.
std::vector<std::pair<std::string, std::vector<std::string>>> types_of(const Catalogue& catalogue,
                                                                       std::string_view operation) {
  std::vector<std::pair<std::string, std::vector<std::string>>> types;
  for (const reports::ElementType& type : reports::element_types) {
    std::vector<std::string> operators;
    for (const Backend& backend : catalogue.backends)
      for (const protocol::OperationListing& kind : backend.kinds)
        if (kind.operation == operation && kind.dtype == type.name)
          reports::unite(operators, {kind.op});
    if (!operators.empty()) types.emplace_back(type.name, std::move(operators));
  }
  return types;
}

// "of i32, f32 by sum, product; of f16 by sum"
std::string types_and_operators(const Catalogue& catalogue, std::string_view operation) {
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> alike;
  for (const auto& [type, operators] : types_of(catalogue, operation)) {
    if (alike.empty() || alike.back().second != operators) alike.emplace_back().second = operators;
    alike.back().first.push_back(type);
  }
  const auto parts = reports::each(alike, [](const auto& one) {
    const bool has_operators = one.second != std::vector<std::string>{""};
    return fmt::format("of {}{}", fmt::join(one.first, ", "),
                       has_operators ? fmt::format(" by {}", fmt::join(one.second, ", ")) : "");
  });
  return fmt::format("{}", fmt::join(parts, "; "));
}

// "of i32, f32; over devices; from my_kernels; CUB 3.5.0; promise: any order". Types are left out
// where it takes all of its operation.
std::string kind_of(const Listing& rung, const Catalogue& catalogue) {
  std::vector<std::string> parts, types;
  const auto all = types_of(catalogue, rung.operation);
  for (const auto& [type, operators] : all)
    if (reports::has(rung.dtypes, type)) types.push_back(type);
  if (!types.empty() && types.size() < all.size())
    parts.push_back(fmt::format("of {}", fmt::join(types, ", ")));
  if (rung.over_devices) parts.emplace_back("over devices");
  if (!rung.from.empty()) parts.push_back("from " + reports::printable(rung.from));
  if (!rung.library.empty()) parts.push_back(rung.library);
  if (rung.promise) parts.push_back(fmt::format("promise: {}", name_of(*rung.promise)));
  return parts.empty() ? "" : fmt::format("      {}\n", fmt::join(parts, "; "));
}

// The backends that run it here, or why none does.
std::string runs_on(const Listing& rung, const Catalogue& catalogue) {
  if (!rung.backends.empty()) {
    return reports::joined(reports::each(
        rung.backends, [](reports::Backend backend) { return std::string(name_of(backend)); }));
  }
  for (const Backend& backend : catalogue.backends) {
    const bool its_own = std::ranges::any_of(
        backend.implementations, [&](const Listing& one) { return one.path == rung.path; });
    if (its_own)
      return rung.needs.empty() ? fmt::format("not here: needs {}", name_of(backend.name))
                                : fmt::format("not here: needs {}", rung.needs);
  }
  return "not here";
}

std::string table(const std::vector<Listing>& rungs, const Catalogue& catalogue) {
  std::vector<std::string> ideas{""};
  std::vector<std::vector<std::string>> columns{{"rung"}, {"provider"}, {"notes"}, {"runs on"}};
  for (const Listing& rung : rungs) {
    ideas.push_back(rung.idea.empty()
                        ? ""
                        : fmt::format("      {}{}\n", rung.idea,
                                      rung.expected_wrong ? " (expected to be wrong)" : "") +
                              kind_of(rung, catalogue));
    columns[0].push_back(rung.rung);
    columns[1].push_back(rung.provider);
    columns[2].push_back(reports::joined(rung.notes, " "));
    columns[3].push_back(runs_on(rung, catalogue));
  }
  std::string text;
  const auto lines = reports::aligned(columns, columns.size());
  for (std::size_t i = 0; i < lines.size(); ++i) text += lines[i] + ideas[i];
  return text;
}

}  // namespace

std::string listing_text(const Catalogue& catalogue) {
  std::map<std::string, std::vector<Listing>> rungs_of;
  for (auto& rung : catalogue.implementations()) rungs_of[rung.operation].push_back(rung);
  std::string text;
  for (const reports::Operation& operation : catalogue.operations()) {
    const std::vector<Listing>& rungs = rungs_of[operation.name];
    text += fmt::format("{} {}\n{}\n", operation.name,
                        types_and_operators(catalogue, operation.name), table(rungs, catalogue));
  }
  text += "backends\n";
  for (const Backend& backend : catalogue.backends)
    text += fmt::format("  {:<8}  {}\n", name_of(backend.name),
                        backend.runs() ? "runs here" : "does not run here: " + backend.unavailable);
  return reports::wrapped(text);
}

std::string listing_names(const Catalogue& catalogue, std::string_view of) {
  std::set<std::string> names;
  for (const Backend& backend : catalogue.backends) {
    for (const Listing& rung : backend.implementations) {
      if (of == "rung") names.insert(rung.rung);
      if (of == "provider") names.insert(rung.provider);
    }
    for (const protocol::OperationListing& kind : backend.kinds) {
      if (of == "operation") names.insert(kind.operation);
      if (of == "operator" && !kind.op.empty()) names.insert(kind.op);
      if (of == "distribution") names.insert(kind.distributions.begin(), kind.distributions.end());
    }
  }
  return fmt::format("{}\n", fmt::join(names, "\n"));
}

std::string listing_json(const Catalogue& catalogue) {
  return json(catalogue.implementations()).dump(1) + '\n';
}

}  // namespace ladder
