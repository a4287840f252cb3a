#include "compare/driver/plan/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "compare/driver/terminal/did_you_mean.hpp"
#include "compare/driver/terminal/errors.hpp"
#include "compare/driver/terminal/lists.hpp"
#include "compare/driver/terminal/parse_size.hpp"
#include "compare/driver/terminal/say.hpp"
#include "compare/registry.hpp"
#include "reports/model/element_types.hpp"
#include "reports/model/json.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"

namespace ladder {
namespace {

using Words = std::vector<std::string>;

// One thing that can be chosen, by any of its names. The first goes into the choice.
using Names = Words;

auto slashes(const std::string& name) {
  return std::ranges::count(name, '/');
}

// The names that a misspelt word may mean: for reduce/bettr, names with one slash too.
Words names_like(const std::string& word, const std::vector<Names>& valid) {
  Words alike;
  for (const Names& names : valid)
    for (const std::string& name : names)
      if (slashes(name) == std::min(slashes(word), slashes(names[0])))
        unite(alike, {reports::printable(name)});
  return alike;
}

// A pattern without a slash is about names without one. In one with a slash * stands for more of
// them too.
bool matches(const std::string& pattern, const std::string& name) {
  return (slashes(pattern) > 0 || slashes(name) == 0) &&
         fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

// The element type that this word is elsewhere; empty: none.
std::string as_element_type(const std::string& word) {
  for (const reports::ElementType& type : reports::element_types)
    if (!word.empty() && has(type.elsewhere, word)) return std::string(type.name);
  return "";
}

// Throws where one of these files was to be the rung. Its worker has said why it is not.
void refuse_not_built(const std::string& word, const Words& files) {
  for (const std::string& file : files) {
    const std::string_view path = path_of_file(file);
    for (const std::string_view name : {path, path.substr(path.find('/') + 1), rung_of(path)})
      if (matches(word, std::string(name)))
        throw UsageError("--rung: \"{}\" was not built: {} is left out, as the message above says",
                         word, file);
  }
}

// Each word is a name, or else a pattern of the shell; what it means takes its place. not_built:
// files of rungs. shows_all: the command.
void choose(const char* option, const char* what, Words& chosen, const std::vector<Names>& valid,
            const Words& not_built = {}, const char* shows_all = "./ladder list") {
  Words found;
  for (const std::string& one : chosen) {
    const auto is_named = [&](const Names& names) { return has(names, one); };
    const auto is_matched = [&](const Names& names) {
      return std::ranges::any_of(names, [&](const auto& name) { return matches(one, name); });
    };
    auto meant = reports::only(valid, is_named);
    if (meant.empty()) meant = reports::only(valid, is_matched);
    if (valid.empty()) throw UsageError("{}: there is no {} to choose here", option, what);
    if (meant.empty()) {
      refuse_not_built(one, not_built);
      const Words names = names_like(one, valid);
      const std::string type = as_element_type(one);
      throw UsageError("{}: there is no {} \"{}\" here; {}", option, what, one,
                       instead_of(has(names, type) ? type : one, names, shows_all));
    }
    for (const Names& names : meant) unite(found, {names[0]});
  }
  chosen = std::move(found);
}

std::vector<Names> each(const auto& words) {
  return reports::each(words, [](const std::string& word) { return Names{word}; });
}

// As people see sizes: 2^21 is nearer to 2^20 than to 2^12 by far.
std::uint64_t nearest(std::uint64_t n, const std::set<std::uint64_t>& sizes) {
  const auto scale = [](std::uint64_t size) { return std::log2(static_cast<double>(size) + 1); };
  return *std::ranges::min_element(
      sizes, {}, [&](std::uint64_t size) { return std::abs(scale(size) - scale(n)); });
}

void choose_backends(Selection& selection, const Catalogue& catalogue) {
  Words here;
  for (const Backend& backend : catalogue.backends) {
    if (backend.runs()) here.emplace_back(name_of(backend.name));
    else if (has(selection.backends, name_of(backend.name)))
      throw UsageError("--backend: {} does not run here: {}", name_of(backend.name),
                       backend.unavailable);
  }
  choose("--backend", "backend", selection.backends, each(here));
}

// In one process, GPUs that work together read and write the memory of each other.
void need_access(const Selection& selection, const Backend& backend) {
  if (selection.process_for_each_device || !backend.machine.contains("links")) return;
  for (const auto& link : backend.machine.at("links").get<std::vector<reports::Link>>())
    if (std::max(link.from, link.to) < selection.devices && !link.peer_access)
      throw UsageError(
          "--devices: GPU {} cannot reach the memory of GPU {}; --launcher env runs the rungs that "
          "need no such access, and --backend emulated runs all rungs on the CPU",
          link.from, link.to);
}

// A backend with fewer devices runs nothing of it.
void choose_devices(Selection& selection, const Catalogue& catalogue) {
  if (selection.devices == 0) return;
  if (selection.devices == all_devices) {
    const Backend& cuda = catalogue.backend(reports::Backend::cuda);
    if (!cuda.runs())
      throw UsageError(
          "--devices: all needs GPUs, and cuda does not run here: {}; a number, such "
          "as 2, runs on the emulated backend",
          cuda.unavailable);
    selection.devices = std::min(cuda.devices, reports::most_devices);
  }
  Words too_few;
  bool any = false;
  for (const Backend& backend : catalogue.backends) {
    if (!takes(selection, backend)) continue;
    // no rung there takes data over devices
    if (selection.backends.empty() && backend.name == reports::Backend::host) continue;
    any |= backend.devices >= selection.devices;
    if (backend.devices >= selection.devices) need_access(selection, backend);
    else
      too_few.push_back(fmt::format(
          "the {} backend has {} here, and --devices asks for {}", name_of(backend.name),
          reports::counted(backend.devices, "device"), selection.devices));
  }
  if (!any)
    throw UsageError(too_few.empty()
                         ? "--devices: no backend that runs here takes data over devices"
                         : reports::joined(too_few, "; "));
  if (!selection.backends.empty())
    for (const std::string& one : too_few) say("{}", one);
}

void check_bins(const std::vector<unsigned>& bins, const Words& operations,
                const Catalogue& catalogue) {
  bool any = false;
  for (const Backend& backend : catalogue.backends)
    for (const reports::Operation& operation : backend.operations) {
      if (operation.most_bins == 0 || !has(operations, operation.name)) continue;
      any = true;
      for (const unsigned count : bins)
        if (count < 1 || count > operation.most_bins)
          throw UsageError("--bins: {} has 1 to {} bins, not {}", operation.name,
                           operation.most_bins, count);
    }
  if (!any) throw UsageError("--bins: {}: no operation with bins", fmt::join(operations, ", "));
}

}  // namespace

bool takes(const Selection& selection, const Backend& backend) {
  return backend.runs() && chosen(selection.backends, std::string(name_of(backend.name)));
}

void validate(Selection& selection, const Catalogue& catalogue) {
  choose_backends(selection, catalogue);
  choose_devices(selection, catalogue);
  Words operations, operators, providers, dtypes, distributions, contracts, caches, not_built;
  std::vector<Names> rungs;
  std::set<std::string> with_operators;
  for (const Backend& backend : catalogue.backends) {
    if (!backend.runs()) continue;
    unite(not_built, backend.not_built);
    for (const auto& one : backend.implementations) {
      rungs.push_back({reports::full_name(one.operation, {one.provider, one.rung}), one.rung,
                       one.operation + '/' + one.rung, one.path});
      unite(providers, {one.provider});
    }
    for (const auto& one : backend.kinds) {
      unite(operations, {one.operation});
      if (!one.op.empty()) with_operators.insert(one.operation), unite(operators, {one.op});
      unite(dtypes, {one.dtype});
    }
    for (const auto& contract : backend.contracts) {
      unite(contracts, {std::string(name_of(contract))});
      caches = {"cold", "warm"};
    }
  }
  choose("--operation", "operation", selection.operations, each(operations));
  choose("--operator", "operator", selection.operators, each(operators));
  choose("--rung", "rung", selection.rungs, rungs, not_built);
  choose("--provider", "provider", selection.providers, each(providers));
  choose("--dtype", "element type", selection.dtypes, each(dtypes));
  for (const Backend& backend : catalogue.backends)
    for (const auto& one : backend.kinds)
      if (backend.runs() && chosen(selection.operations, one.operation))
        unite(distributions, one.distributions);
  choose("--distribution", "distribution", selection.distributions, each(distributions));
  choose("--contract", "timing contract", selection.contracts, each(contracts));
  choose("--cache", "cache state", selection.caches, each(caches));

  for (const unsigned offset : selection.offsets)
    if (offset > reports::most_offset)
      throw UsageError("--offset: an array is displaced by 0 to {} elements, not {}",
                       reports::most_offset, offset);
  if (!selection.bins.empty())
    check_bins(selection.bins, selection.operations.empty() ? operations : selection.operations,
               catalogue);
  if (!selection.operators.empty())
    for (const std::string& operation : selection.operations)
      if (!with_operators.contains(operation))
        throw UsageError(
            "--operator: {} has none; leave out --operator, or choose operations that have it",
            operation);
}

void validate(reports::Choice& choice, const reports::Results& results) {
  if (results.cells.empty()) throw UsageError("this set has no rows: nothing was run");
  std::set<std::string> operations, operators, dtypes;
  std::set<Names> rungs;
  std::set<std::uint64_t> all_sizes;
  for (const reports::Cell& cell : results.cells) {
    const auto& [input, who, how] = cell.key();
    operations.insert(input.operation);
    if (input.op) operators.insert(*input.op);
    rungs.insert(
        {reports::full_name(input.operation, who), who.rung, input.operation + '/' + who.rung});
    dtypes.insert(input.dtype);
    all_sizes.insert(input.n);
  }
  choose("--operation", "operation", choice.operations, each(operations));
  choose("--operator", "operator", choice.operators, each(operators));
  choose("--rung", "rung", choice.rungs, {rungs.begin(), rungs.end()}, {},
         "./ladder table --format csv");
  choose("--dtype", "element type", choice.dtypes, each(dtypes));
  for (const std::uint64_t n : choice.sizes)
    if (!all_sizes.contains(n))
      throw UsageError("--size: there is no size \"{}\" here; did you mean {}?", size_text(n),
                       size_text(nearest(n, all_sizes)));
  if (std::ranges::none_of(results.cells,
                           [&](const reports::Cell& cell) { return fits(choice, cell.key()); }))
    throw UsageError("no row of this set matches all of these options; use fewer options");
}

}  // namespace ladder
