// The problem of an implementation over Height (operators.hpp): an operation with an operator, on
// leaves.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compare/problem/any_tree.hpp"
#include "compare/problem/problem.hpp"

namespace ladder {

// terms: elements combined into the first result; each further result combines one more.
template <class T, class Device>
std::unique_ptr<Problem> leaves(const ProblemSpec& spec, reports::Output output,
                                std::uint64_t terms) {
  return std::make_unique<TypedProblem<Device, T, AnyTree>>(
      spec, std::vector<Generator<T>>{Zeros<T>()}, output, of_one_array<Device, T>,
      [&] { return AnyTree{terms}; });
}

}  // namespace ladder
