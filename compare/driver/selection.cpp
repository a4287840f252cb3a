#include "compare/driver/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "compare/driver/errors.hpp"
#include "compare/driver/nearest.hpp"
#include "compare/driver/size.hpp"
#include "reports/text.hpp"

namespace ladder {
namespace {

using Words = std::vector<std::string>;

void unite(Words& all, const std::string& word) {
  if (!word.empty() && std::ranges::find(all, word) == all.end()) all.push_back(word);
}

void check(const char* option, const char* what, const Words& chosen, const Words& valid) {
  for (const std::string& one : chosen) {
    if (std::ranges::find(valid, one) != valid.end()) continue;
    if (valid.empty()) throw UsageError(fmt::format("{}: there is no {} to choose here", option, what));
    throw UsageError(fmt::format("{}: there is no {} \"{}\" here; {}", option, what, one, instead_of(one, valid)));
  }
}

void check_backends(const Selection& selection, const Catalogue& catalogue) {
  Words names;
  for (const Backend& backend : catalogue.backends) names.emplace_back(name_of(backend.name));
  check("--backend", "backend", selection.backends, names);
  for (const std::string& name : selection.backends)
    if (const Backend& backend = catalogue.backend(reports::named<reports::Backend>(name)); !backend.unavailable.empty())
      throw UsageError(fmt::format("--backend: {} does not run here: {}", name, backend.unavailable));
}

void check_bins(const std::vector<unsigned>& bins, const Words& operations, const Catalogue& catalogue) {
  bool any = false;
  for (const Backend& backend : catalogue.backends)
    for (const reports::Operation& operation : backend.operations) {
      if (operation.most_bins == 0 || std::ranges::find(operations, operation.name) == operations.end()) continue;
      any = true;
      for (const unsigned count : bins)
        if (count < 1 || count > operation.most_bins)
          throw UsageError(fmt::format("--bins: {} has 1 to {} bins, not {}", operation.name, operation.most_bins, count));
    }
  if (!any) throw UsageError(fmt::format("--bins: {}: no operation with bins", fmt::join(operations, ", ")));
}

}  // namespace

void validate(const Selection& selection, const Catalogue& catalogue) {
  check_backends(selection, catalogue);
  Words operations, operators, rungs, providers, dtypes, distributions, contracts, caches;
  std::set<std::string> with_operators;
  for (const Backend& backend : catalogue.backends) {
    if (!backend.unavailable.empty()) continue;
    for (const auto& one : backend.implementations) {
      unite(rungs, one.rung);
      unite(providers, one.provider);
    }
    for (const auto& one : backend.kinds) {
      unite(operations, one.operation);
      if (!one.op.empty()) with_operators.insert(one.operation);
      unite(operators, one.op);
      unite(dtypes, one.dtype);
      if (!selection.operations.empty() && std::ranges::find(selection.operations, one.operation) == selection.operations.end()) continue;
      for (const auto& distribution : one.distributions) unite(distributions, distribution);
    }
    for (const auto& contract : backend.contracts) {
      unite(contracts, std::string(name_of(contract)));
      caches = {"cold", "warm"};
    }
  }
  check("--operation", "operation", selection.operations, operations);
  check("--operator", "operator", selection.operators, operators);
  check("--rung", "rung", selection.rungs, rungs);
  check("--provider", "provider", selection.providers, providers);
  check("--dtype", "element type", selection.dtypes, dtypes);
  check("--distribution", "distribution", selection.distributions, distributions);
  check("--contract", "timing contract", selection.contracts, contracts);
  check("--cache", "cache state", selection.caches, caches);

  const Words& chosen = selection.operations.empty() ? operations : selection.operations;
  for (const unsigned offset : selection.offsets)
    if (offset > reports::most_offset)
      throw UsageError(fmt::format("--offset: an array is displaced by 0 to {} elements, not {}", reports::most_offset, offset));
  if (!selection.bins.empty()) check_bins(selection.bins, chosen, catalogue);
  if (!selection.operators.empty())
    for (const std::string& operation : selection.operations)
      if (!with_operators.contains(operation))
        throw UsageError(fmt::format("--operator: {} has none; leave out --operator, or choose operations that have it", operation));
}

void validate(const reports::Choice& choice, const reports::Results& results) {
  std::set<std::string> operations, operators, rungs, dtypes;
  std::set<std::uint64_t> all_sizes;
  bool any = false;
  for (const reports::Cell& cell : results.cells) {
    operations.insert(reports::printable(cell.input.operation));
    if (cell.input.op) operators.insert(reports::printable(*cell.input.op));
    rungs.insert(reports::printable(cell.who.rung));
    dtypes.insert(cell.input.dtype);
    all_sizes.insert(cell.input.n);
    any |= fits(choice, cell.key());
  }
  const auto words = [](const std::set<std::string>& names) { return Words(names.begin(), names.end()); };
  const auto texts = [](const auto& numbers) {
    Words all;
    for (const std::uint64_t n : numbers) all.push_back(size_text(n));
    return all;
  };
  check("--operation", "operation", choice.operations, words(operations));
  check("--operator", "operator", choice.operators, words(operators));
  check("--rung", "rung", choice.rungs, words(rungs));
  check("--dtype", "element type", choice.dtypes, words(dtypes));
  check("--size", "size", texts(choice.sizes), texts(all_sizes));
  if (results.cells.empty()) throw UsageError("this set has no rows: nothing was run");
  if (!any) throw UsageError("no row of this set has all that was chosen; choose less");
}

}  // namespace ladder
