// A vector whose new elements are not zeroed, for exact answers: up to 2^28 doubles, 2 GiB.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace ladder {

// New elements hold anything, as those of an array do. The threads that write them touch the pages first. Zeroing by one thread took half a second
// more, with 2 GiB and two threads.
template <class T>
struct NotZeroed : std::allocator<T> {
  NotZeroed() = default;
  template <class U>
  NotZeroed(const NotZeroed<U>&) noexcept {}  // NOLINT(google-explicit-constructor): as every allocator

  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};

template <class T>
using LargeVector = std::vector<T, NotZeroed<T>>;

}  // namespace ladder
