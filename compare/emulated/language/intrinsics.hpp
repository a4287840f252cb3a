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
  // of two, != asks that both differ
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

// --- barriers and fences
// ---------------------------------------------------------------------------------------------------------------------

inline void __syncthreads(Here where = Here::current()) {
  meet_block(BlockVote::none, 0, where);
}
inline int __syncthreads_count(int predicate, Here where = Here::current()) {
  return meet_block(BlockVote::count, predicate, where);
}
inline int __syncthreads_and(int predicate, Here where = Here::current()) {
  return meet_block(BlockVote::all, predicate, where);
}
inline int __syncthreads_or(int predicate, Here where = Here::current()) {
  return meet_block(BlockVote::any, predicate, where);
}
inline void __syncwarp(unsigned mask = 0xffffffff, Here where = Here::current()) {
  meet_warp(Intrinsic::syncwarp, mask, 0, 0, where);
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

// --- shuffles: lanes form groups of `width`, a power of two, and read within their own
// ---------------------------------------------------------

template <Shuffled T>
Promoted<T> __shfl_sync(unsigned mask, T value, int source, int width = warpSize,
                        Here where = Here::current()) {
  const unsigned w = static_cast<unsigned>(width);
  const unsigned first = lane_index() & ~(w - 1);
  const unsigned from = first + (static_cast<unsigned>(source) & (w - 1));
  return from_bits<T>(meet_warp(Intrinsic::shuffle, mask, to_bits(value), from, where));
}

template <Shuffled T>
Promoted<T> __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                           Here where = Here::current()) {
  const unsigned lane = lane_index();
  const unsigned within = lane & (static_cast<unsigned>(width) - 1);
  const unsigned from = delta <= within ? lane - delta : lane;
  return from_bits<T>(meet_warp(Intrinsic::shuffle, mask, to_bits(value), from, where));
}

template <Shuffled T>
Promoted<T> __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                             Here where = Here::current()) {
  const unsigned lane = lane_index();
  const unsigned w = static_cast<unsigned>(width);
  const unsigned from = delta < w - (lane & (w - 1)) ? lane + delta : lane;
  return from_bits<T>(meet_warp(Intrinsic::shuffle, mask, to_bits(value), from, where));
}

// May read an earlier group, never a later one.
template <Shuffled T>
Promoted<T> __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize,
                            Here where = Here::current()) {
  const unsigned lane = lane_index();
  const unsigned past_group =
      (lane & ~(static_cast<unsigned>(width) - 1)) + static_cast<unsigned>(width);
  const unsigned from = lane ^ static_cast<unsigned>(lane_mask);
  return from_bits<T>(
      meet_warp(Intrinsic::shuffle, mask, to_bits(value), from < past_group ? from : lane, where));
}

// --- votes, matches and reductions
// ---------------------------------------------------------------------------------------------------------------

inline unsigned __ballot_sync(unsigned mask, int predicate, Here where = Here::current()) {
  return static_cast<unsigned>(meet_warp(Intrinsic::ballot, mask, predicate != 0, 0, where));
}
inline int __all_sync(unsigned mask, int predicate, Here where = Here::current()) {
  return static_cast<int>(meet_warp(Intrinsic::all, mask, predicate != 0, 0, where));
}
inline int __any_sync(unsigned mask, int predicate, Here where = Here::current()) {
  return static_cast<int>(meet_warp(Intrinsic::any, mask, predicate != 0, 0, where));
}

// The lanes that happen to run together. Any set with the caller in it is a right answer, on the
// hardware too; this one is the smallest, so that code which takes it for the lanes of its branch
// comes out wrong.
inline unsigned __activemask() {
  return 1U << lane_index();
}

template <Shuffled T>
unsigned __match_any_sync(unsigned mask, T value, Here where = Here::current()) {
  return static_cast<unsigned>(meet_warp(Intrinsic::match_any, mask, to_bits(value), 0, where));
}

// The lanes that have come have one value: a match and a vote.
template <Shuffled T>
unsigned __match_all_sync(unsigned mask, T value, int* all, Here where = Here::current()) {
  const unsigned same = __match_any_sync(mask, value, where);
  const unsigned present = __ballot_sync(mask, 1, where);
  *all = same == present;
  return same == present ? present : 0;
}

template <OneOf<int, unsigned> T>
T __reduce_add_sync(unsigned mask, T value, Here where = Here::current()) {
  return static_cast<T>(
      meet_warp(Intrinsic::reduce_add, mask, static_cast<unsigned>(value), 0, where));
}
template <OneOf<int, unsigned> T>
T __reduce_min_sync(unsigned mask, T value, Here where = Here::current()) {
  constexpr auto min = std::is_signed_v<T> ? Intrinsic::min_i32 : Intrinsic::min_u32;
  return static_cast<T>(meet_warp(min, mask, static_cast<unsigned>(value), 0, where));
}
template <OneOf<int, unsigned> T>
T __reduce_max_sync(unsigned mask, T value, Here where = Here::current()) {
  constexpr auto max = std::is_signed_v<T> ? Intrinsic::max_i32 : Intrinsic::max_u32;
  return static_cast<T>(meet_warp(max, mask, static_cast<unsigned>(value), 0, where));
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value, Here where = Here::current()) {
  return static_cast<unsigned>(meet_warp(Intrinsic::reduce_and, mask, value, 0, where));
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value, Here where = Here::current()) {
  return static_cast<unsigned>(meet_warp(Intrinsic::reduce_or, mask, value, 0, where));
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value, Here where = Here::current()) {
  return static_cast<unsigned>(meet_warp(Intrinsic::reduce_xor, mask, value, 0, where));
}

// --- atomics: for the types that CUDA has them for, and no others
// --------------------------------------------------------------------------------

template <OneOf<int, unsigned, unsigned long long, float, double> T>
T atomicAdd(T* address, std::type_identity_t<T> value, Here where = Here::current(),
            Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return static_cast<T>(old + value); }, where, scope);
}
template <OneOf<int, unsigned> T>
T atomicSub(T* address, std::type_identity_t<T> value, Here where = Here::current(),
            Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return static_cast<T>(old - value); }, where, scope);
}
template <OneOf<int, unsigned, long long, unsigned long long> T>
T atomicMin(T* address, std::type_identity_t<T> value, Here where = Here::current(),
            Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return value < old ? value : old; }, where, scope);
}
template <OneOf<int, unsigned, long long, unsigned long long> T>
T atomicMax(T* address, std::type_identity_t<T> value, Here where = Here::current(),
            Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return old < value ? value : old; }, where, scope);
}
template <OneOf<int, unsigned, unsigned long long> T>
T atomicAnd(T* address, std::type_identity_t<T> value, Here where = Here::current(),
            Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return old & value; }, where, scope);
}
template <OneOf<int, unsigned, unsigned long long> T>
T atomicOr(T* address, std::type_identity_t<T> value, Here where = Here::current(),
           Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return old | value; }, where, scope);
}
template <OneOf<int, unsigned, unsigned long long> T>
T atomicXor(T* address, std::type_identity_t<T> value, Here where = Here::current(),
            Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return old ^ value; }, where, scope);
}
template <OneOf<int, unsigned, unsigned long long, float> T>
T atomicExch(T* address, std::type_identity_t<T> value, Here where = Here::current(),
             Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T) { return value; }, where, scope, Finds::nothing);
}
template <OneOf<unsigned short, int, unsigned, unsigned long long> T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value,
            Here where = Here::current(), Scope scope = Scope::device) {
  return update_atomically(
      address, [=](T old) { return old == expected ? value : old; }, where, scope);
}
// Counts up to `last` and wraps to 0.
inline unsigned atomicInc(unsigned* address, unsigned last, Here where = Here::current(),
                          Scope scope = Scope::device) {
  return update_atomically(
      address, [=](unsigned old) { return old >= last ? 0 : old + 1; }, where, scope);
}
// Counts down to 0 and wraps to `last`.
inline unsigned atomicDec(unsigned* address, unsigned last, Here where = Here::current(),
                          Scope scope = Scope::device) {
  return update_atomically(
      address, [=](unsigned old) { return old == 0 || old > last ? last : old - 1; }, where, scope);
}

// Atomics of a block are those of its device here.
#define LADDER_SCOPED(name, scope)                                                            \
  template <class T>                                                                          \
  T name##_##scope(T* address, std::type_identity_t<T> value, Here where = Here::current()) { \
    return name(address, value, where, Scope::scope);                                         \
  }
#define LADDER_SCOPES(name)  \
  LADDER_SCOPED(name, block) \
  LADDER_SCOPED(name, system)
LADDER_SCOPES(atomicAdd)
LADDER_SCOPES(atomicSub)
LADDER_SCOPES(atomicMin)
LADDER_SCOPES(atomicMax)
LADDER_SCOPES(atomicAnd)
LADDER_SCOPES(atomicOr)
LADDER_SCOPES(atomicXor)
LADDER_SCOPES(atomicExch)
LADDER_SCOPES(atomicInc)
LADDER_SCOPES(atomicDec)
#undef LADDER_SCOPES
#undef LADDER_SCOPED
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

// --- loads and stores with a word for the caches: to counts and the check for races, they are what
// they are without it, or volatile -------------

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

// --- the rest
// ------------------------------------------------------------------------------------------------------------------------

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
