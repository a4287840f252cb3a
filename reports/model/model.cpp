#include "reports/model/model.hpp"
#include "reports/text/lists.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ladder::reports {

Outcome::Outcome(Failure failure) : what_(std::move(failure)) {
  if (std::get<Failure>(what_).verdict == Verdict::pass)
    throw std::invalid_argument("a failure does not pass");
}

namespace {

// The largest number where the product is larger, which no file can hold as its own.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t both = 0;
  return __builtin_mul_overflow(a, b, &both) ? std::numeric_limits<std::uint64_t>::max() : both;
}

}  // namespace

std::string PlacedCell::place() const {
  return '/' + std::string(list) + '/' + std::to_string(index);
}

std::vector<PlacedCell> placed_cells(const Results& results) {
  std::vector<PlacedCell> all;
  for (std::size_t i = 0; i < results.cells.size(); ++i)
    all.push_back({"cells", i, &results.cells[i]});
  for (std::size_t i = 0; i < results.limits.size(); ++i)
    all.push_back({"limits", i, &results.limits[i]});
  return all;
}

Input group_input(Input input) {
  input.devices = 0;
  return input;
}

Bytes minimum_bytes(const Operation& operation, const Input& input) {
  const ElementType& element = element_type(input.dtype);
  const std::uint64_t result = operation.output == Output::one_per_bin ? 4  // counts are i32
                               : operation.output == Output::one_per_element
                                   ? element.bytes
                                   : element.accumulator_bytes;
  const auto outputs = [&]() -> std::uint64_t {
    if (operation.output == Output::one_per_element) return input.n;
    return product(std::max(input.devices, 1U),
                   operation.output == Output::one_per_bin ? input.bins.value_or(0) : 1);
  };
  return {product(product(operation.inputs, input.n), element.bytes), product(outputs(), result)};
}

unsigned most_bins(const Operation& operation, const std::string& dtype) {
  return dtype == "u8" ? std::min(operation.most_bins, 256U) : operation.most_bins;
}

Verdict Outcome::verdict() const {
  return failure() == nullptr ? Verdict::pass : failure()->verdict;
}

std::optional<double> counter_named(const Counters& counters, std::string_view name) {
  std::optional<double> found;
  Counters::fields(counters, [&](std::string_view its, const auto& value, const FieldFacts& = {}) {
    if (its == name && value) found = static_cast<double>(*value);
  });
  return found;
}

void merge(const Clocks& more, std::optional<Clocks>& into) {
  if (!into) {
    into = more;
    return;
  }
  into->sm_mhz_min = std::min(into->sm_mhz_min, more.sm_mhz_min);
  into->sm_mhz_max = std::max(into->sm_mhz_max, more.sm_mhz_max);
  unite(into->slowed_by, more.slowed_by);
}

}  // namespace ladder::reports
