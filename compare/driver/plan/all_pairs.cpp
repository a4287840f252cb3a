#include "compare/driver/plan/all_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>

namespace ladder {
namespace {

// Rows are made one at a time, each from the first pair that is missing and then factor by factor,
// with the value that meets most of the row for the first time. So does AETG, which takes the best
// of several random candidates (D. M. Cohen, S. R. Dalal, M. L. Fredman and G. C. Patton, "The AETG
// system: an approach to testing based on combinatorial design", IEEE Transactions on Software
// Engineering 23(7), 1997).
class Rows {
 public:
  Rows(const std::vector<unsigned>& values, const std::function<bool(Level, Level)>& fit)
      : fit_(fit) {
    for (unsigned factor = 0; factor < values.size(); ++factor) {
      levels_.emplace_back();
      for (unsigned value = 0; value < values[factor]; ++value)
        levels_.back().push_back({factor, value});
      first_.push_back(count_);
      count_ += values[factor];
    }
    met_.resize(count_ * count_);
  }

  std::vector<Row> made() {
    std::vector<Row> rows;
    for (std::size_t f = 0; f < levels_.size(); ++f)
      for (std::size_t g = f + 1; g < levels_.size(); ++g)
        for (const Level a : levels_[f])
          for (const Level b : levels_[g]) {
            if (met(a, b) || !fit_(a, b)) continue;
            std::vector<Level> row{a, b};
            if (complete(row)) rows.push_back(noted(row));
          }
    return rows;
  }

 private:
  // Of the factors that the row lacks, the values by what they are worth. False: no row has these.
  bool complete(std::vector<Level>& row) const {
    const auto missing = std::ranges::find_if(levels_, [&](const std::vector<Level>& factor) {
      return std::ranges::none_of(
          row, [&](Level level) { return level.factor == factor.front().factor; });
    });
    if (missing == levels_.end()) return true;
    std::vector<Level> candidates = *missing;
    std::erase_if(candidates, [&](Level candidate) {
      return !std::ranges::all_of(row, [&](Level level) { return fit_(level, candidate); });
    });
    std::ranges::stable_sort(candidates, std::greater(), [&](Level candidate) {
      return std::ranges::count_if(row, [&](Level level) { return !met(level, candidate); });
    });
    for (const Level candidate : candidates) {
      row.push_back(candidate);
      if (complete(row)) return true;
      row.pop_back();
    }
    return false;
  }

  Row noted(const std::vector<Level>& levels) {
    Row row(levels_.size());
    for (const Level a : levels) {
      row[a.factor] = a.value;
      for (const Level b : levels) met_[place(a) * count_ + place(b)] = true;
    }
    return row;
  }

  std::size_t place(Level level) const { return first_[level.factor] + level.value; }
  bool met(Level a, Level b) const { return met_[place(a) * count_ + place(b)]; }

  const std::function<bool(Level, Level)>& fit_;
  std::vector<std::vector<Level>> levels_;  // of each factor
  std::vector<std::size_t> first_;          // place of each factor's first level among all
  std::size_t count_ = 0;
  std::vector<bool> met_;  // of each two levels, whether a row has both
};

}  // namespace

std::vector<Row> all_pairs(const std::vector<unsigned>& values,
                           const std::function<bool(Level, Level)>& fit) {
  return Rows(values, fit).made();
}

}  // namespace ladder
