#include "compare/emulated/calls/processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <vector>

#include "compare/backend.hpp"

namespace ladder::emulated {

Processes processes;

// 0 at first, as a new segment is.
struct Processes::Header {
  static constexpr std::size_t piece = 64 * 1024;

  std::atomic<std::uint32_t> arrived, phase;
  std::array<std::array<std::byte, piece>, most_devices> of;  // what each process shows to all
};

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

// Named as a file of this process, so that nothing of it is left when the processes have ended.
std::string Processes::make() {
  const int file = memfd_create("ladder", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, sizeof(Header)) != 0)
    fail("cannot make a segment of shared memory");
  return fmt::format("/proc/{}/fd/{}", getpid(), file);
}

void Processes::join(const std::string& segment, unsigned rank, unsigned ranks) {
  const int file = open(segment.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) fail("cannot open the segment " + segment);
  void* const memory = mmap(nullptr, sizeof(Header), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) fail("cannot map the segment " + segment);
  header_ = static_cast<Header*>(memory);
  rank_ = rank;
  ranks_ = ranks;
  meet();
}

// Who comes last lets all go on.
void Processes::meet() {
  constexpr unsigned microseconds = 20;
  const std::uint32_t phase = header_->phase;
  if (++header_->arrived == ranks_) {
    header_->arrived = 0;
    ++header_->phase;
    return;
  }
  while (header_->phase == phase) usleep(microseconds);
}

void Processes::exchange(std::span<const std::byte> own, const Take& take) {
  for (std::size_t offset = 0; offset < own.size(); offset += Header::piece) {
    const std::size_t bytes = std::min(own.size() - offset, Header::piece);
    std::memcpy(header_->of[rank_].data(), own.data() + offset, bytes);
    meet();
    std::vector<std::span<const std::byte>> pieces;
    for (unsigned rank = 0; rank < ranks_; ++rank)
      pieces.push_back(std::span(header_->of[rank]).first(bytes));
    take(offset, pieces);
    meet();
  }
}

}  // namespace ladder::emulated
