// The order of the registry, apart from the one registry that a program has.
#pragma once

#include <vector>

#include "compare/contract.hpp"

namespace ladder {

// Sorted by path, operation, operator and type. Throws std::logic_error that names the path if two
// registered as one.
std::vector<Implementation> in_order(std::vector<Implementation> registered);

// A file is left out where the compiler refuses it (compare/rung_compiler/), and where it needs
// what is not here (compare/cuda/left_out.cmake). One of these stands in for it.
struct LeftOut {
  std::string_view file;    // "handwritten/reduce/interleaved.cu"
  std::string_view reason;  // the compiler's, or "it needs NCCL"
  bool is_error;

  LeftOut(std::string_view that_file, std::string_view that_reason, bool is_an_error = true);
};

const std::vector<LeftOut>& left_out();

}  // namespace ladder
