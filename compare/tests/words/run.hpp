// Runs a kernel of a test on arrays.
#pragma once

#include "compare/tests/catch.hpp"
#include "compare/tests/device_memory.hpp"

namespace ladder {

// What the kernel leaves in its second array, of `count` elements that are 0 before.
template <class In, class Out>
std::vector<Out> answer(void (*kernel)(const In*, Out*), const LaunchShape& shape,
                        const std::vector<std::type_identity_t<In>>& in, std::size_t count) {
  const auto given = uploaded(in);
  const auto out = uploaded(std::vector<Out>(count));
  launch(kernel, shape, {}, given.data(), out.data());
  backend::synchronize({});
  return downloaded(out, count);
}

// The same by one thread, which gives one element for each.
template <class In, class Out>
std::vector<Out> answer_each(void (*kernel)(const In*, Out*),
                             const std::vector<std::type_identity_t<In>>& in) {
  return answer(kernel, {1, static_cast<unsigned>(in.size())}, in, in.size());
}

}  // namespace ladder
