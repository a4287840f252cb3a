// Numbers as people read them. The same on every machine: no locale takes part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ladder::reports {

std::string three_digits(double value);       // significant ones: 4.61, 12.3, 251, 4,598, 0.0123
std::string shortest(double value);           // as grouped where it is whole, else three_digits
std::string grouped(std::uint64_t value);     // 65,536
std::string elements(std::uint64_t n);        // 2^16 for a power of two from 1,024 on, else grouped
std::string bytes_text(std::uint64_t bytes);  // 62.5 GiB
std::string factor(double value);             // 2.99x

struct Duration {  // one unit for a time and its interval
  explicit Duration(double microseconds);
  std::string number(double microseconds) const;
  std::string_view unit = "us";  // or ns, ms, s
  double scale = 1;
};

std::string duration(double microseconds);  // "261 us"

}  // namespace ladder::reports
