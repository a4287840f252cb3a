#include "reports/model.hpp"

#include <stdexcept>

namespace ladder::reports {

Outcome::Outcome(Failure failure) : what_(std::move(failure)) {
  if (std::get<Failure>(what_).verdict == Verdict::pass) throw std::invalid_argument("a failure does not pass");
}

Verdict Outcome::verdict() const {
  return failure() == nullptr ? Verdict::pass : failure()->verdict;
}

}  // namespace ladder::reports
