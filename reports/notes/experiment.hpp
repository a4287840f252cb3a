// The experiments of the study notes, as far as their numbers can be held against cells.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ladder::reports {

struct Experiment {
  std::string_view operation;
  std::string_view dtype;
  std::uint64_t n;
  std::string_view distribution = "uniform";
  std::string_view or_operation = {};  // N3's scans are of either kind
  std::uint64_t most = ~std::uint64_t{0};

  bool is_of(const std::string& name) const { return name == operation || name == or_operation; }
  bool decides(std::uint64_t elements) const { return n <= elements && elements <= most; }
};

inline constexpr Experiment n1{"reduce", "i32", 1 << 28, "glibc_bytes"};
inline constexpr Experiment n2{"sum_of_cubes", "i32", 1 << 20, "digits"};
inline constexpr Experiment n3_reduce{"reduce", "f32", 1 << 20};
// The note's table of scans has 512 elements for 512 processors, and a million.
inline constexpr Experiment n3_scan{.operation = "inclusive_scan",
                                    .dtype = "f32",
                                    .n = 1 << 20,
                                    .distribution = "dyadic",
                                    .or_operation = "exclusive_scan"};
inline constexpr Experiment n3_short_scan{.operation = "inclusive_scan",
                                          .dtype = "f32",
                                          .n = 512,
                                          .distribution = "dyadic",
                                          .or_operation = "exclusive_scan",
                                          .most = 512};
inline constexpr Experiment n3_histogram{"histogram", "i32", 1 << 20};
inline constexpr Experiment n4{"reduce", "i32", 1 << 24, "glibc_bytes"};
inline constexpr Experiment n5{"dot", "f32", 1 << 24};  // the note gives no number of elements

}  // namespace ladder::reports
