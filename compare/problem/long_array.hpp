// Arrays as long as an answer.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace ladder {

// Leaves new elements as they are: the threads that write them then also wait for their memory,
// which one thread alone would have to get.
template <class T>
struct NotCleared : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = NotCleared<U>;
  };

  NotCleared() = default;
  template <class U>
  NotCleared(const NotCleared<U>&) {}

  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    if constexpr (sizeof...(arguments) > 0)
      ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    else ::new (static_cast<void*>(at)) U;
  }
};

template <class T>
using LongArray = std::vector<T, NotCleared<T>>;

}  // namespace ladder
