// Kernels with one mistake each, beside their correct twins, and who sees the mistake. The same
// source is compiled by g++ and by clang++ for the emulated backend, where our checker looks at it,
// and by nvcc for a GPU, where compute-sanitizer does.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace ladder::seeded {

// What comes of a mistake under a tool of compute-sanitizer. Empty: it says nothing.
constexpr std::string_view found = "found", hangs = "does not end";
constexpr std::string_view in_both = "found, in the twin too";  // it cannot tell them apart
// nobody has run the tools on it yet
constexpr std::string_view unknown = "not measured";

struct SeenBy {
  std::string_view memcheck = {}, racecheck = {}, initcheck = {}, synccheck = {};
};

struct Mistake {
  std::string_view name;
  // of the finding of our checker, "race or fault" where the schedule decides ..
  std::string_view kind;
  std::string_view words;  // .. and a part of its message
  // as compute-sanitizer 2025.3 did on an NVIDIA H200, or on two H100
  SeenBy seen_by;
  std::function<void()> wrong, right;  // a launch each; throws where the answer is wrong
  // our checker finds it in any order, also where blocks run one after another
  bool in_order = true;
  unsigned devices = 1;  // that it needs; it does nothing where there are fewer
};

const std::vector<Mistake>& mistakes();

}  // namespace ladder::seeded
