// Of a backend that has no limit of an input. The linker takes it from the library where nothing
// else defines these.
#include <stdexcept>

#include "compare/worker/backend.hpp"

namespace ladder::probe {

bool has_limit() {
  return false;
}

std::unique_ptr<Prepared> limit(const Movement&) {
  throw std::logic_error("this backend has no limit of an input");
}

std::uint32_t byte_sum(std::span<const std::byte>) {
  throw std::logic_error("this backend has no limit of an input");
}

}  // namespace ladder::probe
