// The words of a result set that come from a fixed list: enumerations here, text only in files and
// on the screen.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ladder::reports {

// Where a cell ran. emulated: the CUDA sources on the CPU, counted and never timed.
enum class Backend { cuda, emulated, host };

// What a run promises when it is over, and so what its time means.
enum class Contract {
  device_result,  // the answer is in device memory; the run is enqueued, and the host need not wait
  host_result,    // the host holds the answer
};

enum class Cache { cold, warm };  // before each timed run

// Only pass earns a number.
enum class Verdict { pass, fail, expected_wrong, skipped, crashed, timeout };

// What a 95 % interval of a ratio decides.
enum class Difference { faster, slower, none_shown };

// What an operation writes.
enum class Output { one_result, one_per_bin, one_per_element };

// What a ceiling's loop does. copy counts the bytes that it reads and those that it writes.
enum class Access { read, copy, write };

// Where a ceiling's data is. peer: in the memory of another device; a copy counts the bytes that go
// from one to the other.
enum class Memory { dram, cache, peer };

// What an implementation promises of the order in which it combines floats.
enum class Promise { any_order, same_bits };

// The words of each enumeration, in the order of its values.
template <class E>
inline constexpr bool words = false;
template <>
inline constexpr std::array words<Backend>{"cuda", "emulated", "host"};
template <>
inline constexpr std::array words<Contract>{"device_result", "host_result"};
template <>
inline constexpr std::array words<Cache>{"cold", "warm"};
template <>
inline constexpr std::array words<Verdict>{"pass",    "fail",    "expected_wrong",
                                           "skipped", "crashed", "timeout"};
template <>
inline constexpr std::array words<Difference>{"faster", "slower", "no difference shown"};
template <>
inline constexpr std::array words<Output>{"one_result", "one_per_bin", "one_per_element"};
template <>
inline constexpr std::array words<Access>{"read", "copy", "write"};
template <>
inline constexpr std::array words<Memory>{"dram", "cache", "peer"};

template <>
inline constexpr std::array words<Promise>{"any order", "same bits on one GPU"};

template <class E>
concept Word = !std::same_as<std::remove_cv_t<decltype(words<E>)>, bool>;

template <Word E>
constexpr std::string_view name_of(E value) {
  return words<E>[static_cast<std::size_t>(value)];
}

// Throws std::invalid_argument that lists the words there are.
template <Word E>
E named(std::string_view name) {
  const auto found = std::ranges::find(words<E>, name);
  if (found != words<E>.end()) return static_cast<E>(found - words<E>.begin());
  std::string message = "there is no \"" + std::string(name) + "\" among";
  for (const std::string_view word : words<E>) message.append(" ").append(word);
  throw std::invalid_argument(message);
}

}  // namespace ladder::reports
