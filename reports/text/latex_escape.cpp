#include "reports/text/latex_escape.hpp"

#include "reports/text/escape.hpp"

namespace ladder::reports {

std::string latex(std::string_view text) {
  std::string out;
  char before = 0;
  for (const char c : one_line(text)) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '{':
        out += "\\textbraceleft{}";
        break;  // BibTeX counts braces, and "\{" as one
      case '}':
        out += "\\textbraceright{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '|':
        out += "\\textbar{}";
        break;
      case '"':
        out += "''";
        break;
      case '[':
      case '*':
        out.append("{").append(1, c).append("}");
        break;  // behind "\\\\" they would be its argument
      case '$':
      case '&':
      case '#':
      case '_':
      case '%':
        out.append("\\").append(1, c);
        break;
      case '-':
      case '`':
      case '\'':
      case ',':
        out.append(c == before ? "{}" : "").append(1, c);
        break;  // two of them would become another character
      default:
        if (static_cast<unsigned char>(c) < 0x80) out += c;
        else if (static_cast<unsigned char>(c) >= 0xC0) out += '?';  // where a character begins
    }
    before = c;
  }
  return out;
}

}  // namespace ladder::reports
