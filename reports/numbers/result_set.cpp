#include "reports/numbers/result_set.hpp"

#include <algorithm>

#include "reports/numbers/cells.hpp"
#include "reports/numbers/most_telling.hpp"

namespace ladder::reports {
namespace {

bool is_faster(const Cell& cell, const std::optional<Cell>& than) {
  return !than || cell.timing()->time_us.median < than->timing()->time_us.median;
}

Fastest fastest_of(Cells telling, const Order& order) {
  std::erase_if(telling, [devices = most_devices_of(telling)](const Cell& c) {
    return c.timing() == nullptr || c.input.devices != devices;
  });
  Fastest found;
  for (const Cell& c : telling) {
    if (!is_library(c)) {
      if (is_faster(c, found.by_hand)) found.by_hand = c;
    } else if (!c.timing()->ratios.vs_fastest_library) {  // the ratios of the others are against it
      found.library = c;
    }
  }
  if (!found.by_hand || !found.by_hand->timing()->ratios.vs_same_promise) return found;
  const Promise promise = *order.card(*found.by_hand)->promise;
  for (const Cell& c : telling)
    if (is_library(c) && (promise != Promise::same_bits || order.card(c)->promise == promise) &&
        is_faster(c, found.same_promise))
      found.same_promise = c;
  return found;
}

std::vector<OperationResults> operations_of(const ResultSet& set) {
  std::map<std::string, Cells> cells;
  for (const Cell& c : set.results.cells) cells[c.input.operation].push_back(c);
  std::vector<OperationResults> all;
  for (const std::string& name : set.order.operations(set.results.cells)) {
    auto times = telling_gpu_times(cells[name], set.order);
    auto fastest = fastest_of(times, set.order);
    all.push_back({set, name, std::move(cells[name]), std::move(times), std::move(fastest)});
  }
  return all;
}

}  // namespace

const Order& OperationResults::order() const {
  return set.order;
}

bool OperationResults::ran_on(Backend backend) const {
  return std::ranges::any_of(cells, of_backend(backend));
}

std::map<Backend, Cells> OperationResults::by_backend() const {
  std::map<Backend, Cells> all;
  for (const Cell& c : cells) all[c.how.backend].push_back(c);
  return all;
}

ResultSet::ResultSet(const Results& its)
    : results(its),
      order(its),
      most_devices(most_devices_of(its.cells)),
      operations(operations_of(*this)) {}

const OperationResults* ResultSet::operation(const std::string& name) const {
  const auto found = std::ranges::find(operations, name, &OperationResults::name);
  return found == operations.end() ? nullptr : &*found;
}

std::vector<const OperationResults*> published_times(const OperationResults& own,
                                                     const std::list<ResultSet>& published) {
  std::vector<const OperationResults*> found;
  if (own.ran_on(Backend::cuda)) return found;
  for (const ResultSet& set : published)
    if (const OperationResults* its = set.operation(own.name);
        its != nullptr && !its->gpu_times.empty())
      found.push_back(its);
  return found;
}

bool shows_published(const Results& results) {
  std::map<std::string, bool> on_gpu;
  for (const Cell& c : results.cells) on_gpu[c.input.operation] |= c.how.backend == Backend::cuda;
  return std::ranges::any_of(on_gpu, [](const auto& of) { return !of.second; });
}

}  // namespace ladder::reports
