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

namespace ladder::reports {

std::string page(const Report& report);

// A page of the same looks, of the data that page.js expects. cells: gzip in base64, or nothing.
std::string page_with(const nlohmann::json& report, const std::string& cells = "");

}  // namespace ladder::reports
