// What a test calls an implementation.
#pragma once

#include <string>

#include "compare/protocol.hpp"

namespace ladder::tests {

// Its path, and its operation where the path does not say it: handwritten/scan/serial does two.
inline std::string title(const protocol::Listing& one) {
  const bool says_it = one.path.find('/' + one.operation + '/') != std::string::npos;
  return says_it ? one.path : one.path + " as " + one.operation;
}

}  // namespace ladder::tests
