// An input in device memory that notices when it is changed. Only a checksum of it is kept, since
// inputs may be as large as the device.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare/backend.hpp"
#include "compare/elements.hpp"
#include "compare/problem/guarded_array.hpp"
#include "compare/problem/in_parallel.hpp"

namespace ladder {

// Writes elements first, first + 1, .. of an input; the same every time, and on several threads at
// a time.
template <class T>
using Generator = std::function<void(std::uint64_t first, std::span<T> values)>;

// A generator of zeros. They are not copied from the host: for an input as large as the device a
// copy takes seconds.
template <class T>
struct Zeros {
  void operator()(std::uint64_t, std::span<T> values) const { std::ranges::fill(values, T(0)); }
};

template <class T>
class WatchedInput {
 public:
  // Holds elements first to first + n of an input.
  WatchedInput(Generator<T> generate, std::uint64_t first, std::uint64_t n,
               std::size_t displacement)
      : generate_(std::move(generate)), first_(first), n_(n), array_(n * sizeof(T), displacement) {
    if (generate_.template target<Zeros<T>>() != nullptr) backend::fill(data(), 0, n_ * sizeof(T));
    else generate_and_upload();
    checksum_ = backend::checksum(whole());
  }

  T* data() const { return reinterpret_cast<T*>(array_.data()); }
  std::span<const std::byte> whole() const { return array_.whole(); }  // what is watched

  // Takes over the values of another input with as many elements.
  void become(const WatchedInput& other) {
    backend::copy(data(), other.data(), n_ * sizeof(T), {});
    backend::synchronize({});
    generate_ = other.generate_;
    checksum_ = backend::checksum(whole());
  }

  // checksum: of whole() now. Says how the input has changed; empty if the checksum is the same.
  // Mends the input, so the next run is not affected. Throws std::logic_error where only the
  // checksum has changed: nobody has written there.
  std::string damage(std::uint64_t checksum) {
    if (checksum == checksum_) return {};
    const std::string beside = array_.damage();
    std::string inside = mend();
    if (!inside.empty()) return inside;
    if (!beside.empty()) return "wrote beside its input, " + beside;
    throw std::logic_error("the input of this rung has another checksum, and no other byte");
  }

 private:
  static constexpr std::uint64_t piece_size = 1 << 16;

  std::span<T> of_piece(std::uint64_t k, std::vector<T>& values) const {
    return std::span(values).first(std::min(n_ - k * piece_size, piece_size));
  }

  void generate_and_upload() {
    const std::uint64_t pieces = (n_ + piece_size - 1) / piece_size;
    in_parallel(pieces, [&](std::uint64_t k) {
      thread_local std::vector<T> values(piece_size);
      const auto piece = of_piece(k, values);
      generate_(first_ + k * piece_size, piece);
      backend::upload(data() + k * piece_size, piece.data(), piece.size_bytes());
    });
  }

  std::string mend() {
    std::string first_change;
    std::vector<T> values(std::min(n_, piece_size));
    for (std::uint64_t first = 0; first < n_; first += piece_size) {
      const auto piece = of_piece(first / piece_size, values);
      std::vector<T> now(piece.size());
      backend::download(now.data(), data() + first, piece.size_bytes());
      generate_(first_ + first, piece);
      for (std::size_t k = 0; k < piece.size() && first_change.empty(); ++k)
        // bytes: NaN is unequal to itself. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
        if (std::memcmp(&now[k], &piece[k], sizeof(T)) != 0)
          first_change =
              fmt::format("modified its input: in[{}] was {} and is {}", first_ + first + k,
                          Accumulator<T>(piece[k]), Accumulator<T>(now[k]));
      backend::upload(data() + first, piece.data(), piece.size_bytes());
    }
    return first_change;
  }

  Generator<T> generate_;
  std::uint64_t first_, n_;
  GuardedArray array_;
  std::uint64_t checksum_ = 0;
};

}  // namespace ladder
