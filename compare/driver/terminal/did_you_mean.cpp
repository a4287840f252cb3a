#include "compare/driver/terminal/did_you_mean.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ladder {
namespace {

constexpr std::size_t longest = 64;  // no name is as long

// Letters to insert, remove, replace, or swap with the next one; of a pattern those around * and ?.
// No package in use here has it.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> from(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      const bool is_any = i > 0 && a[i - 1] == '*',
                 is_same = i > 0 && j > 0 && (a[i - 1] == b[j - 1] || a[i - 1] == '?');
      from[i][j] = i + j;
      if (i > 0) from[i][j] = from[i - 1][j] + (is_any ? 0 : 1);
      if (j > 0) from[i][j] = std::min(from[i][j], from[i][j - 1] + (is_any ? 0 : 1));
      if (i > 0 && j > 0) from[i][j] = std::min(from[i][j], from[i - 1][j - 1] + (is_same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        from[i][j] = std::min(from[i][j], from[i - 2][j - 2] + 1);
    }
  return from[a.size()][b.size()];
}

}  // namespace

const std::string* meant_by(std::string_view word, const std::vector<std::string>& names) {
  const auto letters = static_cast<std::size_t>(
      std::ranges::count_if(word, [](char c) { return c != '*' && c != '?'; }));
  // what few letters of a pattern leave open fits most names
  const std::size_t rounded_up = letters == word.size() ? 2 : 0;
  // a letter in four, to be a slip
  std::size_t fewest = word.size() > longest || letters == 0 ? 0 : 1 + (letters + rounded_up) / 4;
  const std::string* nearest = nullptr;
  for (const std::string& name : names)
    if (const std::size_t distance = fewest == 0 ? 0 : edits(word, name); distance < fewest)
      fewest = distance, nearest = &name;
  return nearest;
}

std::string instead_of(std::string_view word, const std::vector<std::string>& names,
                       std::string_view shows_all) {
  constexpr std::size_t shortest_part = 3, most_meant = 3, most_listed = 12, nearest_listed = 5;
  if (names.empty()) return "there is none to choose from";
  if (const std::string* const meant = meant_by(word, names))
    return fmt::format("did you mean {}?", *meant);
  auto nearest = names;
  const auto holds_word = [&](const std::string& name) {
    return word.size() >= shortest_part && name.find(word) != name.npos;
  };
  const auto others = std::stable_partition(nearest.begin(), nearest.end(), holds_word);
  const auto with_word = static_cast<std::size_t>(others - nearest.begin());
  if (with_word > 0 && with_word <= most_meant)
    return fmt::format("did you mean {}?", fmt::join(nearest.begin(), others, " or "));
  if (names.size() <= most_listed) return fmt::format("choose from {}", fmt::join(names, ", "));
  if (word.size() <= longest)
    std::ranges::stable_sort(others, nearest.end(), {},
                             [&](const std::string& name) { return edits(word, name); });
  nearest.resize(nearest_listed);
  return fmt::format("the nearest of {} are {}; {} shows all", names.size(),
                     fmt::join(nearest, ", "), shows_all);
}

}  // namespace ladder
