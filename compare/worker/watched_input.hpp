// An input in device memory that notices when it is changed. Only a hash of it is kept on the host, since inputs may be as large as the device.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compare/backend.hpp"
#include "compare/worker/guarded_array.hpp"

namespace ladder {

// Writes elements first, first + 1, .. of an input; the same every time.
template <class T>
using Generator = std::function<void(std::uint64_t first, std::span<T> values)>;

template <class T>
class WatchedInput {
 public:
  WatchedInput(Generator<T> generate, std::uint64_t n, std::size_t displacement)
      : generate_(std::move(generate)), n_(n), array_(n * sizeof(T), displacement) {
    in_pieces([&](std::uint64_t first, std::span<T> piece) {
      generate_(first, piece);
      backend::upload(data() + first, piece.data(), piece.size_bytes());
      hash_ = hashed(hash_, piece);
    });
  }

  T* data() const { return reinterpret_cast<T*>(array_.data()); }
  void write_guards() { array_.write_guards(); }

  // What was done to it; empty where it is as it was. Mends the input, so that the next run does not pay for it.
  std::string damage() {
    if (const std::string beside = array_.damage(); !beside.empty()) return "wrote beside its input, " + beside;
    std::uint64_t hash = 0;
    in_pieces([&](std::uint64_t first, std::span<T> piece) {
      backend::download(piece.data(), data() + first, piece.size_bytes());
      hash = hashed(hash, piece);
    });
    return hash == hash_ ? std::string() : mend();
  }

 private:
  static constexpr std::uint64_t piece_size = 1 << 16;

  void in_pieces(const auto& action) const {
    std::vector<T> values(std::min(n_, piece_size));
    for (std::uint64_t first = 0; first < n_; first += piece_size) action(first, std::span(values).first(std::min(n_ - first, piece_size)));
  }

  // Each step is a bijection of the hash so far, so that no single change is missed.
  static std::uint64_t hashed(std::uint64_t hash, std::span<const T> values) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    for (const T& value : values) hash = ((hash ^ std::bit_cast<Word>(value)) + 1) * 0x9e3779b97f4a7c15;
    return hash;
  }

  std::string mend() {
    std::string first_change;
    in_pieces([&](std::uint64_t first, std::span<T> piece) {
      std::vector<T> now(piece.size());
      backend::download(now.data(), data() + first, piece.size_bytes());
      generate_(first, piece);
      for (std::size_t k = 0; k < piece.size() && first_change.empty(); ++k)
        if (hashed(0, {&now[k], 1}) != hashed(0, {&piece[k], 1}))
          first_change = fmt::format("modified its input: in[{}] was {} and is {}", first + k, piece[k], now[k]);
      backend::upload(data() + first, piece.data(), piece.size_bytes());
    });
    return first_change;
  }

  Generator<T> generate_;
  std::uint64_t n_;
  GuardedArray array_;
  std::uint64_t hash_ = 0;
};

}  // namespace ladder
