#include "reports/model.hpp"

#include <stdexcept>

namespace ladder::reports {

Outcome::Outcome(Failure failure) : what_(std::move(failure)) {
  if (std::get<Failure>(what_).verdict == Verdict::pass) throw std::invalid_argument("a failure does not pass");
}

Bytes minimum_bytes(const Operation& operation, const Input& input) {
  const std::uint64_t element = input.dtype.ends_with("64") ? 8 : 4;
  const auto outputs = [&]() -> std::uint64_t {
    if (operation.output == Output::one_per_element) return input.n;
    return operation.output == Output::one_per_bin ? input.bins.value_or(0) : 1;
  };
  return {operation.inputs * input.n * element, outputs() * element};
}

Verdict Outcome::verdict() const {
  return failure() == nullptr ? Verdict::pass : failure()->verdict;
}

}  // namespace ladder::reports
