// Foreign text, made harmless where it is shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ladder::reports {

// The text in one line: each control character, end of a line, and character that turns the
// direction of what follows is a space; each byte that is no UTF-8 is U+FFFD.
std::string one_line(std::string_view text);

std::size_t characters(std::string_view text);  // their number, in UTF-8

// The longest beginning of at most so many bytes that ends with a whole character.
std::string_view beginning(std::string_view text, std::size_t most_bytes);

// Text from a file of unknown origin, made harmless: one line, and not megabytes of it.
std::string printable(std::string_view text);  // for a terminal: the first 200 bytes
std::string shortened(std::string_view text);  // the first 2,000 bytes
std::string escaped(std::string_view text);    // for Markdown and HTML: never markup; fits a table
std::string code(std::string_view name);       // for Markdown: `name`, or escaped
std::string as_file_name(std::string_view text);  // lower-case letters, digits and underscores, 60

// A code block of Markdown, whatever the text holds.
std::string fenced(std::string_view language, std::string_view text);

}  // namespace ladder::reports
