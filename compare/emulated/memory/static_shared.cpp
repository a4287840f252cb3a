#include "compare/emulated/memory/static_shared.hpp"

#include <algorithm>
#include <utility>

namespace ladder::emulated {

void StaticShared::lies_at(std::uintptr_t begin, std::size_t size) {
  begin_ = begin;
  arrays_.resize(size);
}

void StaticShared::stored(unsigned slot, std::uintptr_t address, std::size_t size) {
  const std::size_t first = address - begin_, last = std::min(first + size, arrays_.size());
  std::fill_n(&arrays_[first], last - first, 0xff);
  Block& block = blocks_[slot];
  for (std::size_t k = first / chunk; k <= (last - 1) / chunk; ++k) {
    if (block.stored[k]) continue;
    block.stored[k] = true;
    block.chunks.push_back(k);
  }
}

// Visits what kernels have stored to in the chunks of the block: the byte there, and the byte in
// its image.
template <class Visit>
void StaticShared::each_byte(Block& block, const Visit& visit) {
  auto* const memory = reinterpret_cast<unsigned char*>(begin_);
  for (const std::size_t at : block.chunks)
    for (std::size_t byte = at * chunk; byte < std::min((at + 1) * chunk, arrays_.size()); ++byte)
      if (arrays_[byte] != 0) visit(memory[byte], block.image[byte]);
}

void StaticShared::begin_block(unsigned slot) {
  select(slot);
  Block& block = blocks_[slot];
  each_byte(block, [](unsigned char& there, unsigned char& kept) { there = kept = 0xff; });
  for (const std::size_t k : block.chunks) block.stored[k] = false;
  block.chunks.clear();
}

void StaticShared::select(unsigned slot) {
  while (blocks_.size() <= slot) {
    blocks_.emplace_back();
    blocks_.back().stored.resize(arrays_.size() / chunk + 1);
    blocks_.back().image.assign(arrays_.size(), 0xff);
  }
  if (slot == slot_) return;
  each_byte(blocks_[slot_],
            [](unsigned char& there, unsigned char& kept) { kept = std::exchange(there, 0xff); });
  each_byte(blocks_[slot], [](unsigned char& there, unsigned char& kept) { there = kept; });
  slot_ = slot;
}

unsigned char* StaticShared::contents(unsigned slot, std::uintptr_t address) {
  return slot == slot_ ? reinterpret_cast<unsigned char*>(address) : image(slot, address);
}

unsigned char* StaticShared::image(unsigned slot, std::uintptr_t address) {
  return blocks_[slot].image.data() + (address - begin_);
}

std::optional<Location> StaticShared::of_image(std::uintptr_t address) const {
  for (unsigned slot = 0; slot < blocks_.size(); ++slot)
    if (const auto offset = address - address_of(blocks_[slot].image.data());
        offset < arrays_.size())
      return Location{{slot}, begin_ + offset};
  return {};
}

}  // namespace ladder::emulated
