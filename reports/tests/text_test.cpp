// Foreign text and tables on a terminal.
#include "reports/text.hpp"

#include "compare/tests/catch.hpp"

using namespace ladder::reports;

TEST_CASE("no control character reaches a terminal, whichever way it is written") {
  CHECK(printable("a\x1b[31mb\x7f\n") == "a [31mb  ");
  CHECK(printable("a\xc2\x9b"
                  "31mb\xc2\x80\xc2\x9f") == "a  31mb    ");  // U+009B alone begins a command too
  CHECK(printable("\xc2\xa0 caf\xc3\xa9 \xc3\x9b") == "\xc2\xa0 caf\xc3\xa9 \xc3\x9b");
  CHECK(printable("\u2028\u2029") == "      ");
}

TEST_CASE("no foreign text turns round what follows it") {
  for (const char* mark : {"\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"}) {
    CHECK(printable(std::string("a") + mark + "b") == "a   b");
    CHECK(escaped(std::string("a") + mark + "b") == "a   b");
    CHECK(code(std::string("a") + mark + "b") == "a   b");
  }
  CHECK(printable("a\u061cb") == "a  b");
  CHECK(printable("\u202f\u2065\u206a\u20aa") == "\u202f\u2065\u206a\u20aa");
}

TEST_CASE("bytes that are no UTF-8 are replaced") {
  for (const char* wrong :
       {"\xe9", "\xc2", "\xc0\x8a", "\xe2\x80", "\xe0\x82\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff"}) {
    const std::string line = one_line(std::string("a") + wrong + "b");
    INFO(line);
    CHECK(line.starts_with("a\uFFFD"));
    CHECK(line.ends_with("\uFFFDb"));
    CHECK(one_line(line) == line);
  }
  for (const char* right : {"", "caf\u00e9", "\u20ac", "\U0001F600", "\U0010FFFF", "\uD7FF"}) CHECK(one_line(right) == right);
}

TEST_CASE("a text is cut between two characters") {
  CHECK(beginning("abc", 3) == "abc");
  CHECK(beginning("abc", 2) == "ab");
  CHECK(beginning("ab\u20ac", 4) == "ab");
  CHECK(beginning("\u20ac", 2).empty());
}

TEST_CASE("a long text without one whole character is cut to nothing") {
  CHECK(printable(std::string(201, '\x80')) == "...");
}

TEST_CASE("columns are as wide as their widest text") {
  CHECK(joined(aligned({{"row", "a"}, {"time", "1 us"}, {"x", "123"}}, 1), "") == "  row time    x\n  a   1 us  123\n");
  CHECK(aligned({{"a", ""}}, 1) == std::vector<std::string>{"  a\n", "\n"});
}
