// An array in device memory, displaced from a 256-byte boundary, between two guards that show
// writes beside it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ladder {

class GuardedArray {
 public:
  GuardedArray(std::size_t bytes, std::size_t displacement);  // throws backend::OutOfMemory
  ~GuardedArray();
  GuardedArray(const GuardedArray&) = delete;
  GuardedArray& operator=(const GuardedArray&) = delete;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  std::span<const std::byte> array() const { return {data_, bytes_}; }
  std::span<const std::byte> whole() const;  // with its guards and what displaces it
  std::array<std::span<const std::byte>, 2> guards() const;  // before and after the array
  static std::uint64_t checksum_of_guard();                  // of an intact guard
  // "after its end, at byte 4"; empty where both guards hold. Mends them.
  std::string damage();

 private:
  void write_guards();

  std::size_t bytes_;
  std::byte* memory_;
  std::byte* data_;
};

}  // namespace ladder
