#include <algorithm>
#include <execution>
#include <numeric>
#include <thread>
#include <vector>

#include "compare/operations/histogram.hpp"
#include "compare/register.hpp"
#include "vendor/standard_library.hpp"

namespace ladder {
inline namespace LADDER_UNIT {

constexpr Card card{
    .idea =
        "std::for_each(par) over parts of the input, each with a histogram of its own, then over "
        "parts of the bins to add them up: all cores.",
    .to_know =
        "There are twice as many parts as the machine has threads, and fewer for short inputs, so "
        "that adding the histograms up is the smaller part. "
        "The histograms are allocated in the constructor, outside the timed region. With libstdc++ "
        "the threads are TBB's.",
    .library = standard_library,
    .source = "ISO C++20, <algorithm> and <execution>.",
};

constexpr unsigned bins_at_once = 256;  // that one task adds up: whole cache lines, several of them

template <class T>
class StdParallel {
 public:
  explicit StdParallel(const typename Histogram<T>::Device& device) : device_(device) {
    const std::size_t of_machine = 2 * std::max(std::thread::hardware_concurrency(), 1U);
    const std::size_t enough = device.n / (4096 + 8 * std::size_t{device.bins});
    parts_ = numbers_up_to(std::clamp<std::size_t>(enough, 1, of_machine));
    slices_ = numbers_up_to((device.bins + bins_at_once - 1) / bins_at_once);
    private_.resize(parts_.size() * device.bins);
  }

  void operator()(Stream) {
    std::for_each(std::execution::par, parts_.begin(), parts_.end(),
                  [this](std::size_t part) { count(part); });
    std::for_each(std::execution::par, slices_.begin(), slices_.end(),
                  [this](std::size_t slice) { add_up(slice); });
  }

 private:
  static std::vector<std::size_t> numbers_up_to(std::size_t length) {
    std::vector<std::size_t> numbers(length);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
  }

  void count(std::size_t part) {
    std::int32_t* const counts = &private_[part * device_.bins];
    std::fill_n(counts, device_.bins, 0);
    const std::size_t length = device_.n / parts_.size();
    const std::size_t end = part + 1 == parts_.size() ? device_.n : (part + 1) * length;
    for (std::size_t i = part * length; i < end; ++i) ++counts[device_.in[i]];
  }

  void add_up(std::size_t slice) {
    const std::size_t first = slice * bins_at_once;
    const std::size_t end = std::min<std::size_t>(first + bins_at_once, device_.bins);
    std::fill(device_.out + first, device_.out + end, 0);
    for (const std::size_t part : parts_) {
      for (std::size_t bin = first; bin < end; ++bin)
        device_.out[bin] += private_[part * device_.bins + bin];
    }
  }

  typename Histogram<T>::Device device_;
  std::vector<std::size_t> parts_, slices_;
  std::vector<std::int32_t> private_;
};

const Register<Histogram, StdParallel> rung{card};

}  // namespace LADDER_UNIT
}  // namespace ladder
