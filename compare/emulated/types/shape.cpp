#include "compare/emulated/types/shape.hpp"

#include <fmt/format.h>

namespace ladder::emulated {

std::string place_in_words(uint3 extent, uint3 place) {
  if (is_a_row(extent)) return fmt::format("{}", place.x);
  if (extent.z == 1) return fmt::format("({}, {})", place.x, place.y);
  return fmt::format("({}, {}, {})", place.x, place.y, place.z);
}

std::string extent_in_words(uint3 extent) {
  if (is_a_row(extent)) return fmt::format("{}", extent.x);
  if (extent.z == 1) return fmt::format("{} x {}", extent.x, extent.y);
  return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
}

std::string Shape::block_in_words(unsigned number) const {
  return "block " + place_in_words(grid, place_of_block(number));
}

std::string Shape::thread_in_words(unsigned number) const {
  return "thread " + place_in_words(block, place_in(block, number));
}

}  // namespace ladder::emulated
