// histogram: out[b] = how many elements of in are b, for b in [0, bins).
//
// A byte is an element too: it has 256 values, and so 256 bins at most. Every element lies in [0,
// bins) already; a rung of the notes may still take the remainder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compare/contract.hpp"

namespace ladder {

template <class T>
struct Histogram {
  static constexpr std::string_view name = "histogram";
  using types = TypeList<std::int32_t, std::uint8_t>;
  using operators = TypeList<>;

  struct Device {
    const T* in;        // n elements in [0, bins), never modified
    std::size_t n;      // 0 is allowed
    unsigned bins;      // 1 to 65,536, of bytes 256
    std::int32_t* out;  // one count for each bin

    std::size_t results() const { return bins; }
  };
};

}  // namespace ladder
