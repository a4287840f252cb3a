// A vector for an element of each result: of 2^28 doubles, 2 GiB.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace ladder {

// New elements hold anything, as those of an array do. So the threads that write them touch its pages, not one thread before: with 2 GiB, and two
// threads, half a second is saved.
template <class T>
struct NotZeroed : std::allocator<T> {
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
