// What the words that copy asynchronously have in common: cuda::memcpy_async with a barrier or a
// pipeline, and that of cooperative groups. Included by <cuda/barrier> at its end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compare/emulated/calls/asynchronous.hpp"

namespace cuda {

// A size in bytes, of arrays that are aligned to this.
template <std::size_t alignment>
struct aligned_size_t {
  static constexpr std::size_t align = alignment;
  std::size_t value;
  explicit aligned_size_t(std::size_t bytes) : value(bytes) {}
  operator std::size_t() const { return value; }
};

// What a copy answers. Here it is always under way.
enum async_contract_fulfillment { none, async };

// A group of one's own may say that it is the block. Copies are the same here.
template <class Group>
inline constexpr bool is_thread_block_group_v = false;

namespace details {

// The pieces of a copy that this thread of a group takes, of 16, 8 or 4 bytes. What is not aligned
// to 4 is copied at once.
inline void copy_pieces(unsigned rank, unsigned threads, void* to, const void* from,
                        std::size_t size, ladder::emulated::Here where) {
  auto* const out = static_cast<unsigned char*>(to);
  const auto* const in = static_cast<const unsigned char*>(from);
  std::size_t piece = 16;
  while (piece > 2 &&
         (reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | size) %
                 piece !=
             0)
    piece /= 2;
  if (piece == 2) {
    for (std::size_t k = rank; k < size; k += threads) out[k] = in[k];
    return;
  }
  for (std::size_t k = rank * piece; k < size; k += threads * piece)
    ladder::emulated::copy_in_group(ladder::emulated::Mover::threads, {out + k, in + k, piece},
                                    where);
}

// Who copies alone.
struct Alone {
  static unsigned thread_rank() { return 0; }
  static unsigned size() { return 1; }
};

}  // namespace details

template <class Group, thread_scope scope>
async_contract_fulfillment memcpy_async(
    const Group& group, void* to, const void* from, std::size_t size, barrier<scope>& bar,
    ladder::emulated::Here where = ladder::emulated::Here::current()) {
  details::copy_pieces(static_cast<unsigned>(group.thread_rank()),
                       static_cast<unsigned>(group.size()), to, from, size, where);
  ladder::emulated::arrive_after_copies(native_handle(bar), false, where);
  return async_contract_fulfillment::async;
}
template <thread_scope scope>
async_contract_fulfillment memcpy_async(
    void* to, const void* from, std::size_t size, barrier<scope>& bar,
    ladder::emulated::Here where = ladder::emulated::Here::current()) {
  return memcpy_async(details::Alone{}, to, from, size, bar, where);
}

namespace device {

template <std::size_t alignment>
async_contract_fulfillment memcpy_async_tx(
    void* to, const void* from, aligned_size_t<alignment> size, barrier<thread_scope_block>& bar,
    ladder::emulated::Here where = ladder::emulated::Here::current()) {
  static_assert(alignment >= 16);
  ladder::emulated::copy_onto_barrier(ladder::emulated::Mover::bulk, {to, from, size},
                                      native_handle(bar), where);
  return async_contract_fulfillment::async;
}

}  // namespace device
}  // namespace cuda
