#include "compare/emulated/static_shared.hpp"

#include <algorithm>

namespace ladder::emulated {

void StaticShared::lies_at(std::uintptr_t begin, std::size_t size) {
  begin_ = begin;
  arrays_.resize(size);
}

void StaticShared::stored(std::uintptr_t address, std::size_t size) {
  const std::size_t first = address - begin_, last = std::min(first + size, arrays_.size());
  std::fill(arrays_.begin() + static_cast<std::ptrdiff_t>(first), arrays_.begin() + static_cast<std::ptrdiff_t>(last), 0xff);
  Block& block = blocks_[slot_];
  for (std::size_t k = first / chunk; k <= (last - 1) / chunk; ++k) {
    if (block.stored[k]) continue;
    block.stored[k] = true;
    block.chunks.push_back(k);
  }
}

// Of what kernels have stored to in the chunks of the block: the byte there, and the byte that is kept.
template <class Visit>
void StaticShared::each_byte(const Block& block, const Visit& visit) {
  auto* const memory = reinterpret_cast<unsigned char*>(begin_);
  for (std::size_t at = 0; at < block.chunks.size(); ++at)
    for (std::size_t k = 0; k < chunk; ++k)
      if (const std::size_t byte = block.chunks[at] * chunk + k; byte < arrays_.size() && arrays_[byte] != 0) visit(memory[byte], at * chunk + k);
}

void StaticShared::begin_block(unsigned slot) {
  select(slot);
  Block& block = blocks_[slot];
  each_byte(block, [](unsigned char& there, std::size_t) { there = 0xff; });
  for (const std::size_t k : block.chunks) block.stored[k] = false;
  block.chunks.clear();
}

void StaticShared::select(unsigned slot) {
  while (blocks_.size() <= slot) blocks_.emplace_back();
  blocks_[slot].stored.resize(arrays_.size() / chunk + 1);
  if (slot == slot_) return;
  Block &before = blocks_[slot_], &now = blocks_[slot];
  before.kept.resize(before.chunks.size() * chunk);
  each_byte(before, [&](unsigned char& there, std::size_t kept) {
    before.kept[kept] = there;
    there = 0xff;
  });
  each_byte(now, [&](unsigned char& there, std::size_t kept) { there = now.kept[kept]; });
  slot_ = slot;
}

}  // namespace ladder::emulated
