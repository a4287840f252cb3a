#include "compare/emulated/machine/warp.hpp"

#include <algorithm>
#include <concepts>

namespace ladder::emulated {

namespace {

constexpr std::uint64_t garbage = 0xdeadbeefdeadbeef;

unsigned shuffle(std::uint32_t arrived, Thread* lanes) {
  unsigned absent = 0;
  for (std::uint32_t left = arrived; left != 0; left &= left - 1) {
    Thread& lane = lanes[first_lane(left)];
    const bool present = (arrived >> lane.source & 1) != 0;
    lane.result = present ? lanes[lane.source].value : garbage;
    absent += present ? 0 : 1;
  }
  return absent;
}

void match_any(std::uint32_t arrived, Thread* lanes) {
  for (std::uint32_t left = arrived; left != 0; left &= left - 1) {
    Thread& lane = lanes[first_lane(left)];
    lane.result = 0;
    for (std::uint32_t others = arrived; others != 0; others &= others - 1) {
      if (lanes[first_lane(others)].value == lane.value) lane.result |= others & -others;
    }
  }
}

std::uint32_t ballot(std::uint32_t arrived, const Thread* lanes) {
  std::uint32_t votes = 0;
  for (std::uint32_t left = arrived; left != 0; left &= left - 1) {
    if (lanes[first_lane(left)].value != 0) votes |= left & -left;
  }
  return votes;
}

template <class T, std::invocable<T, T> F>
std::uint64_t fold(std::uint32_t arrived, const Thread* lanes, F f) {
  T total = static_cast<T>(lanes[first_lane(arrived)].value);
  for (std::uint32_t left = arrived & (arrived - 1); left != 0; left &= left - 1)
    total = f(total, static_cast<T>(lanes[first_lane(left)].value));
  return static_cast<std::uint32_t>(total);
}

std::uint64_t common_result(Intrinsic intrinsic, std::uint32_t arrived, const Thread* lanes) {
  using U = std::uint32_t;
  using I = std::int32_t;
  switch (intrinsic) {
    case Intrinsic::ballot:
      return ballot(arrived, lanes);
    case Intrinsic::all:
      return ballot(arrived, lanes) == arrived;
    case Intrinsic::any:
      return ballot(arrived, lanes) != 0;
    case Intrinsic::reduce_add:
      return fold<U>(arrived, lanes, [](U a, U b) { return a + b; });
    case Intrinsic::reduce_and:
      return fold<U>(arrived, lanes, [](U a, U b) { return a & b; });
    case Intrinsic::reduce_or:
      return fold<U>(arrived, lanes, [](U a, U b) { return a | b; });
    case Intrinsic::reduce_xor:
      return fold<U>(arrived, lanes, [](U a, U b) { return a ^ b; });
    case Intrinsic::min_i32:
      return fold<I>(arrived, lanes, [](I a, I b) { return std::min(a, b); });
    case Intrinsic::max_i32:
      return fold<I>(arrived, lanes, [](I a, I b) { return std::max(a, b); });
    case Intrinsic::min_u32:
      return fold<U>(arrived, lanes, [](U a, U b) { return std::min(a, b); });
    case Intrinsic::max_u32:
      return fold<U>(arrived, lanes, [](U a, U b) { return std::max(a, b); });
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
    match_any(arrived, lanes);
    return 0;
  }
  if (intrinsic == Intrinsic::syncwarp) return 0;
  const std::uint64_t result = common_result(intrinsic, arrived, lanes);
  for (std::uint32_t left = arrived; left != 0; left &= left - 1)
    lanes[first_lane(left)].result = result;
  return 0;
}

}  // namespace ladder::emulated
