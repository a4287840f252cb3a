// Processes on one host whose devices work together, one of each. They meet in a segment of shared
// memory.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace ladder::emulated {

class Processes {
 public:
  static std::string make();  // a segment, and its name
  void join(const std::string& segment, unsigned rank, unsigned ranks);
  bool are_several() const { return header_ != nullptr; }
  unsigned ranks() const { return ranks_; }

  // take(offset, bytes of each process), for as many pieces as `own` has: in the order of the
  // processes. Returns when all have taken all pieces, and waits for as long as that takes.
  using Take =
      std::function<void(std::size_t offset, std::span<const std::span<const std::byte>> pieces)>;
  void exchange(std::span<const std::byte> own, const Take& take);

 private:
  struct Header;

  void meet();

  Header* header_ = nullptr;
  unsigned rank_ = 0, ranks_ = 1;
};

extern Processes processes;

}  // namespace ladder::emulated
