// CUDA's barriers, warp intrinsics, atomics and bit functions as plain host C++. Barriers and warp intrinsics take the caller's source line, so that
// a report names it.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "compare/emulated/cuda_words.hpp"
#include "compare/emulated/here.hpp"
#include "compare/emulated/runtime.hpp"

namespace ladder::emulated {

// What a shuffle or a match takes: the arithmetic types of 4 and 8 bytes.
template <class T>
concept Shuffled = (sizeof(T) == 4 || sizeof(T) == 8) && std::is_arithmetic_v<T>;

template <Shuffled T>
std::uint64_t to_bits(T value) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
  else return std::bit_cast<std::uint64_t>(value);
}

template <Shuffled T>
T from_bits(std::uint64_t bits) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  else return std::bit_cast<T>(bits);
}

template <class T, class... Ts>
concept OneOf = (std::same_as<T, Ts> || ...);

// Not instrumented: an atomic is counted once, as an atomic.
template <class T, class Update>
__attribute__((no_sanitize("thread"))) T update_atomically(T* address, Update update, Here where, Finds finds = Finds::present) {
  begin_atomic(address);
  if (T older; finds == Finds::present && older_value(address, sizeof(T), &older) && update(older) == older) {
    before_atomic(address, sizeof(T), Finds::older, where);
    after_atomic(address, false);
    return older;
  }
  before_atomic(address, sizeof(T), finds, where);
  const T old = *address;
  const T next = update(old);
  if (old != next) atomic_changes(address, sizeof(T), &old, where);
  *address = next;
  after_atomic(address, old != next);
  return old;
}

namespace words {

// --- barriers and fences ---------------------------------------------------------------------------------------------------------------------

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

// Memory is sequentially consistent here: a fence orders nothing more. It lets others run, and the check for races learns of it.
inline void __threadfence() {
  fence(Scope::device);
}
inline void __threadfence_block() {
  fence(Scope::block);
}
inline void __nanosleep(unsigned) {
  pass_time();
}

// --- shuffles: lanes form groups of `width`, a power of two, and read within their own ---------------------------------------------------------

template <Shuffled T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize, Here where = Here::current()) {
  const unsigned w = static_cast<unsigned>(width);
  const unsigned first = lane_index() & ~(w - 1);
  const unsigned from = first + (static_cast<unsigned>(source) & (w - 1));
  return from_bits<T>(meet_warp(Intrinsic::shuffle, mask, to_bits(value), from, where));
}

template <Shuffled T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize, Here where = Here::current()) {
  const unsigned lane = lane_index();
  const unsigned within = lane & (static_cast<unsigned>(width) - 1);
  const unsigned from = delta <= within ? lane - delta : lane;
  return from_bits<T>(meet_warp(Intrinsic::shuffle, mask, to_bits(value), from, where));
}

template <Shuffled T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize, Here where = Here::current()) {
  const unsigned lane = lane_index();
  const unsigned w = static_cast<unsigned>(width);
  const unsigned from = delta < w - (lane & (w - 1)) ? lane + delta : lane;
  return from_bits<T>(meet_warp(Intrinsic::shuffle, mask, to_bits(value), from, where));
}

// May read an earlier group, never a later one.
template <Shuffled T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize, Here where = Here::current()) {
  const unsigned lane = lane_index();
  const unsigned past_group = (lane & ~(static_cast<unsigned>(width) - 1)) + static_cast<unsigned>(width);
  const unsigned from = lane ^ static_cast<unsigned>(lane_mask);
  return from_bits<T>(meet_warp(Intrinsic::shuffle, mask, to_bits(value), from < past_group ? from : lane, where));
}

// --- votes, matches and reductions ---------------------------------------------------------------------------------------------------------------

inline unsigned __ballot_sync(unsigned mask, int predicate, Here where = Here::current()) {
  return static_cast<unsigned>(meet_warp(Intrinsic::ballot, mask, predicate != 0, 0, where));
}
inline int __all_sync(unsigned mask, int predicate, Here where = Here::current()) {
  return static_cast<int>(meet_warp(Intrinsic::all, mask, predicate != 0, 0, where));
}
inline int __any_sync(unsigned mask, int predicate, Here where = Here::current()) {
  return static_cast<int>(meet_warp(Intrinsic::any, mask, predicate != 0, 0, where));
}

// The lanes that happen to run together. Any set with the caller in it is a right answer, on the hardware too; this one is the smallest, so that
// code which takes it for the lanes of its branch comes out wrong.
inline unsigned __activemask() {
  return 1U << lane_index();
}

template <Shuffled T>
unsigned __match_any_sync(unsigned mask, T value, Here where = Here::current()) {
  return static_cast<unsigned>(meet_warp(Intrinsic::match_any, mask, to_bits(value), 0, where));
}

template <OneOf<int, unsigned> T>
T __reduce_add_sync(unsigned mask, T value, Here where = Here::current()) {
  return static_cast<T>(meet_warp(Intrinsic::reduce_add, mask, static_cast<unsigned>(value), 0, where));
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

// --- atomics: for the types that CUDA has them for, and no others --------------------------------------------------------------------------------

template <OneOf<int, unsigned, unsigned long long, float, double> T>
T atomicAdd(T* address, std::type_identity_t<T> value, Here where = Here::current()) {
  return update_atomically(
      address, [=](T old) { return static_cast<T>(old + value); }, where);
}
template <OneOf<int, unsigned> T>
T atomicSub(T* address, std::type_identity_t<T> value, Here where = Here::current()) {
  return update_atomically(
      address, [=](T old) { return static_cast<T>(old - value); }, where);
}
template <OneOf<int, unsigned, long long, unsigned long long> T>
T atomicMin(T* address, std::type_identity_t<T> value, Here where = Here::current()) {
  return update_atomically(
      address, [=](T old) { return value < old ? value : old; }, where);
}
template <OneOf<int, unsigned, long long, unsigned long long> T>
T atomicMax(T* address, std::type_identity_t<T> value, Here where = Here::current()) {
  return update_atomically(
      address, [=](T old) { return old < value ? value : old; }, where);
}
template <OneOf<int, unsigned, unsigned long long> T>
T atomicAnd(T* address, std::type_identity_t<T> value, Here where = Here::current()) {
  return update_atomically(
      address, [=](T old) { return old & value; }, where);
}
template <OneOf<int, unsigned, unsigned long long> T>
T atomicOr(T* address, std::type_identity_t<T> value, Here where = Here::current()) {
  return update_atomically(
      address, [=](T old) { return old | value; }, where);
}
template <OneOf<int, unsigned, unsigned long long> T>
T atomicXor(T* address, std::type_identity_t<T> value, Here where = Here::current()) {
  return update_atomically(
      address, [=](T old) { return old ^ value; }, where);
}
template <OneOf<int, unsigned, unsigned long long, float> T>
T atomicExch(T* address, std::type_identity_t<T> value, Here where = Here::current()) {
  return update_atomically(
      address, [=](T) { return value; }, where, Finds::nothing);
}
template <OneOf<unsigned short, int, unsigned, unsigned long long> T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value, Here where = Here::current()) {
  return update_atomically(
      address, [=](T old) { return old == expected ? value : old; }, where);
}
// Counts up to `last` and wraps to 0.
inline unsigned atomicInc(unsigned* address, unsigned last, Here where = Here::current()) {
  return update_atomically(
      address, [=](unsigned old) { return old >= last ? 0 : old + 1; }, where);
}
// Counts down to 0 and wraps to `last`.
inline unsigned atomicDec(unsigned* address, unsigned last, Here where = Here::current()) {
  return update_atomically(
      address, [=](unsigned old) { return old == 0 || old > last ? last : old - 1; }, where);
}

// --- products that are never fused with an addition: none is here (-ffp-contract=off) ---------------------------------------------------------

inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline double __dmul_rn(double a, double b) {
  return a * b;
}

// --- bits and cached loads
// ---------------------------------------------------------------------------------------------------------------------------

inline int __popc(unsigned value) {
  return std::popcount(value);
}
inline int __popcll(unsigned long long value) {
  return std::popcount(value);
}
inline int __clz(int value) {
  return std::countl_zero(static_cast<unsigned>(value));
}
inline int __clzll(long long value) {
  return std::countl_zero(static_cast<unsigned long long>(value));
}
inline int __ffs(int value) {
  return value == 0 ? 0 : std::countr_zero(static_cast<unsigned>(value)) + 1;
}
inline int __ffsll(long long value) {
  return value == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(value)) + 1;
}

// Not instrumented: it is announced as what it is.
template <class T>
__attribute__((no_sanitize("thread"))) T __ldg(const T* address, Here where = Here::current()) {
  read_only_load(address, sizeof(T), where);
  return *address;
}

}  // namespace words
}  // namespace ladder::emulated

using namespace ladder::emulated::words;  // kernels call them from anywhere
