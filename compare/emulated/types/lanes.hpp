// The lanes that a mask names.
#pragma once

#include <bit>
#include <cstdint>

namespace ladder::emulated {

// for (const unsigned lane : lanes_in(mask)), from the lowest on.
class LanesIn {
 public:
  constexpr explicit LanesIn(std::uint32_t mask) : left_(mask) {}
  constexpr LanesIn begin() const { return *this; }
  constexpr LanesIn end() const { return LanesIn(0); }
  constexpr unsigned operator*() const { return static_cast<unsigned>(std::countr_zero(left_)); }
  constexpr LanesIn& operator++() {
    left_ &= left_ - 1;
    return *this;
  }
  constexpr bool operator==(const LanesIn&) const = default;

 private:
  std::uint32_t left_;
};
constexpr LanesIn lanes_in(std::uint32_t mask) {
  return LanesIn(mask);
}
constexpr unsigned first_lane(std::uint32_t mask) {
  return *LanesIn(mask);
}
// the first `count`; all, where there are as many
constexpr std::uint32_t first_lanes(unsigned count) {
  return count >= 32 ? 0xffffffffU : (1U << count) - 1;
}

}  // namespace ladder::emulated
