#include "compare/worker/backend.hpp"

#include <stdexcept>

namespace ladder::counters {

std::string unavailable() {
  return "the CPU's counters are not read";
}

reports::Counters read(const std::function<void()>&, const std::function<void()>&) {
  throw std::logic_error(unavailable());
}

}  // namespace ladder::counters
