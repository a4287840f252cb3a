#include "compare/problem/in_parallel.hpp"

#include <tbb/parallel_for.h>

namespace ladder {

void in_parallel(std::uint64_t n, const std::function<void(std::uint64_t k)>& body) {
  tbb::parallel_for(std::uint64_t{0}, n, body);
}

}  // namespace ladder
