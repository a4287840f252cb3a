#include "compare/emulated/machine/warp.hpp"

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

// To each the lanes that have its value.
void match(std::uint32_t arrived, Thread* lanes) {
  for (const unsigned lane : lanes_in(arrived)) {
    lanes[lane].result = 0;
    for (const unsigned other : lanes_in(arrived))
      if (lanes[other].value == lanes[lane].value) lanes[lane].result |= 1U << other;
  }
}

}  // namespace

unsigned combine(const Intrinsic& intrinsic, std::uint32_t arrived, Thread* lanes) {
  if (&intrinsic == &intrinsics::shuffle) return shuffle(arrived, lanes);
  if (&intrinsic == &intrinsics::match_any) match(arrived, lanes);
  if (intrinsic.fold == nullptr) return 0;
  std::uint64_t all = lanes[first_lane(arrived)].value;
  for (const unsigned lane : lanes_in(arrived & (arrived - 1)))
    all = intrinsic.fold(all, lanes[lane].value);
  for (const unsigned lane : lanes_in(arrived)) lanes[lane].result = all;
  return 0;
}

}  // namespace ladder::emulated
