// What papers are written in.
#pragma once

#include <string>
#include <string_view>

namespace ladder::reports {

// Text of any origin as LaTeX and BibTeX show it: one line, no command in it, its braces in pairs.
// pdflatex stops at many characters beyond ASCII: each is a question mark.
std::string latex(std::string_view text);

}  // namespace ladder::reports
