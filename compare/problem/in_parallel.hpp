// A loop on all cores.
#pragma once

#include <cstdint>
#include <functional>

namespace ladder {

// body(k) for each k below n, in any order. Not a template: that would compile anew for every body.
void in_parallel(std::uint64_t n, const std::function<void(std::uint64_t k)>& body);

}  // namespace ladder
