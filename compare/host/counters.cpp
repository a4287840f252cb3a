#include "compare/worker/backend.hpp"

#include <stdexcept>

namespace ladder::counters {

std::string unavailable() {
  return "those of a CPU are not read";
}

reports::Counters read(const std::function<void()>&, const std::function<void()>&) {
  throw std::logic_error(unavailable());
}

}  // namespace ladder::counters
