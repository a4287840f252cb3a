#include "compare/emulated/knowledge.hpp"

#include <algorithm>
#include <array>

namespace ladder::emulated {

namespace {

constexpr unsigned bits = 4;

struct Node {
  std::array<std::shared_ptr<const void>, 1U << bits> children;
};

struct View {
  std::uint32_t interval;
  Knowledge::Clocks clocks;  // of this interval: what is older is known anyway
};

unsigned child_of(std::uint32_t block, unsigned height) {
  return block >> bits * (height - 1) & ((1U << bits) - 1);
}

Knowledge::Clocks latest(const Knowledge::Clocks& a, const Knowledge::Clocks& b) {
  Knowledge::Clocks all;
  all.reserve(a.size() + b.size());
  auto x = a.begin(), y = b.begin();
  while (x != a.end() && y != b.end()) {
    if (x->first != y->first) {
      all.push_back(x->first < y->first ? *x++ : *y++);
      continue;
    }
    all.emplace_back(x->first, std::max(x->second, y->second));
    ++x;
    ++y;
  }
  all.insert(all.end(), x, a.end());
  all.insert(all.end(), y, b.end());
  return all;
}

}  // namespace

Knowledge::Knowledge(std::uint32_t block, std::uint32_t interval, Clocks clocks)
    : root_(std::make_shared<const View>(View{interval, std::move(clocks)})) {
  while (std::uint64_t{block} >> bits * height_ != 0) {
    ++height_;
    Node node;
    node.children[child_of(block, height_)] = std::move(root_);
    root_ = std::make_shared<const Node>(std::move(node));
  }
}

bool Knowledge::covers(const Epoch& epoch) const {
  if (std::uint64_t{epoch.block} >> bits * height_ != 0) return false;
  const void* at = root_.get();
  for (unsigned height = height_; height > 0 && at != nullptr; --height)
    at = static_cast<const Node*>(at)->children[child_of(epoch.block, height)].get();
  if (at == nullptr) return false;
  const View& view = *static_cast<const View*>(at);
  if (epoch.interval != view.interval) return epoch.interval < view.interval;
  const auto known = std::ranges::lower_bound(view.clocks, epoch.thread, {}, &Clocks::value_type::first);
  return known != view.clocks.end() && known->first == epoch.thread && epoch.clock <= known->second;
}

void Knowledge::join(const Knowledge& other) {
  if (other.root_ == nullptr || root_ == other.root_) return;
  if (root_ == nullptr) {
    *this = other;
    return;
  }
  if (height_ < other.height_) grow(other.height_);
  Knowledge same_height = other;
  if (same_height.height_ < height_) same_height.grow(height_);
  root_ = joined(height_, root_, same_height.root_);
}

void Knowledge::grow(unsigned height) {
  for (; height_ < height; ++height_) {
    Node node;
    node.children[0] = std::move(root_);
    root_ = std::make_shared<const Node>(std::move(node));
  }
}

// Gives back one of the two where that knows it all, so that equal ones stay one.
Knowledge::Any Knowledge::joined(unsigned height, const Any& a, const Any& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  if (height == 0) {
    const View &x = *static_cast<const View*>(a.get()), &y = *static_cast<const View*>(b.get());
    if (x.interval != y.interval) return x.interval > y.interval ? a : b;
    Clocks all = latest(x.clocks, y.clocks);
    if (all == x.clocks) return a;
    if (all == y.clocks) return b;
    return std::make_shared<const View>(View{x.interval, std::move(all)});
  }
  const Node &x = *static_cast<const Node*>(a.get()), &y = *static_cast<const Node*>(b.get());
  Node all;
  for (std::size_t k = 0; k < all.children.size(); ++k) all.children[k] = joined(height - 1, x.children[k], y.children[k]);
  if (all.children == x.children) return a;
  if (all.children == y.children) return b;
  return std::make_shared<const Node>(std::move(all));
}

}  // namespace ladder::emulated
