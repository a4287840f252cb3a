// Lists of distinct things.
#pragma once

#include "reports/text/lists.hpp"

namespace ladder {

using reports::has, reports::unite;

template <class T>
std::vector<T> or_else(const std::vector<T>& choice, const std::vector<T>& otherwise) {
  return choice.empty() ? otherwise : choice;
}

}  // namespace ladder
