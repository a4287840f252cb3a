// In place of counters.cpp, where the CUDA toolkit has no CUPTI, or one without a range profiler.
#include "compare/worker/backend.hpp"

#include <stdexcept>

namespace ladder::counters {

std::string unavailable() {
  return "this program was built without CUPTI";
}

reports::Counters read(const std::function<void()>&, const std::function<void()>&) {
  throw std::logic_error(unavailable());
}

}  // namespace ladder::counters
