#include "reports/formats/markdown/cell_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {
namespace {

using Row = std::vector<std::string>;

// Element types whose rows read the same.
struct Block {
  std::vector<std::string> dtypes;
  std::vector<Row> rows;
  std::vector<Verdict> verdicts;
  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes its 0 for a pointer
  auto operator<=>(const Block&) const = default;
};

Row row_of(const Cell& cell) {
  Row row;
  for (const Column& column : columns()) row.push_back(column.text(cell));
  return row;
}

// cells: of one operator and size, sorted by type.
std::vector<Block> blocks_of(const std::vector<Cell>& cells) {
  std::vector<Block> by_dtype, merged;
  for (const Cell& cell : cells) {
    if (by_dtype.empty() || by_dtype.back().dtypes[0] != cell.input.dtype)
      by_dtype.push_back({{cell.input.dtype}, {}, {}});
    by_dtype.back().rows.push_back(row_of(cell));
    by_dtype.back().verdicts.push_back(cell.verdict());
  }
  for (Block& block : by_dtype) {
    const auto same = std::ranges::find(merged, block.rows, &Block::rows);
    if (same == merged.end()) merged.push_back(std::move(block));
    else same->dtypes.push_back(block.dtypes[0]);
  }
  return merged;
}

std::string rendered(std::vector<Block> blocks) {
  std::vector<Heading> headings{{"type"}};
  for (const Column& column : columns()) headings.push_back({column.title, column.is_number});

  // Where a row has no number it says so in the first column that has any.
  const auto first_number = [&]() -> std::size_t {
    for (std::size_t c = 0; c < columns().size(); ++c) {
      for (const Block& block : blocks) {
        if (columns()[c].is_number &&
            std::ranges::any_of(block.rows, [c](const Row& row) { return !row[c].empty(); }))
          return c;
      }
    }
    return columns().size();
  }();

  std::vector<Row> rows;
  for (Block& block : blocks) {
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      Row& row = block.rows[r];
      if (block.verdicts[r] != Verdict::pass && first_number < row.size() &&
          row[first_number].empty())
        row[first_number] = instead_of_numbers(block.verdicts[r]);
      row.insert(row.begin(), r == 0 ? fmt::format("**{}**", escaped(joined(block.dtypes))) : "");
      rows.push_back(row);
    }
  }
  return markdown_table(headings, rows);
}

}  // namespace

std::vector<Table> tables(const std::vector<Cell>& cells, const Order& order) {
  // Each operator and type usually has one input distribution; only where it has several do they
  // get tables of their own.
  std::map<std::tuple<std::uint64_t, std::optional<std::string>, std::string>, std::string>
      first_distribution;
  bool several = false;
  for (const Cell& c : cells) {
    several |= first_distribution
                   .emplace(std::tuple(c.input.n, c.input.op, c.input.dtype), c.input.distribution)
                   .first->second != c.input.distribution;
  }
  const auto place = [&](const Cell& c) {
    return std::tuple(~c.input.n, several ? c.input.distribution : "", order.of_operator(c.input),
                      c.input.op, rank_of_dtype(c.input.dtype), c.input.devices, order.of(c));
  };
  std::vector<Cell> sorted = cells;
  std::ranges::stable_sort(sorted, std::less{}, place);

  struct Draft {
    Table table;
    std::vector<Block> blocks;
  };
  std::vector<Draft> drafts;
  // by size, distribution and what it shows
  std::map<std::tuple<std::uint64_t, std::string, std::vector<Block>>, std::size_t> draft_of;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto same_table = [&](const Cell& c) {
      return c.input.n == begin->input.n && c.input.op == begin->input.op &&
             (!several || c.input.distribution == begin->input.distribution);
    };
    const auto end = std::find_if_not(begin, sorted.end(), same_table);
    const std::vector<Cell> group(begin, end);
    auto blocks = blocks_of(group);
    const std::string distribution = several ? begin->input.distribution : "";
    const auto [at, is_new] =
        draft_of.emplace(std::tuple(begin->input.n, distribution, blocks), drafts.size());
    if (is_new) drafts.push_back({{begin->input.n, {}, {}, {}}, std::move(blocks)});
    Table& same = drafts[at->second].table;
    if (begin->input.op) same.operators.push_back(*begin->input.op);
    same.cells.insert(same.cells.end(), group.begin(), group.end());
    begin = end;
  }
  std::vector<Table> result;
  for (Draft& draft : drafts) {
    draft.table.markdown = rendered(std::move(draft.blocks));
    result.push_back(std::move(draft.table));
  }
  return result;
}

std::string markdown_table(const std::vector<Heading>& headings,
                           const std::vector<std::vector<std::string>>& rows) {
  std::string head = "|", rule = "|", body;
  std::vector<bool> shown;
  for (std::size_t c = 0; c < headings.size(); ++c) {
    shown.push_back(std::ranges::any_of(rows, [c](const Row& row) { return !row[c].empty(); }));
    if (!shown[c]) continue;
    head += fmt::format(" {} |", headings[c].title);
    rule += headings[c].right_aligned ? " ---: |" : " --- |";
  }
  for (const Row& row : rows) {
    body += '|';
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (shown[c]) body += fmt::format(" {} |", row[c]);
    }
    body += '\n';
  }
  return head + '\n' + rule + '\n' + body;
}

}  // namespace ladder::reports
