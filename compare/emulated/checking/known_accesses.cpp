#include "compare/emulated/checking/known_accesses.hpp"

#include <algorithm>
#include <array>
#include <limits>

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
  while (std::uint64_t{block} >> bits * height_ != 0) raise(child_of(block, height_ + 1));
}

// A root above the present one, which becomes this child of it.
void Knowledge::raise(unsigned child) {
  Node node;
  node.children[child] = std::move(root_);
  root_ = std::make_shared<const Node>(std::move(node));
  ++height_;
}

namespace {

// All blocks below a node of this height. One for all, so that to join it takes no time.
const std::shared_ptr<const void>& everything(unsigned height) {
  static std::vector<std::shared_ptr<const void>> of_height(
      1, std::make_shared<const View>(View{std::numeric_limits<std::uint32_t>::max(), {}}));
  while (of_height.size() <= height) {
    Node node;
    node.children.fill(of_height.back());
    of_height.push_back(std::make_shared<const Node>(std::move(node)));
  }
  return of_height[height];
}

// The blocks from `first` to before `end`, counted from the first below the node.
std::shared_ptr<const void> range(unsigned height, std::uint64_t first, std::uint64_t end) {
  if (first == 0 && end == std::uint64_t{1} << bits * height) return everything(height);
  const std::uint64_t below = std::uint64_t{1} << bits * (height - 1);  // a child
  Node node;
  for (std::uint64_t k = first / below; k * below < end; ++k)
    node.children[k] = range(height - 1, std::max(first, k * below) - k * below,
                             std::min(end, (k + 1) * below) - k * below);
  return std::make_shared<const Node>(std::move(node));
}

}  // namespace

Knowledge Knowledge::all_of(std::uint32_t first, std::uint32_t count) {
  Knowledge all;
  const std::uint64_t end = std::uint64_t{first} + count;
  while (end > std::uint64_t{1} << bits * all.height_) ++all.height_;
  all.root_ = range(all.height_, first, end);
  return all;
}

bool Knowledge::covers(const Epoch& epoch) const {
  if (std::uint64_t{epoch.block} >> bits * height_ != 0) return false;
  const void* at = root_.get();
  for (unsigned height = height_; height > 0 && at != nullptr; --height)
    at = static_cast<const Node*>(at)->children[child_of(epoch.block, height)].get();
  if (at == nullptr) return false;
  const View& view = *static_cast<const View*>(at);
  if (epoch.interval != view.interval) return epoch.interval < view.interval;
  const auto known =
      std::ranges::lower_bound(view.clocks, epoch.thread, {}, &Clocks::value_type::first);
  return known != view.clocks.end() && known->first == epoch.thread && epoch.clock <= known->second;
}

void Knowledge::join(const Knowledge& other) {
  if (other.root_ == nullptr || root_ == other.root_) return;
  if (root_ == nullptr) {
    *this = other;
    return;
  }
  while (height_ < other.height_) raise(0);
  Knowledge same_height = other;
  while (same_height.height_ < height_) same_height.raise(0);
  root_ = joined(height_, root_, same_height.root_);
}

// Gives back one of the two where that knows it all, so that equal ones stay one.
Knowledge::Any Knowledge::joined(unsigned height, const Any& a, const Any& b) {
  if (b == nullptr || a == b || a == everything(height)) return a;
  if (a == nullptr || b == everything(height)) return b;
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
  for (std::size_t k = 0; k < all.children.size(); ++k)
    all.children[k] = joined(height - 1, x.children[k], y.children[k]);
  if (all.children == x.children) return a;
  if (all.children == y.children) return b;
  return std::make_shared<const Node>(std::move(all));
}

}  // namespace ladder::emulated
