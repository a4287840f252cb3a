#include "reports/text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace ladder::reports {
namespace {

// The next character of UTF-8 text, and how many bytes it takes: none where they are no character.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto bytes = static_cast<std::size_t>(byte(0) < 0x80   ? 1
                                              : byte(0) < 0xC2 ? 0
                                              : byte(0) < 0xE0 ? 2
                                              : byte(0) < 0xF0 ? 3
                                              : byte(0) < 0xF5 ? 4
                                                               : 0);
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t code = bytes == 1 ? byte(0) : byte(0) & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  // in fewer bytes it is written otherwise
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = 0xD800 <= code && code < 0xE000;
  return code < least[bytes] || is_surrogate || code > 0x10FFFF ? Character{}
                                                                : Character{code, bytes};
}

// Control characters: to some terminals U+009B begins a command, as ESC [ does. Then the characters
// that end a line, those that turn round the text that follows, so that it reads as another, and
// those that nobody sees: all that Unicode calls Default_Ignorable_Code_Point.
bool is_harmful(char32_t c) {
  constexpr std::pair<char32_t, char32_t> ranges[] = {
      {0, 0x1F},        {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},
      {0x61C, 0x61C},   {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
      {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},   {0x3164, 0x3164},
      {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},
      {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
  const auto* const range =
      std::ranges::lower_bound(ranges, c, {}, &std::pair<char32_t, char32_t>::second);
  return range != std::end(ranges) && range->first <= c;
}

// Whether a renderer that makes links of bare text would take what ends here and what follows for
// one: https://, www. and name@host.
bool begins_link(std::string_view text, std::string_view after) {
  const bool is_www =
      text.size() >= 3 &&
      std::ranges::all_of(text.substr(text.size() - 3), [](char c) { return (c | 0x20) == 'w'; });
  return text.ends_with('@') || (is_www && after.starts_with('.')) ||
         (text.ends_with(':') && after.starts_with("//"));
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const Character next = first_of(text);
    const std::size_t bytes = std::max<std::size_t>(next.bytes, 1);
    if (next.bytes == 0) line += "\uFFFD";
    else if (is_harmful(next.code)) line.append(bytes, ' ');
    else line += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return line;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string_view beginning(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xC0) == 0x80)
    --most_bytes;
  return text.substr(0, most_bytes);
}

namespace {

std::string first_line(std::string_view text, std::size_t most_bytes) {
  const std::string_view shown = beginning(text, most_bytes);
  return one_line(shown) + (shown.size() < text.size() ? "..." : "");
}

}  // namespace

std::string printable(std::string_view text) {
  return first_line(text, 200);
}

std::string shortened(std::string_view text) {
  return first_line(text, 2000);
}

std::string escaped(std::string_view text) {
  const std::string line = shortened(text);
  const auto in_a_word = [&line](std::size_t i) {
    const auto letter = [](char c) {
      return ('a' <= (c | 0x20) && (c | 0x20) <= 'z') || ('0' <= c && c <= '9');
    };
    return i > 0 && i + 1 < line.size() && letter(line[i - 1]) && letter(line[i + 1]);
  };
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool markup =
        std::string_view("<>&\\`*_{}[]#|~$@").find(line[i]) != std::string_view::npos;
    if (markup && !(line[i] == '_' && in_a_word(i)))
      out += fmt::format("&#{};", static_cast<int>(line[i]));
    else out += line[i];
    if (begins_link(std::string_view(line).substr(0, i + 1), std::string_view(line).substr(i + 1)))
      out += "<span></span>";
  }
  return out;
}

std::string as_file_name(std::string_view text) {
  std::string name(text.substr(0, 60));
  for (char& c : name) {
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    else if (!(('a' <= c && c <= 'z') || ('0' <= c && c <= '9'))) c = '_';
  }
  return name.empty() ? "_" : name;
}

std::string code(std::string_view name) {
  const bool plain = !name.empty() && shortened(name) == name &&
                     name.find_first_of("`|") == name.npos && name.front() != ' ' &&
                     name.back() != ' ';
  return plain ? fmt::format("`{}`", name) : escaped(name);
}

std::string fenced(std::string_view language, std::string_view text) {
  std::size_t run = 0, longest = 2;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}{}\n{}\n{}\n", fence, language, text, fence);
}

}  // namespace ladder::reports
