// Lists: as people read them, in a sentence or as the columns of a terminal, and what is made of
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ladder::reports {

std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ");
std::string enumerated(const std::vector<std::string>& parts);  // a, b and c
// "1 row", "12 rows", "2 processes". many: where an ending does not make it of `one`.
std::string counted(std::size_t n, std::string_view one, std::string_view many = "");

bool has(const auto& list, const auto& value) {
  return std::ranges::find(list, value) != list.end();
}

// Adds what is not there yet.
template <class T>
void unite(std::vector<T>& list, const std::vector<T>& more) {
  for (const T& one : more)
    if (!has(list, one)) list.push_back(one);
}

// What `of` makes of each of them, or that member of each.
auto each(const auto& all, const auto& of) {
  std::vector<std::remove_cvref_t<decltype(std::invoke(of, *all.begin()))>> made;
  made.reserve(all.size());
  for (const auto& one : all) made.push_back(std::invoke(of, one));
  return made;
}

// Those that are so.
template <class T>
std::vector<T> only(const std::vector<T>& all, const auto& which) {
  std::vector<T> these;
  std::ranges::copy_if(all, std::back_inserter(these), which);
  return these;
}

// The lines of a table for a terminal. All columns have the same number of texts, one at least; the
// first left_aligned columns stand at the left, all others at the right.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& columns,
                                 std::size_t left_aligned);

}  // namespace ladder::reports
