// Lists as people read them: in a sentence, and as the columns of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::reports {

std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ");
std::string enumerated(const std::vector<std::string>& parts);                    // a, b and c
std::string counted(std::size_t n, std::string_view one, std::string_view many);  // 1 row; 12 rows

// The text of each of them.
std::vector<std::string> each(const auto& all, const auto& text) {
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (const auto& one : all) texts.push_back(text(one));
  return texts;
}

// The lines of a table for a terminal. All columns have the same number of texts, one at least; the
// first left_aligned columns stand at the left, all others at the right.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& columns,
                                 std::size_t left_aligned);

}  // namespace ladder::reports
