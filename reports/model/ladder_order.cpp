#include "reports/model/ladder_order.hpp"
#include "reports/text/lists.hpp"

#include <algorithm>
#include <set>
#include <type_traits>

namespace ladder::reports {
namespace {

constexpr std::size_t last = ~std::size_t{0};

using Name = std::tuple<std::string, std::string, std::string>;

Name name_of_rung(const Rung& rung) {
  return {rung.operation, rung.provider, rung.rung};
}

Name name_of_rung(const Cell& cell) {
  return {cell.input.operation, cell.who.provider, cell.who.rung};
}

// Its place and what the results list; the last place and null where they do not list it.
template <class Key, class Value>
Value found(const std::map<Key, Value>& all, const std::type_identity_t<Key>& key) {
  const auto its = all.find(key);
  return its == all.end() ? Value(last, nullptr) : its->second;
}

}  // namespace

Order::Order(const Results& results) {
  for (const Operation& operation : results.operations)
    operations_.emplace(operation.name, std::pair(operations_.size(), &operation));
  for (const Rung& rung : results.rungs)
    rungs_.emplace(name_of_rung(rung), std::pair(rungs_.size(), &rung));
}

std::size_t Order::of_operation(const std::string& name) const {
  return found(operations_, name).first;
}

std::size_t Order::of_operator(const Input& input) const {
  const Operation* its = operation(input.operation);
  if (its == nullptr || !input.op) return last;
  const auto& operators = its->operators;
  return static_cast<std::size_t>(std::ranges::find(operators, *input.op) - operators.begin());
}

std::size_t Order::of(const Cell& cell) const {
  return found(rungs_, name_of_rung(cell)).first;
}

std::size_t Order::of(const Rung& rung) const {
  return found(rungs_, name_of_rung(rung)).first;
}

bool Order::is_usual(const Input& input) const {
  const Operation* its = operation(input.operation);
  return its != nullptr && has(its->usual_inputs, input.distribution) &&
         input.bins.value_or(0) == its->usual_bins && input.offset == 0;
}

const Operation* Order::operation(const std::string& name) const {
  return found(operations_, name).second;
}

const Rung* Order::card(const Cell& cell) const {
  return found(rungs_, name_of_rung(cell)).second;
}

const Rung* Order::followed_by(const Rung& rung) const {
  return found(rungs_, {rung.operation, rung.provider, rung.follows}).second;
}

std::vector<std::string> Order::operations(const Cells& cells) const {
  std::set<std::pair<std::size_t, std::string>> met;
  for (const Cell& cell : cells)
    met.emplace(of_operation(cell.input.operation), cell.input.operation);
  return each(met, [](const auto& one) { return one.second; });
}

void sort_as_ladder(std::vector<Rung>& rungs) {
  std::map<Name, const Rung*> all;
  for (const Rung& rung : rungs) all.emplace(name_of_rung(rung), &rung);
  std::map<Name, std::vector<const Rung*>> above;
  std::vector<const Rung*> first, circular;
  for (const auto& [name, rung] : all) {
    const Name below{rung->operation, rung->provider, rung->follows};
    // of a file whose rungs follow each other in a circle: taken last, most were placed by then
    circular.push_back(rung);
    if (all.contains(below)) above[below].push_back(rung);
    else first.push_back(rung);
  }
  std::ranges::stable_sort(first, {}, [](const Rung* rung) {
    return std::pair(rung->provider != "handwritten", !rung->from.empty());
  });
  std::vector<const Rung*> stack(circular.rbegin(), circular.rend());
  stack.insert(stack.end(), first.rbegin(), first.rend());
  std::map<Name, std::size_t> place;
  while (!stack.empty()) {
    const Name name = name_of_rung(*stack.back());
    stack.pop_back();
    if (!place.emplace(name, place.size()).second) continue;
    const auto& next = above[name];
    stack.insert(stack.end(), next.rbegin(), next.rend());
  }
  std::ranges::stable_sort(rungs, {}, [&](const Rung& rung) {
    return std::pair(rung.operation, place.at(name_of_rung(rung)));
  });
}

void sort(Results& results) {
  std::ranges::stable_sort(results.operations, {}, &Operation::place);
  sort_as_ladder(results.rungs);
  const Order of_operations(results);
  std::ranges::stable_sort(results.rungs, {}, [&](const Rung& rung) {
    return of_operations.of_operation(rung.operation);
  });
  const Order order(results);
  const auto place = [&](const Cell& cell) {
    const Input& i = cell.input;
    return std::tuple(order.of_operation(i.operation), cell.how, order.of_operator(i),
                      rank_of_dtype(i.dtype), i.n, i.distribution, i.bins, i.offset, i.devices,
                      order.of(cell));
  };
  for (Cells* cells : {&results.cells, &results.limits})
    std::ranges::stable_sort(*cells,
                             [&](const Cell& a, const Cell& b) { return place(a) < place(b); });
}

void sort_as_ladder(Cells& cells, const Order& order) {
  std::ranges::stable_sort(
      cells, {}, [&](const Cell& cell) { return std::pair(cell.input.devices, order.of(cell)); });
}

}  // namespace ladder::reports
