#include "compare/emulated/machine/warp.hpp"

#include <algorithm>
#include <functional>

#include "compare/emulated/types/lanes.hpp"

namespace ladder::emulated {

namespace {

constexpr std::uint64_t garbage = 0xdeadbeefdeadbeef;

unsigned shuffle(std::uint32_t arrived, Thread* lanes) {
  unsigned absent = 0;
  for (const unsigned lane : lanes_in(arrived)) {
    const unsigned source = lanes[lane].source;
    const bool present = (arrived >> source & 1) != 0;
    lanes[lane].result = present ? lanes[source].value : garbage;
    absent += present ? 0 : 1;
  }
  return absent;
}

// The lanes whose value is one that `chosen` says yes to.
template <class Chosen>
std::uint32_t lanes_where(std::uint32_t arrived, const Thread* lanes, const Chosen& chosen) {
  std::uint32_t all = 0;
  for (const unsigned lane : lanes_in(arrived))
    if (chosen(lanes[lane].value)) all |= 1U << lane;
  return all;
}

template <class T, class Op>
std::uint64_t fold(std::uint32_t arrived, const Thread* lanes, Op op) {
  auto total = static_cast<T>(lanes[first_lane(arrived)].value);
  for (const unsigned lane : lanes_in(arrived & (arrived - 1)))
    total = op(total, static_cast<T>(lanes[lane].value));
  return static_cast<std::uint32_t>(total);
}

std::uint64_t common_result(Intrinsic intrinsic, std::uint32_t arrived, const Thread* lanes) {
  using U = std::uint32_t;
  using I = std::int32_t;
  const auto votes = [&] {
    return lanes_where(arrived, lanes, [](std::uint64_t value) { return value != 0; });
  };
  const auto least = [](auto a, auto b) { return std::min(a, b); };
  const auto greatest = [](auto a, auto b) { return std::max(a, b); };
  switch (intrinsic) {
    case Intrinsic::ballot:
      return votes();
    case Intrinsic::all:
      return votes() == arrived;
    case Intrinsic::any:
      return votes() != 0;
    case Intrinsic::reduce_add:
      return fold<U>(arrived, lanes, std::plus<>());
    case Intrinsic::reduce_and:
      return fold<U>(arrived, lanes, std::bit_and<>());
    case Intrinsic::reduce_or:
      return fold<U>(arrived, lanes, std::bit_or<>());
    case Intrinsic::reduce_xor:
      return fold<U>(arrived, lanes, std::bit_xor<>());
    case Intrinsic::min_i32:
      return fold<I>(arrived, lanes, least);
    case Intrinsic::max_i32:
      return fold<I>(arrived, lanes, greatest);
    case Intrinsic::min_u32:
      return fold<U>(arrived, lanes, least);
    case Intrinsic::max_u32:
      return fold<U>(arrived, lanes, greatest);
    case Intrinsic::syncwarp:
    case Intrinsic::shuffle:
    case Intrinsic::match_any:
      break;
  }
  return 0;
}

}  // namespace

unsigned combine(Intrinsic intrinsic, std::uint32_t arrived, Thread* lanes) {
  if (intrinsic == Intrinsic::shuffle) return shuffle(arrived, lanes);
  if (intrinsic == Intrinsic::match_any) {
    for (const unsigned lane : lanes_in(arrived))
      lanes[lane].result = lanes_where(
          arrived, lanes, [&](std::uint64_t value) { return value == lanes[lane].value; });
    return 0;
  }
  const std::uint64_t result = common_result(intrinsic, arrived, lanes);
  for (const unsigned lane : lanes_in(arrived)) lanes[lane].result = result;
  return 0;
}

}  // namespace ladder::emulated
