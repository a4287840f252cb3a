// Device memory for tests, of any backend.
#pragma once

#include <vector>

#include "compare/launch.hpp"

namespace ladder {

template <class T>
DeviceArray<T> uploaded(const std::vector<T>& values) {
  DeviceArray<T> array(values.size());
  backend::upload(array.data(), values.data(), values.size() * sizeof(T));
  return array;
}

template <class T>
std::vector<T> downloaded(const DeviceArray<T>& array, std::size_t count) {
  std::vector<T> values(count);
  backend::download(values.data(), array.data(), count * sizeof(T));
  return values;
}

// 0, 1, 2, ..
template <class T>
std::vector<T> counted(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = static_cast<T>(k);
  return values;
}

}  // namespace ladder
