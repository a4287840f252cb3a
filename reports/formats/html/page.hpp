// report.html: one file that a browser opens without a network. It holds the data, the figures
// (figures/figures.hpp), and a script that draws them.
//
// Text of the results reaches the page as JSON and stays text: the script gives it to textContent
// and to figures as values, never as markup, as an expression or as the name of a field. The policy
// of the page allows its own scripts by their hashes, and no request.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/formats/report.hpp"
#include "reports/model/json.hpp"
#include "reports/text/markdown_table.hpp"

namespace ladder::reports {

std::string page(const Report& report);

// What stands below the first screen, and below the figures where there are some. Texts are
// Markdown.
struct Section {
  std::string title, text = {};
  std::string verbatim = {}, after = {};  // as it is; a text below that
  // {"name", "note", "rows"} of a figure, beside the first table; null: none
  nlohmann::json picture = {};
  std::vector<Table> tables = {};
  std::string id = {};
  Files folded = {};  // texts by their titles

  LADDER_FIELDS(title, text, verbatim, after, picture, tables, id, folded)
};
void to_json(nlohmann::json& json, const Table& table);

// What draws a page: html/page/*.js as one function. A part can use those before it.
std::string page_script();

// A page of the same looks, of the data that page/data.js expects. cells: columns; sources: texts
// by their paths.
std::string page_with(nlohmann::json report, const nlohmann::json& cells = {},
                      const nlohmann::json& sources = {});

}  // namespace ladder::reports
