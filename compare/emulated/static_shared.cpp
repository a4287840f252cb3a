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
  first_ = last_ == 0 ? first : std::min(first_, first);
  last_ = std::max(last_, last);
}

void StaticShared::poison() {
  auto* const memory = reinterpret_cast<unsigned char*>(begin_);
  for (std::size_t k = first_; k < last_; ++k) memory[k] |= arrays_[k];
  first_ = last_ = 0;
}

void StaticShared::put_aside(Image& image) {
  const auto* const memory = reinterpret_cast<const unsigned char*>(begin_);
  image.first = first_;
  image.last = last_;
  image.bytes.assign(memory + first_, memory + last_);
  poison();
}

void StaticShared::take_up(const Image& image) {
  poison();
  auto* const memory = reinterpret_cast<unsigned char*>(begin_);
  for (std::size_t k = image.first; k < image.last; ++k)
    if (arrays_[k] != 0) memory[k] = image.bytes[k - image.first];
  first_ = image.first;
  last_ = image.last;
}

}  // namespace ladder::emulated
