// An array with an element for each address: those that were never asked for take no room.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace ladder::emulated {

template <class T>
class SparseArray {
 public:
  T& operator[](std::uintptr_t index) {
    const std::uintptr_t number = index / page_size;
    Recent& recent = recent_[number % recent_.size()];
    if (number != recent.number || recent.page == nullptr) {
      auto& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      recent = {number, page.get()};
    }
    return (*recent.page)[index % page_size];
  }

 private:
  static constexpr std::uintptr_t page_size = 256;
  using Page = std::array<T, page_size>;
  struct Recent {
    std::uintptr_t number = 0;
    Page* page = nullptr;
  };

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::array<Recent, 64> recent_;  // at k, the last page used whose number modulo 64 is k
};

}  // namespace ladder::emulated
