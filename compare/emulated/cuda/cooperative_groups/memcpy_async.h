// Copies by a group (CUDA Programming Guide, "Cooperative Groups": memcpy_async, wait, wait_prior).
#pragma once

#include <cooperative_groups.h>

#include <cuda/barrier>

namespace cooperative_groups {

// Each call is a group of copies of each thread.
template <class Group>
void memcpy_async(const Group& group, void* to, const void* from, std::size_t size,
                  Here where = Here::current()) {
  cuda::details::copy_pieces(static_cast<unsigned>(group.thread_rank()),
                             static_cast<unsigned>(group.size()), to, from, size, where);
  ladder::emulated::end_group(ladder::emulated::Mover::threads);
}
// By elements, as many as both have.
template <class Group, class T>
void memcpy_async(const Group& group, T* to, std::size_t room, const T* from, std::size_t count,
                  Here where = Here::current()) {
  memcpy_async(group, to, from, (room < count ? room : count) * sizeof(T), where);
}

template <unsigned but_last, class Group>
void wait_prior(const Group& group, Here where = Here::current()) {
  ladder::emulated::wait_for_groups(ladder::emulated::Mover::threads, but_last);
  group.sync(where);
}
template <class Group>
void wait(const Group& group, Here where = Here::current()) {
  wait_prior<0>(group, where);
}

}  // namespace cooperative_groups
