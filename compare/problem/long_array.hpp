// Arrays as long as an answer.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace ladder {

// Leaves new elements as they are: the threads that write them then also wait for their memory,
// which one thread alone would have to get. Asks for large pages: in small ones, getting a GiB and
// giving it back takes longer than writing it.
template <class T>
struct NotCleared : std::allocator<T> {
  static constexpr std::size_t large_page = 2 << 20;
  static constexpr bool fills_pages(std::size_t n) { return n >= large_page / sizeof(T); }

  template <class U>
  struct rebind {
    using other = NotCleared<U>;
  };

  NotCleared() = default;
  template <class U>
  NotCleared(const NotCleared<U>&) {}

  T* allocate(std::size_t n) {
    if (!fills_pages(n)) return std::allocator<T>::allocate(n);
    void* const memory = ::operator new(n * sizeof(T), std::align_val_t(large_page));
    madvise(memory, n * sizeof(T), MADV_HUGEPAGE);  // an error is no loss but of time
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    if (fills_pages(n)) ::operator delete(memory, std::align_val_t(large_page));
    else std::allocator<T>::deallocate(memory, n);
  }

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
