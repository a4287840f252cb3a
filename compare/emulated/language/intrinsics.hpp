// CUDA's barriers, warp intrinsics, atomics and cached accesses as plain host C++. They take the
// caller's source line, so that a report names it.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compare/emulated/calls/runtime.hpp"
#include "compare/emulated/language/bits.hpp"
#include "compare/emulated/language/floats.hpp"
#include "compare/emulated/types/cuda_words.hpp"
#include "compare/emulated/types/here.hpp"

namespace ladder::emulated {

// __half and the like (small_floats.hpp).
template <class T>
inline constexpr bool is_small_float = false;

// What shuffles, matches and cached accesses take. Shuffles and matches promote small integers, as
// C++ does.
template <class T>
using Promoted = decltype(+std::declval<T>());
template <class T>
concept Shuffled = std::is_arithmetic_v<Promoted<T>> || is_small_float<T>;
template <class T>
concept Cached = std::is_arithmetic_v<T> || is_small_float<T> ||
    (sizeof(T) == alignof(T) && sizeof(T) <= 16 && requires(T vector) { vector.y; });

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <Shuffled T>
std::uint64_t to_bits(T value) {
  return std::bit_cast<BitsOf<Promoted<T>>>(+value);
}

template <Shuffled T>
Promoted<T> from_bits(std::uint64_t bits) {
  return std::bit_cast<Promoted<T>>(static_cast<BitsOf<Promoted<T>>>(bits));
}

template <class T, class... Ts>
concept OneOf = (std::same_as<T, Ts> || ...);

template <class T>
bool is_same(T a, T b) {
  // != of a pair asks that both differ
  if constexpr (is_small_float<T>)
    return std::bit_cast<BitsOf<T>>(a) == std::bit_cast<BitsOf<T>>(b);
  else return a == b;
}

// Not instrumented: an atomic is counted once, as an atomic.
template <class T, class Update>
__attribute__((no_sanitize("thread"))) T update_atomically(T* address, Update update, Here where,
                                                           Scope scope,
                                                           Finds finds = Finds::present) {
  begin_atomic(address);
  if (T older; finds == Finds::present && older_value(address, sizeof(T), &older) &&
               is_same(update(older), older)) {
    before_atomic(address, sizeof(T), Finds::older, scope, where);
    after_atomic(address, false);
    return older;
  }
  before_atomic(address, sizeof(T), finds, scope, where);
  const T old = *address;
  const T next = update(old);
  const bool changes = !is_same(old, next);
  if (changes) atomic_changes(address, sizeof(T), &old, where);
  *address = next;
  after_atomic(address, changes);
  return old;
}

namespace words {

// --- barriers and fences ------------------------------------------------------------------------

#define LADDER_BARRIER(name, result)                              \
  inline int name(int predicate, Here where = Here::current()) {  \
    const Votes votes = meet_block(predicate != 0, where, #name); \
    return result;                                                \
  }
LADDER_BARRIER(__syncthreads_count, static_cast<int>(votes.yes))
LADDER_BARRIER(__syncthreads_and, votes.yes == votes.all)
LADDER_BARRIER(__syncthreads_or, votes.yes != 0)
#undef LADDER_BARRIER
inline void __syncthreads(Here where = Here::current()) {
  meet_block(false, where, "__syncthreads");
}
inline void __syncwarp(unsigned mask = 0xffffffff, Here where = Here::current()) {
  meet_warp(intrinsics::syncwarp, mask, 0, 0, where);
}

// Memory is sequentially consistent here: a fence orders nothing more. It lets others run, and the
// check for races learns of it.
inline void __threadfence() {
  fence(Scope::device);
}
inline void __threadfence_system() {
  fence(Scope::system);
}
inline void __threadfence_block() {
  fence(Scope::block);
}
inline void __nanosleep(unsigned) {
  pass_time();
}

// --- shuffles: lanes form groups of `width`, a power of two, and read within their own ----------

// `source` tells the lane that is read, from the caller's, the first of its group and its width.
#define LADDER_SHUFFLE(name, Parameter, parameter, source)                                    \
  template <Shuffled T>                                                                       \
  Promoted<T> name(unsigned mask, T value, Parameter parameter, int group = warpSize,         \
                   Here where = Here::current()) {                                            \
    const unsigned lane = lane_index(), width = static_cast<unsigned>(group);                 \
    const unsigned first = lane & ~(width - 1), own = static_cast<unsigned>(parameter);       \
    return from_bits<T>(meet_warp(intrinsics::shuffle, mask, to_bits(value), source, where)); \
  }
LADDER_SHUFFLE(__shfl_sync, int, lane_read, first + (own & (width - 1)))
LADDER_SHUFFLE(__shfl_up_sync, unsigned, delta, own <= lane - first ? lane - own : lane)
LADDER_SHUFFLE(__shfl_down_sync, unsigned, delta, own < first + width - lane ? lane + own : lane)
// It may read an earlier group, never a later one.
LADDER_SHUFFLE(__shfl_xor_sync, int, lane_mask, (lane ^ own) < first + width ? lane ^ own : lane)
#undef LADDER_SHUFFLE

// --- votes, matches and reductions --------------------------------------------------------------

// What a lane brings of its value, and what all take away of any two, a and b.
#define LADDER_FOLD(name, R, T, brought, result)                                                 \
  inline R name(unsigned mask, T value, Here where = Here::current()) {                          \
    static constexpr Intrinsic intrinsic{#name,                                                  \
                                         [](std::uint64_t x, std::uint64_t y) -> std::uint64_t { \
                                           const T a = static_cast<T>(x), b = static_cast<T>(y); \
                                           return static_cast<unsigned>(result);                 \
                                         }};                                                     \
    return static_cast<R>(meet_warp(intrinsic, mask, static_cast<unsigned>(brought), 0, where)); \
  }
LADDER_FOLD(__ballot_sync, unsigned, int, value != 0 ? 1U << lane_index() : 0, a | b)
LADDER_FOLD(__all_sync, int, int, value != 0, a& b)
LADDER_FOLD(__any_sync, int, int, value != 0, a | b)
#define LADDER_REDUCE(name, T, result) LADDER_FOLD(name, T, T, value, result)
LADDER_REDUCE(__reduce_add_sync, int, a + b)
LADDER_REDUCE(__reduce_add_sync, unsigned, a + b)
LADDER_REDUCE(__reduce_min_sync, int, a < b ? a : b)
LADDER_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
LADDER_REDUCE(__reduce_max_sync, int, a < b ? b : a)
LADDER_REDUCE(__reduce_max_sync, unsigned, a < b ? b : a)
LADDER_REDUCE(__reduce_and_sync, unsigned, a& b)
LADDER_REDUCE(__reduce_or_sync, unsigned, a | b)
LADDER_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef LADDER_REDUCE
#undef LADDER_FOLD

// The lanes that happen to run together. Any set with the caller in it is a right answer, on the
// hardware too; this one is the smallest, so that code which takes it for the lanes of its branch
// comes out wrong.
inline unsigned __activemask() {
  return 1U << lane_index();
}

template <Shuffled T>
unsigned __match_any_sync(unsigned mask, T value, Here where = Here::current()) {
  return static_cast<unsigned>(meet_warp(intrinsics::match_any, mask, to_bits(value), 0, where));
}

// The lanes that have come have one value: a match and a vote.
template <Shuffled T>
unsigned __match_all_sync(unsigned mask, T value, int* all, Here where = Here::current()) {
  const unsigned same = __match_any_sync(mask, value, where);
  const unsigned present = __ballot_sync(mask, 1, where);
  *all = same == present;
  return same == present ? present : 0;
}

// --- atomics: for the types that CUDA has them for, and no others -------------------------------

#define LADDER_SCOPED(name, scope)                                                            \
  template <class T>                                                                          \
  T name##_##scope(T* address, std::type_identity_t<T> value, Here where = Here::current()) { \
    return name(address, value, where, Scope::scope);                                         \
  }
// What becomes of `old`; whether it depends on that; and the types.
#define LADDER_ATOMIC(name, result, finds, ...)                                                \
  template <OneOf<__VA_ARGS__> T>                                                              \
  T name(T* address, std::type_identity_t<T> value, Here where = Here::current(),              \
         Scope scope = Scope::device) {                                                        \
    return update_atomically(                                                                  \
        address, [=]([[maybe_unused]] T old) { return static_cast<T>(result); }, where, scope, \
        finds);                                                                                \
  }                                                                                            \
  LADDER_SCOPED(name, block)                                                                   \
  LADDER_SCOPED(name, system)
#define LADDER_UPDATE(name, result, ...) LADDER_ATOMIC(name, result, Finds::present, __VA_ARGS__)
LADDER_UPDATE(atomicAdd, old + value, int, unsigned, unsigned long long, float, double)
LADDER_UPDATE(atomicSub, old - value, int, unsigned)
LADDER_UPDATE(atomicMin, value < old ? value : old, int, unsigned, long long, unsigned long long)
LADDER_UPDATE(atomicMax, old < value ? value : old, int, unsigned, long long, unsigned long long)
LADDER_UPDATE(atomicAnd, old& value, int, unsigned, unsigned long long)
LADDER_UPDATE(atomicOr, old | value, int, unsigned, unsigned long long)
LADDER_UPDATE(atomicXor, old ^ value, int, unsigned, unsigned long long)
LADDER_ATOMIC(atomicExch, value, Finds::nothing, int, unsigned, unsigned long long, float)
// Count up to `value` and wrap to 0, and down to 0 and wrap to `value`.
LADDER_UPDATE(atomicInc, old >= value ? 0 : old + 1, unsigned)
LADDER_UPDATE(atomicDec, old == 0 || old > value ? value : old - 1, unsigned)
#undef LADDER_UPDATE
#undef LADDER_ATOMIC
#undef LADDER_SCOPED

template <OneOf<unsigned short, int, unsigned, unsigned long long> T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value,
            Here where = Here::current(), Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return old == expected ? value : old; }, where, scope);
}
template <class T>
T atomicCAS_block(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value,
                  Here where = Here::current()) {
  return atomicCAS(address, expected, value, where, Scope::block);
}
template <class T>
T atomicCAS_system(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value,
                   Here where = Here::current()) {
  return atomicCAS(address, expected, value, where, Scope::system);
}
// One atomic for each element, as CUDA promises; a GPU asks for all of them in one request.
inline float2 atomicAdd(float2* address, float2 value, Here where = Here::current()) {
  return {atomicAdd(&address->x, value.x, where), atomicAdd(&address->y, value.y, where)};
}
inline float4 atomicAdd(float4* address, float4 value, Here where = Here::current()) {
  return {atomicAdd(&address->x, value.x, where), atomicAdd(&address->y, value.y, where),
          atomicAdd(&address->z, value.z, where), atomicAdd(&address->w, value.w, where)};
}

// --- loads and stores with a word for the caches ------------------------------------------------

// To counts and the check for races, they are what they are without it, or volatile.

#define LADDER_LOAD(name, kind)                                                                   \
  template <Cached T>                                                                             \
  __attribute__((no_sanitize("thread"))) T name(const T* address, Here where = Here::current()) { \
    announce(kind, address, sizeof(T), where);                                                    \
    return *address;                                                                              \
  }
#define LADDER_STORE(name, kind)                                                              \
  template <Cached T>                                                                         \
  __attribute__((no_sanitize("thread"))) void name(T* address, std::type_identity_t<T> value, \
                                                   Here where = Here::current()) {            \
    announce(kind, address, sizeof(T), where);                                                \
    *address = value;                                                                         \
  }
LADDER_LOAD(__ldg, Announced::read_only_load)
LADDER_LOAD(__ldca, Announced::load)
LADDER_LOAD(__ldcg, Announced::load)
LADDER_LOAD(__ldcs, Announced::load)
LADDER_LOAD(__ldlu, Announced::load)
LADDER_LOAD(__ldcv, Announced::volatile_load)
LADDER_STORE(__stwb, Announced::store)
LADDER_STORE(__stcg, Announced::store)
LADDER_STORE(__stcs, Announced::store)
LADDER_STORE(__stwt, Announced::volatile_store)
#undef LADDER_STORE
#undef LADDER_LOAD

// --- the rest -----------------------------------------------------------------------------------

// Each call takes 64 cycles, and nothing else takes any.
inline long long clock64() {
  return ticks();
}
inline void __trap(Here where = Here::current()) {
  __assert_fail("that __trap() is not reached", where.file, where.line, "");
}

}  // namespace words
}  // namespace ladder::emulated

using namespace ladder::emulated::words;  // kernels call them from anywhere
