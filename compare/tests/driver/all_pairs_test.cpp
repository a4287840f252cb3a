// Covering arrays: no pair is missing, and a missing one would be noticed.
#include "compare/driver/plan/all_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "compare/tests/catch.hpp"

using namespace ladder;

namespace {

bool all_fit(Level, Level) {
  return true;
}

// Every row that there can be.
std::vector<Row> every_row(const std::vector<unsigned>& values, const auto& fit) {
  std::vector<Row> rows{{}};
  for (unsigned factor = 0; factor < values.size(); ++factor) {
    std::vector<Row> longer;
    for (const Row& row : rows)
      for (unsigned value = 0; value < values[factor]; ++value) {
        bool fits = true;
        for (unsigned f = 0; f < factor; ++f) fits = fits && fit({f, row[f]}, {factor, value});
        if (!fits) continue;
        longer.push_back(row);
        longer.back().push_back(value);
      }
    rows = longer;
  }
  return rows;
}

// Pairs of levels that are in one row of `all` and in none of `rows`.
unsigned missing(const std::vector<Row>& rows, const std::vector<Row>& all) {
  std::vector<std::vector<unsigned>> pairs;
  for (const Row& row : all)
    for (unsigned f = 0; f < row.size(); ++f)
      for (unsigned g = f + 1; g < row.size(); ++g) pairs.push_back({f, row[f], g, row[g]});
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return static_cast<unsigned>(std::ranges::count_if(pairs, [&](const std::vector<unsigned>& pair) {
    return std::ranges::none_of(
        rows, [&](const Row& row) { return row[pair[0]] == pair[1] && row[pair[2]] == pair[3]; });
  }));
}

}  // namespace

TEST_CASE("all pairs: each two values meet, in few rows, and the same each time") {
  for (const std::vector<unsigned>& values : {std::vector{2U, 2U, 2U},
                                              {3U, 3U, 3U, 3U},
                                              {5U, 1U, 4U, 2U},
                                              {2U, 7U, 3U, 3U, 2U},
                                              {4U, 4U}}) {
    const std::vector<Row> rows = all_pairs(values, all_fit), every = every_row(values, all_fit);
    CHECK(missing(rows, every) == 0);
    std::vector<unsigned> most = values;
    std::ranges::sort(most, std::greater());
    CHECK(rows.size() >= most[0] * most[1]);
    CHECK(rows.size() <= most[0] * most[1] + most[0]);
    CHECK(rows == all_pairs(values, all_fit));
  }
}

TEST_CASE("all pairs: without the last row a pair is missing") {
  const std::vector<unsigned> values{3, 4, 2, 3};
  std::vector<Row> rows = all_pairs(values, all_fit);
  rows.pop_back();
  CHECK(missing(rows, every_row(values, all_fit)) > 0);
}

TEST_CASE("all pairs: what does not fit is in no row, and stops nothing else") {
  const std::vector<unsigned> values{3, 4, 3, 2};
  // The last value of the second factor goes with the first of the first alone, that of the third
  // with the last of the first: these two never meet.
  const auto fit = [](Level a, Level b) {
    if (a.factor > b.factor) std::swap(a, b);
    if (a.factor != 0) return true;
    if (b.factor == 1 && b.value == 3) return a.value == 0;
    return b.factor != 2 || b.value != 2 || a.value == 2;
  };
  const std::vector<Row> rows = all_pairs(values, fit), every = every_row(values, fit);
  CHECK(missing(rows, every) == 0);
  for (const Row& row : rows) CHECK(std::ranges::count(every, row) == 1);
}

TEST_CASE("all pairs: a row is found though its first values lead nowhere") {
  // each value goes with its own alone
  const auto fit = [](Level a, Level b) { return a.value == b.value; };
  CHECK(all_pairs({3, 3, 3}, fit) == std::vector<Row>{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}});
  // the first value of the third factor is worth as much as the second, and the fourth has none for
  // it
  const auto late = [](Level a, Level b) {
    if (a.factor > b.factor) std::swap(a, b);
    return a.factor != 2 || b.factor != 3 || a.value != 0;
  };
  const std::vector<unsigned> values{5, 5, 2, 2};
  CHECK(missing(all_pairs(values, late), every_row(values, late)) == 0);
}

TEST_CASE("all pairs: the first value is taken where another is worth no more") {
  unsigned last = 0;
  for (const Row& row : all_pairs({5, 5, 2}, all_fit)) last += row[2];
  CHECK(last < 13);
  CHECK(all_pairs({}, all_fit).empty());
}
