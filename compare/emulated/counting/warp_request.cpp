#include "compare/emulated/counting/warp_request.hpp"

#include <algorithm>

#include "compare/emulated/types/lanes.hpp"

namespace ladder::emulated {

namespace {

constexpr unsigned sector_bytes = 32;
constexpr unsigned banks = 32, word_bytes = 4;

// What the banks are asked for in one round: each by up to 32 lanes.
class Banks {
 public:
  void ask(std::uintptr_t word, bool even_again) {
    const unsigned bank = word % banks;
    const auto begin = words_[bank].begin(), end = begin + asked_[bank];
    if (!even_again && std::find(begin, end, word) != end) return;
    *end = word;
    most_ = std::max<unsigned>(most_, ++asked_[bank]);
  }
  unsigned passes() const { return most_; }

 private:
  std::array<std::uint8_t, banks> asked_{};  // how many of words_ count
  unsigned most_ = 0;
  std::array<std::array<std::uintptr_t, 32>, banks> words_;
};

// Whether lanes whose numbers differ by `bit`, where both take part, ask for the same address.
bool in_pairs(const Request& request, unsigned bit) {
  for (const unsigned lane : lanes_in(request.lanes)) {
    const unsigned partner = lane ^ bit;
    if ((request.lanes >> partner & 1) != 0 && request.address[lane] != request.address[partner])
      return false;
  }
  return true;
}

unsigned lanes_at_a_time(const Request& request, Access access) {
  if (request.size <= word_bytes) return 32;
  const unsigned usual = request.size <= 2 * word_bytes ? 16 : 8;
  return access == Access::load && (in_pairs(request, 1) || in_pairs(request, 2)) ? 2 * usual
                                                                                  : usual;
}

// The addresses of the lanes that take part, sorted.
struct Addresses {
  explicit Addresses(const Request& request) {
    for (const unsigned lane : lanes_in(request.lanes)) of[count++] = request.address[lane];
    const auto end = of.begin() + count;
    if (!std::is_sorted(of.begin(), end)) std::sort(of.begin(), end);  // most are
  }

  std::array<std::uintptr_t, 32> of;
  unsigned count = 0;
};

}  // namespace

unsigned sectors(const Request& request) {
  const Addresses sorted(request);
  std::uintptr_t next = 0;  // the first that is not counted
  std::uintptr_t distinct = 0;
  for (unsigned k = 0; k < sorted.count; ++k) {
    const std::uintptr_t first = std::max(next, sorted.of[k] / sector_bytes);
    next = (sorted.of[k] + request.size - 1) / sector_bytes + 1;
    distinct += next - first;
  }
  return static_cast<unsigned>(distinct);
}

unsigned bytes(const Request& request) {
  const Addresses sorted(request);
  unsigned distinct = 0;
  for (unsigned k = 0; k < sorted.count; ++k)
    distinct += k == 0 || sorted.of[k] != sorted.of[k - 1] ? 1 : 0;
  return distinct * request.size;
}

unsigned most_on_one_word(const Request& request) {
  const Addresses sorted(request);
  unsigned most = 0;
  for (unsigned k = 0, alike = 0; k < sorted.count; ++k) {
    alike = k > 0 && sorted.of[k] == sorted.of[k - 1] ? alike + 1 : 1;
    most = std::max(most, alike);
  }
  return most;
}

unsigned wavefronts(const Request& request, Access access) {
  const unsigned at_a_time = lanes_at_a_time(request, access);
  unsigned passes = 0;
  for (unsigned first = 0; first < 32; first += at_a_time) {
    Banks served;
    for (const unsigned lane : lanes_in(request.lanes & first_lanes(at_a_time) << first)) {
      const std::uintptr_t address = request.address[lane];
      const std::uintptr_t last = (address + request.size - 1) / word_bytes;
      for (std::uintptr_t word = address / word_bytes; word <= last; ++word)
        served.ask(word, access == Access::atomic);
    }
    passes += served.passes();
  }
  return passes;
}

}  // namespace ladder::emulated
