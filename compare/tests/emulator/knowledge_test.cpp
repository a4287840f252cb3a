// What is known of other blocks, beside a map that does the same slowly.
#include "compare/emulated/checking/known_accesses.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <random>

#include "compare/tests/catch.hpp"

using ladder::emulated::Epoch;
using ladder::emulated::Knowledge;

namespace {

Epoch epoch(std::uint32_t block, std::uint32_t interval, std::uint16_t thread,
            std::uint32_t clock) {
  return {.block = block, .interval = interval, .clock = clock, .thread = thread};
}

struct Known {
  struct View {
    std::uint32_t interval = 0;
    std::map<std::uint16_t, std::uint32_t> clocks;
  };
  std::map<std::uint32_t, View> blocks;

  bool covers(const Epoch& e) const {
    const auto at = blocks.find(e.block);
    if (at == blocks.end()) return false;
    const auto clock = at->second.clocks.find(e.thread);
    return e.interval < at->second.interval ||
           (e.interval == at->second.interval && clock != at->second.clocks.end() &&
            e.clock <= clock->second);
  }
  void join(const Known& other) {
    for (const auto& [block, view] : other.blocks) {
      View& mine = blocks.try_emplace(block, view).first->second;
      if (mine.interval > view.interval) continue;
      if (mine.interval < view.interval) mine = view;
      for (const auto& [thread, clock] : view.clocks)
        mine.clocks[thread] = std::max(mine.clocks[thread], clock);
    }
  }
};

}  // namespace

TEST_CASE(
    "of a block, all earlier intervals are known, and of this interval some threads up to a "
    "clock") {
  const Knowledge known(7, 3, {{2, 10}, {5, 1}});
  CHECK(known.covers(epoch(7, 2, 900, 99)));
  CHECK(known.covers(epoch(7, 3, 2, 10)));
  CHECK_FALSE(known.covers(epoch(7, 3, 2, 11)));
  CHECK(known.covers(epoch(7, 3, 5, 1)));
  CHECK_FALSE(known.covers(epoch(7, 3, 4, 1)));
  CHECK_FALSE(known.covers(epoch(7, 4, 2, 1)));
  CHECK_FALSE(known.covers(epoch(6, 0, 2, 1)));
  CHECK_FALSE(known.covers(epoch(7 + 16, 0, 2, 1)));

  CHECK_FALSE(known.empty());
  CHECK(Knowledge().empty());
  CHECK_FALSE(Knowledge().covers(epoch(0, 0, 0, 1)));
}

TEST_CASE("of some blocks all is known, and of their neighbours nothing") {
  for (const std::uint32_t first : {0U, 1U, 15U, 16U, 100U, 255U, 0x10000000U})
    for (const std::uint32_t count : {1U, 2U, 15U, 16U, 17U, 256U, 300U, 5000U}) {
      const Knowledge known = Knowledge::all_of(first, count);
      INFO("blocks " << first << " to " << first + count - 1);
      CHECK((known.covers(epoch(first, 1'000'000, 900, 99)) &&
             known.covers(epoch(first + count - 1, 0, 0, 1))));
      CHECK_FALSE((known.covers(epoch(first + count, 0, 0, 1)) ||
                   (first > 0 && known.covers(epoch(first - 1, 0, 0, 1)))));
      Knowledge twice = known;
      twice.join(Knowledge::all_of(first + count, count));
      twice.join({first, 3, {{2, 10}}});  // says nothing new
      CHECK((twice.covers(epoch(first, 4, 0, 1)) &&
             twice.covers(epoch(first + 2 * count - 1, 9, 9, 9))));
      CHECK_FALSE(twice.covers(epoch(first + 2 * count, 0, 0, 1)));
    }
}

TEST_CASE("a value that another was joined to stays as it was") {
  const Knowledge first(1, 0, {{0, 1}});
  Knowledge both = first;
  both.join({1, 0, {{0, 4}, {1, 2}}});
  both.join({300, 2, {}});
  CHECK(both.covers(epoch(1, 0, 0, 4)));
  CHECK(both.covers(epoch(300, 1, 0, 1)));
  CHECK_FALSE(first.covers(epoch(1, 0, 0, 2)));
  CHECK_FALSE(first.covers(epoch(300, 1, 0, 1)));
}

TEST_CASE("whatever is joined in whatever order, the latest of each block and thread is known") {
  constexpr std::uint32_t blocks[] = {0, 1, 15, 16, 17, 255,
                                      // both sides of a level of the tree
                                      256, 4095, 4096, 1'000'000, 0x7fffffff, 0xffffffff};
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<Knowledge> trees(6);
  std::vector<Known> maps(trees.size());
  unsigned known = 0;
  for (unsigned step = 0; step < 3000; ++step) {
    const std::size_t to = below(6), from = below(6);
    if (step % 200 == 0) trees[to] = {}, maps[to] = {};
    if (below(3) == 0) {
      trees[to].join(trees[from]);
      maps[to].join(maps[from]);
    } else if (below(20) == 0) {
      const std::uint32_t first = blocks[below(9)], count = 1 + below(20);
      Known all;
      for (std::uint32_t block = first; block < first + count; ++block)
        all.blocks[block].interval = std::numeric_limits<std::uint32_t>::max();
      maps[to].join(all);
      trees[to].join(Knowledge::all_of(first, count));
    } else {
      const std::uint32_t block = blocks[below(std::size(blocks))],
                          interval = below(1 + step % 200 / 20);
      Knowledge::Clocks clocks;
      for (std::uint16_t thread = 0; thread < 5; ++thread)
        if (below(2) == 0) clocks.emplace_back(thread, 1 + below(5));
      maps[to].join({{{block, {interval, {clocks.begin(), clocks.end()}}}}});
      trees[to].join({block, interval, std::move(clocks)});
    }
    for (unsigned k = 0; k < 20; ++k) {
      const Epoch asked = epoch(blocks[below(std::size(blocks))], below(10),
                                static_cast<std::uint16_t>(below(5)), 1 + below(5));
      const bool expected = maps[to].covers(asked);
      known += expected ? 1 : 0;
      if (trees[to].covers(asked) != expected)
        FAIL("step " << step << ", block " << asked.block << ", interval " << asked.interval);
    }
  }
  CHECK(known > 1000);  // and more are not
  CHECK(known < 59'000);
}
