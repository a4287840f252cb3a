// histogram for the runner: its inputs and exact counts.
#include "compare/operations/histogram.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare/operations/inputs.hpp"
#include "compare/problem/folded.hpp"
#include "compare/problem/problem.hpp"

namespace ladder {
namespace {

// their counts fit into the shared memory of a multiprocessor, some of them at a time
constexpr unsigned most_bins = 65'536;

// Element i is a pure function of (distribution, n, bins, seed, i).
template <class Value>
class Values {
 public:
  using Element = Value;

  explicit Values(const ProblemSpec& spec) : n_(spec.n), bins_(spec.bins), seed_(spec.seed) {
    const unsigned most =
        reports::most_bins(*find_kind(spec.operation, spec.op, spec.dtype)->operation, spec.dtype);
    if (bins_ < 1 || bins_ > most)
      throw std::invalid_argument("the histogram of " + spec.dtype + " has 1 to " +
                                  std::to_string(most) + " bins, not " + std::to_string(bins_));
    if (spec.distribution == "uniform") fill_ = &Values::each<&Values::uniform>;
    else if (spec.distribution == "constant") fill_ = &Values::each<&Values::constant>;
    else if (spec.distribution == "zipf") fill_ = &Values::each<&Values::zipf>;
    else if (spec.distribution == "sorted") fill_ = &Values::each<&Values::sorted>;
    else if (spec.distribution == "extremes") fill_ = &Values::each<&Values::extremes>;
    else
      throw std::invalid_argument("a histogram takes no input distribution \"" + spec.distribution +
                                  "\"; it takes uniform, constant, zipf, sorted, extremes");
    if (spec.distribution == "zipf") add_up_shares();
  }

  void operator()(std::uint64_t first, std::span<Value> values) const {
    (this->*fill_)(first, values);
  }

  static std::vector<std::string_view> distributions() {
    return {"uniform", "constant", "zipf", "sorted", "extremes"};
  }

 private:
  template <std::uint64_t (Values::*element)(std::uint64_t) const>
  void each(std::uint64_t first, std::span<Value> values) const {
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = static_cast<Value>((this->*element)(first + k));
  }

  std::uint64_t uniform(std::uint64_t i) const { return below(bins_, random_bits(seed_, i)); }
  std::uint64_t constant(std::uint64_t) const { return seed_ % bins_; }
  std::uint64_t sorted(std::uint64_t i) const { return i * bins_ / n_; }  // n < 2^48

  // The first bin or the last.
  std::uint64_t extremes(std::uint64_t i) const {
    return (random_bits(seed_, i) & 1) * (bins_ - std::uint64_t{1});
  }

  // Bin b with a share of 1 / (b + 1): as words in a text.
  std::uint64_t zipf(std::uint64_t i) const {
    const std::uint64_t bits = random_bits(seed_, i), k = bits >> guide_shift;
    const auto found = std::upper_bound(
        shares_.begin() + guide_[k], shares_.begin() + guide_[k + 1], below(shares_.back(), bits));
    return static_cast<std::uint64_t>(found - shares_.begin());
  }

  void add_up_shares() {
    constexpr std::uint64_t whole = std::uint64_t{1} << 32;
    std::uint64_t sum = 0;
    for (unsigned b = 0; b < bins_; ++b) shares_.push_back(sum += whole / (b + 1));
    std::uint32_t bin = 0;
    for (std::uint64_t k = 0; k < std::uint64_t{1} << (64 - guide_shift); ++k) {
      while (shares_[bin] <= below(sum, k << guide_shift)) ++bin;
      guide_.push_back(bin);
    }
    guide_.push_back(bins_ - 1);
  }

  std::uint64_t n_;
  unsigned bins_;
  std::uint64_t seed_;
  void (Values::*fill_)(std::uint64_t, std::span<Value>) const = nullptr;
  std::vector<std::uint64_t> shares_;  // of bins 0 to b
  // Entry k: the bin of the least random number whose upper 12 bits are k. For 256 bins a search of
  // all takes at least five times as long.
  std::vector<std::uint32_t> guide_;
  static constexpr unsigned guide_shift = 52;
};

template <class Value>
std::unique_ptr<Problem> pose(const ProblemSpec& spec) {
  using Device = typename Histogram<Value>::Device;
  const Values<Value> values(spec);
  const auto arguments = [&](const std::vector<const Value*>& in, std::uint64_t n,
                             std::int32_t* out) {
    return Device{in[0], n, spec.bins, out};
  };
  const auto expected = [&] {
    using Counts = LongArray<std::int32_t>;
    return Expected<std::int32_t>{folded(
        values, spec.n, Counts(spec.bins, 0),
        [](Counts& counts, Value value) { ++counts[static_cast<std::size_t>(value)]; },
        [](Counts& counts, const Counts& more) {
          std::ranges::transform(counts, more, counts.begin(), std::plus<>());
        })};
  };
  const auto count_what_is_lost = [n = spec.n](std::span<const std::int32_t> got,
                                               Verdict& verdict) {
    const auto counted = std::accumulate(got.begin(), got.end(), std::int64_t{0});
    const bool plausible =
        std::ranges::all_of(got, [](std::int32_t count) { return count >= 0; }) &&
        counted <= static_cast<std::int64_t>(n);
    if (plausible) verdict.lost_counts = n - static_cast<std::uint64_t>(counted);
  };
  return std::make_unique<TypedProblem<Device, Value>>(spec, std::vector<Generator<Value>>{values},
                                                       reports::Output::one_per_bin, arguments,
                                                       expected, nullptr, count_what_is_lost);
}

template <class... Ts>
std::vector<Kind> kinds_of(TypeList<Ts...>) {
  return {{"", dtype_of<Ts>(), pose<Ts>, Values<Ts>::distributions()}...};
}

const RegisterOperation operation{{
                                      .name = std::string(Histogram<std::int32_t>::name),
                                      .place = 5,
                                      .output = reports::Output::one_per_bin,
                                      .usual_inputs = {"uniform"},
                                      .usual_bins = 256,
                                      .most_bins = most_bins,
                                  },
                                  {kinds_of(Histogram<std::int32_t>::types())}};

}  // namespace
}  // namespace ladder
