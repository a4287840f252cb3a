// Lists of distinct things.
#pragma once

#include <algorithm>
#include <vector>

namespace ladder {

bool has(const auto& list, const auto& value) {
  return std::ranges::find(list, value) != list.end();
}

// Adds what is not there yet.
template <class T>
void unite(std::vector<T>& list, const std::vector<T>& more) {
  for (const T& one : more)
    if (!has(list, one)) list.push_back(one);
}

template <class T>
std::vector<T> or_else(const std::vector<T>& choice, const std::vector<T>& otherwise) {
  return choice.empty() ? otherwise : choice;
}

}  // namespace ladder
