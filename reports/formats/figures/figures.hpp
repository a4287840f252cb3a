// The figures: Vega-Lite specifications in figures/*.vl.json, each a picture of rows of the flat
// table (numbers/flat_table.hpp). report.html draws the same files.
//
// "usermeta" of a specification says which rows it takes:
//   across  the key columns that the picture spreads over. Every other key column has one value,
//           that of the input in question, so no two rows can fall on one point unseen.
//   where   columns and the values that they may have
//   needs   columns without which a row says nothing here. The figure is left out where no row has
//           them.
//   least   columns, and how many different values of each make a picture
//   has     columns, and a value of each that one row has at least
//   coding  lines below a figure for a paper, which say what its marks mean
//   n       "widest": at the size that most rows are of, whatever size the input in question has
//   operations  the only ones it is about
//   title   for the reader
// "Why" has a bar for each rung and no scatter: readers of a scatter took the label of one rung for
// that of another. Labels at the ends of lines are pushed apart by the specification itself: row i
// of k, from below, stands at the largest of v[j] + (i - j) * gap over j <= i, and k - i gaps below
// the top at most.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/model/ladder_order.hpp"
#include "reports/model/model.hpp"
#include "reports/numbers/flat_table.hpp"

namespace ladder::reports {

constexpr double column_mm = 84;  // the width of a column of a paper

std::vector<std::string> figure_names();
// throws std::logic_error where there is none
json figure_template(std::string_view name);
json figure_theme(std::string_view theme);  // "light" or "dark": a Vega-Lite config

// An input, and how it was run: a value for each key column but provider and rung. Devices are left
// out where all of it lies on one.
json figure_key(const CellKey& of);

// cells: of one operation. That of the input that tells most.
json telling_key(const Cells& cells, const Order& order);

// The rows that a figure takes for an input, each an object with the key columns (offset and
// devices where they are not 0) and those that the figure mentions. Context first, so that the best
// is drawn last.
// every_role: where rungs are chosen by name, a figure of the best of them shows them all.
json figure_rows(std::string_view figure, const std::vector<FlatRow>& rows, const json& key,
                 bool every_role = false);

// Why these rows are not enough for a picture; empty where they are.
std::string why_not_drawn(std::string_view figure, const json& rows);

// What the marks of a figure mean: its lines below it, and the colours of the roles in its rows.
std::vector<std::string> coding_in_words(std::string_view figure, const json& rows);

// A row for each claim of the study notes that a ratio decides: id, verdict, ratio, ratio_low,
// ratio_high, and printed, or null.
json claim_rows(const Results& results);

// With each text in it as text() has it: foreign text as people may see it.
json each_text(json value, std::string (*text)(std::string_view));

// Complete: with its rows, or those of claim_rows(), and the theme.
json specification(std::string_view figure, const json& rows, std::string_view theme);

// The text of a complete specification, for a picture of that width. coding: lines below it.
std::string drawn_at(double width_mm, json whole, const std::vector<std::string>& coding);

}  // namespace ladder::reports
