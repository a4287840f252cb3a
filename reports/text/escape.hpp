// Numbers and foreign text, as people read them. The same on every machine: no locale takes part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ");
std::string enumerated(const std::vector<std::string>& parts);                    // a, b and c
std::string counted(std::size_t n, std::string_view one, std::string_view many);  // 1 row; 12 rows

// The lines of a table for a terminal. columns: of equally many texts each, one at least; the first
// left_aligned of them are, all others stand at the right.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& columns,
                                 std::size_t left_aligned);

// Without control characters, ends of lines, and characters that turn the direction of what
// follows; what is no UTF-8 is replaced.
std::string one_line(std::string_view text);

std::size_t characters(std::string_view text);  // of UTF-8

// Text from a file of unknown origin, made harmless. One line each, without control characters, and
// not megabytes of it.
// that ends with a character
std::string_view beginning(std::string_view text, std::size_t most_bytes);
// for a terminal: and cut where it is very long
std::string printable(std::string_view text);
// as it is, up to 2,000 bytes of it
std::string shortened(std::string_view text);
// for Markdown and HTML alike: shows as it is, is never taken as markup, fits into a table
std::string escaped(std::string_view text);
// of lower-case letters, digits and underscores, 60 at most
std::string as_file_name(std::string_view text);
// for Markdown: `name`, or escaped where that cannot be
std::string code(std::string_view name);
// for Markdown: a code block, whatever the text holds
std::string fenced(std::string_view language, std::string_view text);

}  // namespace ladder::reports
