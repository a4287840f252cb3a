// Prose that lives in text files, reports/words/*.txt, so that a writer changes it without C++.
//
// A passage begins below a line "== name" and ends before the next. "@hole@" is a place for a
// value.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::reports {

using Holes = std::map<std::string_view, std::string>;

// The text with each hole filled. One pass: nothing inside a value is taken for a hole. Of a value
// that ends a line, its own line break is left out. Throws std::logic_error for a hole without a
// value and for a value without a hole.
std::string filled(std::string_view text, const Holes& holes);

// name: of the file and of the passage in it, "report/ceilings". Without the empty line at its end.
// Throws std::logic_error where there is none.
std::string passage(std::string_view name, const Holes& holes = {});

// With an empty line between those that are not empty.
std::string paragraphs(const std::vector<std::string>& parts);

}  // namespace ladder::reports
