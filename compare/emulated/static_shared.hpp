// Where the static shared arrays of all kernels lie: among the thread-local variables of the program, of the OS thread that launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ladder::emulated {

class StaticShared {
 public:
  void lies_at(std::uintptr_t begin, std::size_t size);
  std::uintptr_t begin() const { return begin_; }
  bool contains(std::uintptr_t address) const { return address - begin_ < arrays_.size(); }

  void stored(std::uintptr_t address, std::size_t size);  // a kernel has
  void poison();                                          // what was stored since the last time becomes 0xff

  // Of one block.
  struct Image {
    std::size_t first = 0, last = 0;
    std::vector<unsigned char> bytes;
  };
  void put_aside(Image& image);
  void take_up(const Image& image);

 private:
  std::uintptr_t begin_ = 0;
  std::vector<unsigned char> arrays_;  // 0xff for each byte that a kernel has stored to: the host has thread-local variables too
  std::size_t first_ = 0, last_ = 0;   // of those stored since the last time
};

}  // namespace ladder::emulated
