#include "reports/formats/markdown/emulator_beside_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "reports/formats/markdown/cell_tables.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace ladder::reports {
namespace {

struct CountedFigure {
  const char* title;
  std::optional<double> (*of)(const Cell&);
};

constexpr std::array figures{
    CountedFigure{"bytes loaded", counter<&Counters::global_load_bytes>},
    CountedFigure{"loads", counter<&Counters::global_load_requests>},
    CountedFigure{"sectors loaded", counter<&Counters::global_load_sectors>},
    CountedFigure{"bytes stored", counter<&Counters::global_store_bytes>},
    CountedFigure{"stores", counter<&Counters::global_store_requests>},
    CountedFigure{"sectors stored", counter<&Counters::global_store_sectors>},
    CountedFigure{"requests to shared memory", counter<&Counters::shared_requests>},
    CountedFigure{"shared wavefronts", counter<&Counters::shared_wavefronts>},
    CountedFigure{"atomic requests", counter<&Counters::atomic_requests>},
    CountedFigure{"blocks", counter<&Counters::blocks>}};

struct TwoCounts {
  const Cell *emulated, *gpu;
};

std::vector<TwoCounts> pairs(const std::vector<Cell>& cells) {
  const auto input = [](const Cell& c) {
    CellKey key = c.key();
    key.how = {};
    return key;
  };
  std::map<CellKey, const Cell*> emulated;
  // of cold and warm caches, whichever comes first: their counts are the same
  std::map<CellKey, TwoCounts> found;
  for (const Cell& c : cells)
    if (c.counters() != nullptr && c.how.backend == Backend::emulated) emulated[input(c)] = &c;
  for (const Cell& c : cells) {
    if (c.counters() == nullptr || c.how.backend != Backend::cuda) continue;
    if (const auto other = emulated.find(input(c)); other != emulated.end())
      found.emplace(other->first, TwoCounts{other->second, &c});
  }
  std::vector<TwoCounts> all;
  all.reserve(found.size());
  for (const auto& [key, pair] : found) all.push_back(pair);
  return all;
}

// How the figures of a table agree.
struct Agreement {
  unsigned all = 0, equal = 0, near = 0;
};

// One number where both are the same, else both and how far the second is from the first.
std::string both(const CountedFigure& figure, const TwoCounts& pair, Agreement& tally) {
  const auto a = figure.of(*pair.emulated), b = figure.of(*pair.gpu);
  if (!a || !b) return "";
  ++tally.all;
  if (*a == *b) {
    ++tally.equal;
    return shortest(*a);
  }
  if (*a == 0) return fmt::format("0, GPU {}", shortest(*b));
  const double percent = 100 * (*b / *a - 1), size = std::abs(percent);
  tally.near += size <= 1 ? 1 : 0;
  const std::string by = size < 0.1 ? "under 0.1" : fmt::format("{:.1f}", size);
  return fmt::format("{}, GPU {} ({}{} %)", shortest(*a), shortest(*b), percent < 0 ? "−" : "+",
                     by);
}

std::string title_of_input(const CellKey& key) {
  return fmt::format("{}{}, n = {}, input {}{}", key.input.op ? escaped(*key.input.op) + ", " : "",
                     escaped(key.input.dtype), elements(key.input.n),
                     escaped(key.input.distribution), what_few_have(key.input));
}

std::string table(const std::vector<TwoCounts>& of_one_input, Agreement& tally) {
  std::vector<Heading> headings{{"rung"}};
  for (const CountedFigure& figure : figures) headings.push_back({figure.title, true});
  std::vector<std::vector<std::string>> rows;
  rows.reserve(of_one_input.size());
  for (const TwoCounts& pair : of_one_input) {
    std::vector<std::string> row{code(pair.gpu->who.rung)};
    for (const CountedFigure& figure : figures) row.push_back(both(figure, pair, tally));
    rows.push_back(std::move(row));
  }
  return markdown_table(headings, rows);
}

}  // namespace

std::string counted_twice(const std::vector<Cell>& cells, const Order& order) {
  std::vector<TwoCounts> all = pairs(cells);
  const auto input = [&](const TwoCounts& p) {
    const Input& i = p.gpu->input;
    return std::tuple(order.of_operator(i), i.op, rank_of_dtype(i.dtype), i.n, i.distribution,
                      i.bins, i.offset);
  };
  std::ranges::stable_sort(
      all, std::less{}, [&](const TwoCounts& p) { return std::pair(input(p), order.of(*p.gpu)); });
  Agreement tally;
  std::string tables;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(),
                                  [&](const TwoCounts& p) { return input(p) != input(*begin); });
    const std::string of_input = table({begin, end}, tally),
                      name = title_of_input(begin->gpu->key());
    tables += tables.empty() ? fmt::format("**{}**\n\n{}", name, of_input)
                             : fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n",
                                           name, of_input);
    begin = end;
  }
  if (tables.empty()) return "";
  return fmt::format(
             "## Counted twice\n\nThe emulated backend and the GPU count the same run. A table "
             "entry has one number where both agree, and both "
             "numbers elsewhere. Of {} numbers {} are equal, and {} more differ by 1 % or less. "
             "The GPU counts the code that nvcc generated: "
             "`docs/counting.md` of the sources explains the differences.\n\n",
             grouped(tally.all), grouped(tally.equal), grouped(tally.near)) +
         tables + '\n';
}

}  // namespace ladder::reports
