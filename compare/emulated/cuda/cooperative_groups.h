// Cooperative groups on the emulated backend, in place of the toolkit's (CUDA Programming Guide,
// "Cooperative Groups"). Every barrier and exchange is one of the intrinsics, so the checker treats
// them like those. Not here: groups of several warps other than blocks, clusters and grids.
#pragma once

#include <atomic>
#include <bit>
#include <cstring>
#include <type_traits>

#include "compare/emulated/calls/asynchronous.hpp"
#include "compare/emulated/calls/runtime.hpp"
#include "compare/emulated/language/intrinsics.hpp"
#include "compare/emulated/language/ranks.hpp"
#include "compare/emulated/types/cuda_words.hpp"

namespace cooperative_groups {

using ladder::emulated::Here;

inline namespace details {

constexpr unsigned long long lanes(unsigned count) {
  return (1ULL << count) - 1;
}

// The lanes of a warp that belong to a group. Their ranks are in their order.
class Lanes {
 public:
  explicit Lanes(unsigned mask) : mask_(mask) {}

  unsigned size() const { return static_cast<unsigned>(std::popcount(mask_)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return rank_of(ladder::emulated::lane_index()); }
  void sync(Here where = Here::current()) const { __syncwarp(mask_, where); }
  int any(int predicate, Here where = Here::current()) const {
    return __any_sync(mask_, predicate, where);
  }
  int all(int predicate, Here where = Here::current()) const {
    return __all_sync(mask_, predicate, where);
  }
  unsigned ballot(int predicate, Here where = Here::current()) const {
    return packed(__ballot_sync(mask_, predicate, where));
  }
  template <class T>
  unsigned match_any(T value, Here where = Here::current()) const {
    return packed(__match_any_sync(mask_, value, where));
  }

  // T: anything that can be copied as bytes.
  template <class T>
  T shfl(T value, unsigned rank, Here where = Here::current()) const {
    return exchange(value, lane_of(rank % size()), where);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, Here where = Here::current()) const {
    const unsigned rank = thread_rank();
    return exchange(value, lane_of(rank >= delta ? rank - delta : rank), where);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, Here where = Here::current()) const {
    const unsigned rank = thread_rank();
    return exchange(value, lane_of(rank + delta < size() ? rank + delta : rank), where);
  }
  template <class T>
  T shfl_xor(T value, unsigned mask, Here where = Here::current()) const {
    const unsigned rank = thread_rank() ^ mask;
    return exchange(value, lane_of(rank < size() ? rank : thread_rank()), where);
  }

  unsigned lane_mask() const { return mask_; }
  // The part with the caller, where parts are this many neighbours by rank.
  Lanes part(unsigned of_size) const {
    const unsigned first = thread_rank() / of_size * of_size;
    unsigned lanes_of_part = 0;
    for (unsigned rank = first; rank < first + of_size && rank < size(); ++rank)
      lanes_of_part |= 1U << lane_of(rank);
    return Lanes(lanes_of_part);
  }

 private:
  unsigned rank_of(unsigned lane) const {
    return static_cast<unsigned>(std::popcount(mask_ & static_cast<unsigned>(lanes(lane))));
  }
  unsigned lane_of(unsigned rank) const {
    unsigned left = mask_;
    for (; rank > 0; --rank) left &= left - 1;
    return static_cast<unsigned>(std::countr_zero(left));
  }
  // Turns a mask of lanes into a mask of ranks.
  unsigned packed(unsigned of_lanes) const {
    unsigned of_ranks = 0;
    for (unsigned left = of_lanes; left != 0; left &= left - 1)
      of_ranks |= 1U << rank_of(static_cast<unsigned>(std::countr_zero(left)));
    return of_ranks;
  }
  template <class T>
  T exchange(const T& value, unsigned lane, Here where) const {
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr std::size_t words = (sizeof(T) + 3) / 4;
    unsigned word[words]{};
    std::memcpy(word, &value, sizeof value);
    for (unsigned& w : word) w = __shfl_sync(mask_, w, static_cast<int>(lane), warpSize, where);
    T taken;
    std::memcpy(&taken, word, sizeof taken);
    return taken;
  }

  unsigned mask_;
};

}  // namespace details

class thread_block {
 public:
  static void sync(Here where = Here::current()) { __syncthreads(where); }
  static unsigned size() { return ladder::emulated::threads_of_block(); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return ladder::emulated::thread_rank(); }
  static uint3 group_index() { return blockIdx; }
  static uint3 thread_index() { return threadIdx; }
  static uint3 group_dim() { return blockDim; }
  static uint3 dim_threads() { return blockDim; }
};

// All blocks of a resident grid (LaunchShape::resident). Its barrier is an atomic of each block,
// and a word that its first thread watches. The last block to come writes that word, so nobody sees
// that others have come to the next barrier already: that would order what the program does not.
class grid_group {
 public:
  void sync(Here where = Here::current()) const {
    constexpr const char* name = "grid.sync()";
    unsigned* const arrived = ladder::emulated::grid_barrier(where);
    volatile unsigned* const rounds = arrived + 1;
    ladder::emulated::meet_block(false, where, name);
    if (thread_block::thread_rank() == 0) {
      __threadfence();
      const unsigned blocks = ladder::emulated::blocks_of_grid(),
                     before = atomicAdd(arrived, 1, where), round = before / blocks;
      __threadfence();
      if (before % blocks == blocks - 1) *rounds = round + 1;
      while (*rounds == round) {
      }
      __threadfence();
    }
    ladder::emulated::meet_block(false, where, name);
  }
  static bool is_valid() { return ladder::emulated::is_resident(); }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static unsigned long long num_blocks() { return ladder::emulated::blocks_of_grid(); }
  static unsigned long long block_rank() { return ladder::emulated::block_rank(); }
  static uint3 block_index() { return blockIdx; }
  static uint3 dim_blocks() { return gridDim; }
  static uint3 group_dim() { return gridDim; }
};

// Neighbouring blocks that run at the same time (LaunchShape::cluster).
class cluster_group {
 public:
  struct arrival_token {};

  [[nodiscard]] static arrival_token barrier_arrive() {
    ladder::emulated::arrive_at_cluster(true);
    return {};
  }
  static void barrier_wait(arrival_token&& = {}, Here where = Here::current()) {
    ladder::emulated::wait_for_cluster(true, where);
  }
  static void sync(Here where = Here::current()) { barrier_wait(barrier_arrive(), where); }
  template <class T>
  static T* map_shared_rank(T* pointer, unsigned rank, Here where = Here::current()) {
    return static_cast<T*>(ladder::emulated::shared_of_rank(
        const_cast<const std::remove_cv_t<T>*>(pointer), rank, where));
  }
  static unsigned query_shared_rank(const void* pointer) {
    return ladder::emulated::rank_of_shared(pointer);
  }
  static unsigned num_blocks() { return ladder::emulated::blocks_of_cluster(); }
  static unsigned block_rank() { return ladder::emulated::rank_in_cluster(); }
  static unsigned size() { return num_blocks() * thread_block::size(); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static uint3 block_index() {
    const uint3 blocks = dim_blocks();
    return {blockIdx.x % blocks.x, blockIdx.y % blocks.y, blockIdx.z % blocks.z};
  }
  static uint3 thread_index() {
    const uint3 block = block_index();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
            block.z * blockDim.z + threadIdx.z};
  }
  static uint3 dim_blocks() { return ladder::emulated::shape_of_cluster(); }
  static uint3 dim_threads() {
    const uint3 blocks = dim_blocks();
    return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
  }
};

class coalesced_group : public details::Lanes {
 public:
  using Lanes::Lanes;
};

template <unsigned Size, class Parent = void>
class thread_block_tile : public details::Lanes {
  static_assert(Size <= 32 && std::has_single_bit(Size), "tiles of 1 to 32 threads");

 public:
  thread_block_tile()
      : Lanes(static_cast<unsigned>(details::lanes(Size))
              << (ladder::emulated::lane_index() & ~(Size - 1))) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& tile)
      : Lanes(tile) {}  // "thread_block_tile<32> tile = tiled_partition<32>(block);"
  static constexpr bool is_tile = true;
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  unsigned meta_group_size() const { return (size_of_parent() + Size - 1) / Size; }
  unsigned meta_group_rank() const { return thread_block::thread_rank() % size_of_parent() / Size; }

 private:
  static unsigned size_of_parent() {
    if constexpr (requires { Parent::is_tile; }) return Parent::size();
    else return thread_block::size();
  }
};

// Any of them.
class thread_group {
 public:
  thread_group(const thread_block&) : is_block_(true), lanes_(0) {}
  thread_group(const details::Lanes& group) : is_block_(false), lanes_(group) {}
  void sync(Here where = Here::current()) const {
    if (is_block_) __syncthreads(where);
    else lanes_.sync(where);
  }
  unsigned size() const { return is_block_ ? thread_block::size() : lanes_.size(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return is_block_ ? thread_block::thread_rank() : lanes_.thread_rank();
  }

  thread_group part(unsigned of_size) const {
    const unsigned in_warp =
        std::min(32U, thread_block::size() - (thread_block::thread_rank() & ~31U));
    const details::Lanes of_parent =
        is_block_ ? details::Lanes(static_cast<unsigned>(details::lanes(in_warp))) : lanes_;
    return of_parent.part(of_size);
  }

 private:
  bool is_block_;
  details::Lanes lanes_;
};

inline thread_block this_thread_block() {
  return {};
}
inline grid_group this_grid() {
  return {};
}
inline cluster_group this_cluster() {
  return {};
}
inline thread_block_tile<1> this_thread() {
  return thread_block_tile<1>();
}
// As __activemask(): the smallest group that there may be.
inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}
// By rank in the parent.
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  return parent.part(size);
}
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, Here where = Here::current()) {
  const unsigned votes = __ballot_sync(group.lane_mask(), predicate, where);
  return coalesced_group(predicate ? votes : group.lane_mask() & ~votes);
}
template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label, Here where = Here::current()) {
  return coalesced_group(__match_any_sync(group.lane_mask(), label, where));
}

template <class Group>
void sync(const Group& group, Here where = Here::current()) {
  group.sync(where);
}
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
  return group.size();
}

template <class Group, class F>
void invoke_one(const Group& group, F&& f) {
  if (group.thread_rank() == 0) f();
}
template <class Group, class F>
auto invoke_one_broadcast(const Group& group, F&& f, Here where = Here::current()) {
  decltype(f()) value{};
  if (group.thread_rank() == 0) value = f();
  return group.shfl(value, 0, where);
}

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

// In every thread. Only neighbours are combined, so any operator will do that is associative.
template <class Group, class T, class Op>
T inclusive_scan(const Group& group, T value, Op op, Here where = Here::current()) {
  const unsigned rank = group.thread_rank();
  for (unsigned reach = 1; reach < group.size(); reach *= 2) {
    const T before = group.shfl_up(value, reach, where);
    if (rank >= reach) value = op(before, value);
  }
  return value;
}
template <class Group, class T>
T inclusive_scan(const Group& group, T value, Here where = Here::current()) {
  return inclusive_scan(group, value, plus<T>(), where);
}
// T() in the first thread.
template <class Group, class T, class Op>
T exclusive_scan(const Group& group, T value, Op op, Here where = Here::current()) {
  const T before = group.shfl_up(inclusive_scan(group, value, op, where), 1, where);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
T exclusive_scan(const Group& group, T value, Here where = Here::current()) {
  return exclusive_scan(group, value, plus<T>(), where);
}
// What an atomic held before the group changed it, at once for all its threads. The last one brings
// the value.
template <class Group, class Atomic, class T, class Op>
T taken_from(const Group& group, Atomic& atomic, T all, Op op, Here where) {
  const auto last = static_cast<unsigned>(group.size()) - 1;
  T old{};
  if (group.thread_rank() == last) {
    old = atomic.load(std::memory_order_relaxed);
    while (!atomic.compare_exchange_weak(old, op(old, all), std::memory_order_relaxed)) {
    }
  }
  return group.shfl(old, last, where);
}
template <class Group, class Atomic, class T, class Op>
T inclusive_scan_update(const Group& group, Atomic&& atomic, T value, Op op,
                        Here where = Here::current()) {
  const T upto = inclusive_scan(group, value, op, where);
  return op(taken_from(group, atomic, upto, op, where), upto);
}
template <class Group, class Atomic, class T>
T inclusive_scan_update(const Group& group, Atomic&& atomic, T value,
                        Here where = Here::current()) {
  return inclusive_scan_update(group, atomic, value, plus<T>(), where);
}
template <class Group, class Atomic, class T, class Op>
T exclusive_scan_update(const Group& group, Atomic&& atomic, T value, Op op,
                        Here where = Here::current()) {
  const T upto = inclusive_scan(group, value, op, where), before = group.shfl_up(upto, 1, where);
  return op(taken_from(group, atomic, upto, op, where), group.thread_rank() == 0 ? T() : before);
}
template <class Group, class Atomic, class T>
T exclusive_scan_update(const Group& group, Atomic&& atomic, T value,
                        Here where = Here::current()) {
  return exclusive_scan_update(group, atomic, value, plus<T>(), where);
}
template <class Group, class T, class Op>
T reduce(const Group& group, T value, Op op, Here where = Here::current()) {
  return group.shfl(inclusive_scan(group, value, op, where),
                    static_cast<unsigned>(group.size()) - 1, where);
}

}  // namespace cooperative_groups
