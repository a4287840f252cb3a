// The experiments of the study notes, as far as their numbers can be held against cells.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ladder::reports {

struct Experiment {
  std::string_view operation;  // "scan": either of the two
  std::string_view dtype;
  std::uint64_t n;
  std::string_view distribution = "uniform";

  bool is_of(const std::string& cells_operation) const { return cells_operation.ends_with(operation); }
};

inline constexpr std::uint64_t few_scanned = 512, many_scanned = 1 << 20;  // elements, in the table of N3

inline constexpr Experiment n1{"reduce", "i32", 1 << 28, "glibc_bytes"};
inline constexpr Experiment n2{"sum_of_cubes", "i32", 1 << 20, "digits"};
inline constexpr Experiment n3_reduce{"reduce", "f32", 1 << 20};
inline constexpr Experiment n3_scan{"scan", "f32", many_scanned, "dyadic"};
inline constexpr Experiment n3_histogram{"histogram", "i32", 1 << 20};
inline constexpr Experiment n4{"reduce", "i32", 1 << 24, "glibc_bytes"};
inline constexpr Experiment n5{"dot", "f32", 1 << 24};  // the note gives no number of elements

}  // namespace ladder::reports
