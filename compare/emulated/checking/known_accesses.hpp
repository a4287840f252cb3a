// What is known of other blocks: of each block all barrier intervals before one, and of some
// threads all accesses of that interval up to a clock.
//
// A value that never changes and shares what it has in common with others: a radix tree by block.
// To join two that differ in a few blocks costs a few nodes, so a chain of n blocks, each of which
// knows all before it, costs n log n and not n squared.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ladder::emulated {

struct Epoch {
  std::uint32_t block = 0, interval = 0;
  std::uint32_t clock = 0;  // of its thread; 0: no access
  std::uint16_t thread = 0;

  bool exists() const { return clock != 0; }
};

class Knowledge {
 public:
  // thread and clock, sorted by thread
  using Clocks = std::vector<std::pair<std::uint16_t, std::uint32_t>>;

  Knowledge() = default;  // of nothing
  Knowledge(std::uint32_t block, std::uint32_t interval, Clocks clocks);
  // everything that these blocks do
  static Knowledge all_of(std::uint32_t first, std::uint32_t count);

  bool empty() const { return root_ == nullptr; }
  bool covers(const Epoch& epoch) const;
  void join(const Knowledge& other);

 private:
  using Any = std::shared_ptr<const void>;  // a node; at height 0 a view of one block

  static Any joined(unsigned height, const Any& a, const Any& b);
  void raise(unsigned child);

  Any root_;
  unsigned height_ = 0;  // a tree of height h has room for 16^h blocks
};

}  // namespace ladder::emulated
