#include "compare/operation.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ladder {
namespace {

using Registered = std::pair<reports::Operation, std::vector<Kind>>;

// A function's static, because operations register while other static objects are still being
// constructed.
std::vector<Registered>& registered() {
  static std::vector<Registered> all;
  return all;
}

std::vector<reports::Operation> declared() {
  std::vector<reports::Operation> all;
  for (const auto& [operation, kinds] : registered()) all.push_back(operation);
  std::ranges::sort(all, {}, [](const reports::Operation& o) { return std::tie(o.place, o.name); });
  for (const auto& operation : all)
    if (std::ranges::count(all, operation.name, &reports::Operation::name) > 1)
      throw std::logic_error("two sources register an operation " + operation.name);
  return all;
}

// The study's default comes first.
void put_usual_first(Kind& kind) {
  auto& all = kind.distributions;
  for (const std::string& usual : kind.operation->usual_inputs)
    if (const auto found = std::ranges::find(all, usual); found != all.end()) {
      std::rotate(all.begin(), found, found + 1);
      return;
    }
  throw std::logic_error(kind.operation->name + ": a kind takes none of its usual inputs");
}

}  // namespace

std::string ProblemSpec::in_words() const {
  std::string words = "n = " + std::to_string(n);
  for (const std::string* const word : {&dtype, &op, &distribution})
    if (!word->empty()) words += ", " + *word;
  if (bins > 0) words += ", " + std::to_string(bins) + " bins";
  if (offset > 0) words += ", arrays displaced by " + std::to_string(offset) + " element(s)";
  if (devices > 0) words += ", over " + std::to_string(devices) + " device(s)";
  return words;
}

RegisterOperation::RegisterOperation(const reports::Operation& operation,
                                     const std::vector<std::vector<Kind>>& kinds) {
  auto& [declared, all] = registered().emplace_back(operation, std::vector<Kind>());
  for (const auto& of_a_type : kinds) all.insert(all.end(), of_a_type.begin(), of_a_type.end());
  for (const Kind& kind : all)
    if (!kind.op.empty() &&
        std::ranges::find(declared.operators, kind.op) == declared.operators.end())
      declared.operators.emplace_back(kind.op);
}

const std::vector<reports::Operation>& operations() {
  static const std::vector<reports::Operation> all = declared();
  return all;
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> found;
    for (const reports::Operation& operation : operations())
      for (const auto& [declared, its_kinds] : registered())
        if (declared.name == operation.name)
          for (Kind kind : its_kinds) {
            kind.operation = &operation;
            put_usual_first(kind);
            found.push_back(std::move(kind));
          }
    return found;
  }();
  return all;
}

const Kind* find_kind(std::string_view operation, std::string_view op, std::string_view dtype) {
  const auto found = std::ranges::find_if(kinds(), [&](const Kind& kind) {
    return kind.operation->name == operation && kind.op == op && kind.dtype == dtype;
  });
  return found == kinds().end() ? nullptr : &*found;
}

}  // namespace ladder
