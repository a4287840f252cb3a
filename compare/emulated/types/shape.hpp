// How many blocks a grid and how many threads a block has along x, y and z. Both are numbered from
// 0 on, x first, as warps are made; messages name them by their places where there is more than one
// dimension.
#pragma once

#include <cstdint>
#include <string>

#include "compare/emulated/types/vectors.hpp"

namespace ladder::emulated {

constexpr std::uint64_t count_in(uint3 extent) {
  return std::uint64_t{extent.x} * extent.y * extent.z;
}
constexpr bool is_a_row(uint3 extent) {
  return extent.y == 1 && extent.z == 1;
}
constexpr uint3 place_in(uint3 extent, unsigned number) {
  if (is_a_row(extent)) return {number, 0, 0};
  return {number % extent.x, number / extent.x % extent.y, number / extent.x / extent.y};
}

struct Shape {
  uint3 grid{1, 1, 1}, block{1, 1, 1};
  uint3 cluster{1, 1, 1};  // blocks of it have numbers in a row

  constexpr uint3 place_of_block(unsigned number) const {
    if (is_a_row(cluster)) return place_in(grid, number);  // its blocks are neighbours along x
    const auto blocks = static_cast<unsigned>(count_in(cluster));
    const uint3 first = place_in({grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z},
                                 number / blocks),
                rank = place_in(cluster, number % blocks);
    return {first.x * cluster.x + rank.x, first.y * cluster.y + rank.y,
            first.z * cluster.z + rank.z};
  }

  // "block 3", "block (3, 0)"
  std::string block_in_words(unsigned number) const;
  std::string thread_in_words(unsigned number) const;
};

std::string place_in_words(uint3 extent, uint3 place);  // "3", "(3, 0)"
std::string extent_in_words(uint3 extent);              // "32", "32 x 8"

}  // namespace ladder::emulated
