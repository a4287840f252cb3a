// Text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ladder::reports {

inline constexpr std::size_t terminal_width = 80;

// Breaks each line that is wider at a space. It goes on below its last column, where two spaces
// stand before one, and where it began otherwise. A word without a space is left as it is: a path
// is to be copied.
std::string wrapped(std::string_view text);

}  // namespace ladder::reports
